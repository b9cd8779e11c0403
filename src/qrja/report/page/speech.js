// Speech: templates filled with their parts, in the language of the page, as qrja.report.phrases does.

/** A number of things; `say` writes it with the form that the noun needs. */
const counted = (number, noun) => ({ number, noun });

/** A phrase of the page in its language; what the table lacks stays English. */
const phrase = (text) => report.words.phrases[text] ?? text;

/** Choose by what is rated: contestants in contests, or items in judgments. */
const either = (ofContests, ofJudgments) => (report.word === "judgment" ? ofJudgments : ofContests);

/** Fill a template: {name}, {name:one/several}, or {name:dative} for another form of a noun. */
function say(template, parts = {}) {
  return phrase(template).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, spec) => {
    const part = parts[name];
    if (!spec?.includes("/")) return written(part, spec);
    const [one, several] = spec.split("/");
    return isOne(part.number ?? part) ? one : several;
  });
}

const isOne = (number) => number === 1 || (number === 0 && report.language === "fr");

function written(part, spec) {
  if (typeof part === "number") return part.toLocaleString(report.language);
  return part.noun ? `${part.number.toLocaleString(report.language)} ${form(part, spec)}` : part;
}

function form({ number, noun }, spec) {
  const forms = report.words.nouns[noun] ?? [noun, `${noun}s`];
  if (isOne(number)) return forms[0];
  return spec === "dative" ? forms[forms.length - 1] : forms[1];
}

/** Write an English number with the marks of the language. */
const localised = (text) =>
  text.replace(/(?<=\d)[.,](?=\d)|(?<=\d)%/g, (mark) => report.words.marks[mark]);

/** Write a list as in a sentence. */
function listed(texts) {
  if (texts.length < 2) return texts.join("");
  const most = texts.slice(0, -1).join(", ");
  return say("{most} and {last}", { most, last: texts[texts.length - 1] });
}
