// Numbers as people read them, in the units of the scores.

const units = report.units;

/** Write a rating or a difference of two; more is better. */
function show(value) {
  if (units.kind === "time") return showTime(value);
  if (units.kind === "percent") return showPercent(value);
  if (units.kind === "ratio") return significant(Math.exp(Math.min(Math.max(value, -700), 700)));
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

function significant(value, digits = 4) {
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
  if (share > 0 && share < 0.01) return "under 1%";
  return `${roundEven(100 * share)}%`;
}

/** Write a probability as `qrja predict` does; nothing is quite certain. */
function chance(probability) {
  if (probability < 0.005) return "<1%";
  return probability > 0.995 ? ">99%" : `${roundEven(100 * probability)}%`;
}

/** Say by how much a was better than b. */
function sayMargin(a, b, margin) {
  if (units.kind === "ratio") return `one ${a} was judged worth ${show(margin)} ${b}`;
  const judged = report.word === "judgment";
  if (isNothing(margin))
    return judged ? `${a} was judged equal to ${b}` : `${a} was level with ${b}`;
  if (judged)
    return `${a} was judged ${amount(margin)} ${margin > 0 ? "better" : "worse"} than ${b}`;
  return `${a} ${margin > 0 ? "beat" : "lost to"} ${b} by ${amount(margin)}`;
}

/** What a chart draws: numbers in a unit that reads well, and the name of the unit. */
const drawn = (() => {
  if (units.kind === "ratio")
    return { of: (x) => Math.exp(x), title: "worth (log scale)", log: true };
  if (units.kind === "percent")
    return { of: (x) => 100 * Math.expm1(x), title: "percent ahead of the average" };
  if (units.kind !== "time") return { of: (x) => x, title: "rating" };
  const widest = Math.max(...board.rating.map(Math.abs));
  const [unit, title] =
    widest > 7200 ? [3600, "hours"] : widest > 120 ? [60, "minutes"] : [1, "seconds"];
  return { of: (x) => x / unit, title: `${title} ahead of the average` };
})();
