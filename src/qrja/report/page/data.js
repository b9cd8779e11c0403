// The data of the report, and what every part of the page needs: elements, names, entries.

/** Find the element with an id; each category of a page has its own. */
const byId = (id) => document.getElementById(id + panel.dataset.suffix);

const report = JSON.parse(byId("data").textContent);
const names = report.names;
const board = report.board;
const group = board.group;

/** Make an element. Texts become text nodes: nothing that came with the data is read as markup. */
function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "rect", "line", "polygon"].includes(tag);
  const element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** Contests (or judgments) as hubs: the entries of hub h are start[h] to start[h + 1]. */
const hubs = (() => {
  const { size, who, score, weight, label } = report.hubs;
  const start = new Int32Array(size.length + 1);
  size.forEach((k, h) => (start[h + 1] = start[h] + k));
  const hub = new Int32Array(who.length);
  for (let h = 0; h < size.length; h++) hub.fill(h, start[h], start[h + 1]);
  return {
    count: size.length,
    start,
    hub,
    who: Int32Array.from(who),
    score: Float64Array.from(score),
    weight: weight ? Float64Array.from(weight) : new Float64Array(size.length).fill(1),
    label: (h) =>
      label
        ? called(label[h])
        : say("{a} and {b} (judgment {number})", {
            a: names[who[start[h]]],
            b: names[who[start[h] + 1]],
            number: `${h}`,
          }),
  };
})();

/** The entries of contestant i are entries.of[entries.start[i]] to entries.of[entries.start[i + 1]]. */
const entries = (() => {
  const start = new Int32Array(names.length + 1);
  for (const i of hubs.who) start[i + 1]++;
  for (let i = 0; i < names.length; i++) start[i + 1] += start[i];
  const next = start.slice();
  const of = new Int32Array(hubs.who.length);
  hubs.who.forEach((i, e) => (of[next[i]++] = e));
  return { start, of };
})();

/** The entries of one contestant, in the order of the hubs. */
const entriesOf = (i) => entries.of.subarray(entries.start[i], entries.start[i + 1]);

const numberOf = new Map();
names.forEach((name, i) => numberOf.has(name) || numberOf.set(name, i));
const folded = names.map((name) => name.toLowerCase());

/** Find a contestant by what was typed: the name, or the only one that it is a part of; else -1. */
function findContestant(typed) {
  const text = typed.trim();
  if (numberOf.has(text)) return numberOf.get(text);
  const wanted = text.toLowerCase();
  if (!wanted) return -1;
  const exact = folded.indexOf(wanted);
  if (exact >= 0) return exact;
  const first = folded.findIndex((name) => name.includes(wanted));
  const another = folded.findIndex((name, i) => i > first && name.includes(wanted));
  return another < 0 ? first : -1;
}

/** A long label, cut so that a sentence stays readable. */
function brief(label) {
  return label.length > 48 ? `${label.slice(0, 47).trimEnd()}…` : label;
}

/** Name a contest; a bare number needs a word before it. */
function called(label) {
  return /^\d+$/.test(label) ? say("{event} {label}", { label }) : label;
}

/** The class of a cell with a name: one with a very long word may break anywhere. */
const nameClass = (i) => (/\S{18}/.test(names[i]) ? "name long" : "name");
