// Speech: templates filled with their parts, in the language of the page, as qrja.report.phrases does.

/** A number of things; `say` writes it with the form that the noun needs. */
const counted = (number, noun) => ({ number, noun });

/** A phrase of the page in its language; what the table lacks stays English. */
const phrase = (text) => report.words.phrases[text] ?? text;

/** Choose by what is rated: people who meet in contests, or things. */
const either = (ofPeople, ofThings) => (report.nouns.of_things ? ofThings : ofPeople);

/** The nouns of the table, which any template may have for parts. */
const bare = (noun, number) => ({ noun, number, bare: true });
const ownNoun = (name) => bare(report.nouns[name.replace(/s$/, "")], name.endsWith("s") ? 2 : 1);

/** A noun of the table as a heading. */
const heading = (name) => {
  const text = form(ownNoun(name));
  return text[0].toLocaleUpperCase(report.language) + text.slice(1);
};

/** Fill a template: {name}, {name:one/several}, or {name:dative} for another form of a noun. */
function say(template, parts = {}) {
  return phrase(template).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, spec) => {
    const part = parts[name] ?? ownNoun(name);
    if (!spec?.includes("/")) return written(part, spec);
    const [one, several] = spec.split("/");
    return isOne(part.number ?? part) ? one : several;
  });
}

const isOne = (number) => number === 1 || (number === 0 && report.language === "fr");

function written(part, spec) {
  if (typeof part === "number") return part.toLocaleString(report.language);
  if (!part.noun) return part;
  const text = form(part, spec);
  return part.bare ? text : `${part.number.toLocaleString(report.language)} ${text}`;
}

function form({ number, noun }, spec) {
  const forms = report.words.nouns[noun] ?? [noun, `${noun.replace(/([^aeiou])y$/, "$1ie")}s`];
  if (isOne(number)) return forms[0];
  return spec === "dative" ? forms[forms.length - 1] : forms[1];
}

/** Write an English number with the marks of the language. */
const localised = (text) =>
  text.replace(/(?<=\d)[.,](?=\d)|(?<=\d)%/g, (mark) => report.words.marks[mark]);

/** Write a date by the habit of the language, 23.06.2024; in English the order is told by itself. */
function writtenDate(text) {
  if (report.language === "en" || !/^\d{4}-\d{2}-\d{2}(T|$)/.test(text)) return text;
  const [day, ...time] = text.split("T");
  const habit = { timeZone: "UTC", day: "2-digit", month: "2-digit", year: "numeric" };
  const written = new Date(`${day}T00:00:00Z`).toLocaleDateString(report.language, habit);
  return [written, ...time].join(" ");
}

/** How an axis of time writes its ticks: the day before the month, but in English. */
function dateFormats() {
  const day = { en: "%b %d", de: "%-d. %b" }[report.language] ?? "%-d %b";
  const each = { year: "%Y", quarter: "%b", month: "%b", week: day, date: day };
  return { ...each, day, hours: "%H:%M", minutes: "%H:%M", seconds: "%H:%M:%S" };
}

/** Write a list as in a sentence. */
function listed(texts) {
  if (texts.length < 2) return texts.join("");
  const most = texts.slice(0, -1).join(", ");
  return say("{most} and {last}", { most, last: texts[texts.length - 1] });
}
