// Numbers as people read them, in the units of the scores.

const units = report.units;

/** Write a rating or a difference of two; more is better. */
const show = (value) => localised(plainly(value));

/** The same as English writes numbers. */
function plainly(value) {
  if (units.kind === "time") return showTime(value);
  if (units.kind === "percent") return showPercent(value);
  if (units.kind === "ratio") return rounded(Math.exp(Math.min(Math.max(value, -700), 700)));
  const text = value.toFixed(units.decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** Write a difference with its sign. */
function signed(value) {
  if (units.kind === "ratio") return `× ${show(value)}`;
  const text = show(value);
  return value > 0 && !isNothing(value) && !["time", "percent"].includes(units.kind)
    ? `+${text}`
    : text.replace("-", "−");
}

/** Write a difference of logarithms as percent, with its sign. */
function showPercent(value) {
  const text = (100 * Math.expm1(Math.min(value, 30))).toFixed(units.decimals);
  if (Number(text) === 0) return `${text.replace("-", "")}%`;
  return `${Number(text) > 0 ? "+" : ""}${text}%`;
}

/** Write how much, without a sign. */
function amount(value) {
  return show(Math.abs(value)).replace(/^\+/, "");
}

const isNothing = (value) => amount(value) === amount(0);

function showTime(seconds) {
  const scale = 10 ** units.decimals;
  const ticks = Math.round(Math.abs(seconds) * scale);
  const sign = ticks === 0 ? "" : seconds > 0 ? "+" : "-";
  const whole = Math.floor(ticks / scale);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor(whole / 60) % 60,
    whole % 60,
  ];
  const clock = hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
  const part = ticks % scale;
  const tail = part ? `.${String(part).padStart(units.decimals, "0").replace(/0+$/, "")}` : "";
  return sign + clock + tail;
}

/** Write a number by its first few digits. */
const significant = (value) => localised(rounded(value));

function rounded(value, digits = 4) {
  if (!(value >= 1e-4 && value < 1e9)) return value.toExponential(digits - 1);
  const text = value.toFixed(Math.max(digits - 1 - Math.floor(Math.log10(value)), 0));
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Round half to even, as Python does. */
function roundEven(value) {
  const up = Math.round(value);
  return up - value === 0.5 && up % 2 ? up - 1 : up;
}

/** Write a share as qrja.ratings.words does; a small one is not nothing. */
function percent(share) {
  if (share > 0 && share < 0.01) return say("under 1%");
  return localised(`${roundEven(100 * share)}%`);
}

/** Write a probability as `qrja predict` does; nothing is quite certain. */
function chance(probability) {
  if (probability < 0.005) return localised("<1%");
  return localised(probability > 0.995 ? ">99%" : `${roundEven(100 * probability)}%`);
}

/** Say by how much a was better than b. */
function sayMargin(a, b, margin) {
  if (units.kind === "ratio")
    return say("one {a} was judged worth {ratio} {b}", { a, b, ratio: show(margin) });
  const [level, better, worse] = MARGINS[report.nouns.judged ? "judged" : either("met", "scored")];
  if (isNothing(margin)) return say(level, { a, b });
  return say(margin > 0 ? better : worse, { a, b, amount: amount(margin) });
}

/** How a margin is told, as qrja.ratings.words does: of none, of one ahead, of one behind. */
const MARGINS = {
  met: ["{a} was level with {b}", "{a} beat {b} by {amount}", "{a} lost to {b} by {amount}"],
  scored: [
    "{a} was level with {b}",
    "{a} was {amount} better than {b}",
    "{a} was {amount} worse than {b}",
  ],
  judged: [
    "{a} was judged equal to {b}",
    "{a} was judged {amount} better than {b}",
    "{a} was judged {amount} worse than {b}",
  ],
};

/** What a chart draws: numbers in a unit that reads well, and the name of the unit. */
const drawn = (() => {
  const ofField = say("relative to the field");
  if (units.kind === "ratio")
    return { of: (x) => Math.exp(x), title: say("worth (log scale)"), field: ofField, log: true };
  if (units.kind === "percent") {
    const title = say("percent ahead of the average");
    return { of: (x) => 100 * Math.expm1(x), title, field: ofField };
  }
  if (units.kind !== "time") return { of: (x) => x, title: say("rating"), field: ofField };
  const widest = Math.max(...board.rating.map(Math.abs));
  if (widest > 7200)
    return {
      of: (x) => x / 3600,
      title: say("hours ahead of the average"),
      field: say("hours ahead of the field"),
    };
  if (widest > 120)
    return {
      of: (x) => x / 60,
      title: say("minutes ahead of the average"),
      field: say("minutes ahead of the field"),
    };
  return {
    of: (x) => x,
    title: say("seconds ahead of the average"),
    field: say("seconds ahead of the field"),
  };
})();
