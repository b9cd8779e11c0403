// Why is A above B: the parts of the difference, and the chains of common opponents.

const SHOWN_PARTS = 8;
const pair = { a: 0, b: Math.min(1, names.length - 1) };

function showWhy() {
  const { a, b } = pair;
  const answer = byId("why-answer");
  if (a === b)
    return answer.replaceChildren(
      make("p", { class: "answer" }, "Choose two different contestants."),
    );
  const [A, B] = [names[a], names[b]];
  const difference = board.rating[a] - board.rating[b];
  if (group[a] !== group[b]) {
    return answer.replaceChildren(
      make(
        "p",
        { class: "answer" },
        `${A} and ${B} cannot be compared: no chain of ${report.word}s joins them.`,
      ),
    );
  }
  const side = difference > 0 ? "above" : "below";
  const headline =
    units.kind === "ratio"
      ? `One ${A} is rated worth ${show(difference)} ${B}.`
      : isNothing(difference)
        ? `${A} and ${B} are rated level.`
        : `${A} is rated ${amount(difference)} ${side} ${B}.`;
  const told = report.told[`${Math.min(a, b)},${Math.max(a, b)}`];
  const current = currentBetween(a, b);
  const chains = strongestChains(current, a, b);
  answer.replaceChildren(
    make("p", { class: "answer" }, headline),
    ...(report.exact ? [] : inexactNote(current, told)),
    ...(chains.length
      ? [
          make("h3", {}, "The strongest chains of evidence"),
          make("ol", { class: "chains" }, chains.map(chainItem)),
        ]
      : []),
    ...(current.parts.length
      ? [
          make("h3", {}, `What each ${report.word} adds`),
          partsTable(current, report.exact ? difference : current.total),
        ]
      : []),
    ...levelNote(a, b, difference, current),
  );
  return undefined;
}

/** For another loss than the square: what was told by the fit itself, and what follows below. */
function inexactNote(current, told) {
  const note = `What follows weighs the same results by least squares, which makes the difference ${show(current.total)}.`;
  return [
    told ? make("p", { class: "told" }, told) : null,
    make("p", { class: "quiet" }, note),
  ].filter(Boolean);
}

function chainItem(chain) {
  const links = chain.links.map((link) => {
    const few = link.hubs.slice(0, 3).map((h) => brief(hubs.label(h)));
    const mean = link.hubs.length > 1 ? " on average" : "";
    const weighed =
      show(link.mean) === show(link.margin)
        ? ""
        : ` (${signed(link.margin)} by the evidence of each)`;
    const where =
      report.word === "judgment"
        ? link.hubs.length > 1
          ? ` in ${link.hubs.length} judgments`
          : ""
        : link.hubs.length <= 3
          ? ` in ${listed(few)}`
          : ` in ${link.hubs.length} contests`;
    const said = sayMargin(names[link.a], names[link.b], link.mean);
    return make("li", {}, `${said}${mean}${where}${weighed}`);
  });
  const together = chain.links.length > 1 ? `, together ${signed(chain.total)}` : "";
  return make(
    "li",
    { class: "chain" },
    make("p", {}, `${percent(chain.share)} of the evidence${together}`),
    make("ul", { class: "links" }, links),
  );
}

function partsTable(current, whole) {
  const first = current.parts.slice(0, SHOWN_PARTS);
  const others = current.parts.slice(SHOWN_PARTS);
  const sum = (parts) => parts.reduce((total, one) => total + one.amount, 0);
  const row = (title, value, share) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", class: "name" }, title),
      make("td", {}, signed(value)),
      make("td", {}, share),
    );
  const rows = first.map((one) => row(hubs.label(one.hub), one.amount, percent(one.share)));
  if (others.length) rows.push(row(plural(others.length, `other ${report.word}`), sum(others), ""));
  const rest = whole - current.total;
  if (Math.abs(rest) > 1e-6 * current.parts.reduce((total, one) => total + Math.abs(one.amount), 0))
    rows.push(row("the pull of a prior or anchors", rest, ""));
  rows.push(row("Together", whole, ""));
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": "Parts of the difference" },
    make(
      "table",
      { id: "parts" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make(
            "th",
            { scope: "col", class: "name" },
            report.word === "contest" ? "Contest" : "Judgment",
          ),
          make("th", { scope: "col" }, "Adds"),
          make("th", { scope: "col" }, "Evidence through it"),
        ),
      ),
      make("tbody", {}, rows),
    ),
  );
}

function levelNote(a, b, difference, current) {
  if (!report.exact || isNothing(difference) || !(current.resistance > 0) || units.kind === "ratio")
    return [];
  const behind = difference > 0 ? names[b] : names[a];
  const weight = report.usual_weight;
  const needed = amount(difference / (current.resistance * weight));
  const weighing = weight === 1 ? "" : ` of weight ${significant(weight)}`;
  const what =
    report.word === "contest"
      ? `contest between the two alone${weighing} that ${behind} won`
      : `judgment${weighing} that ${behind} was better`;
  return [
    make("p", { class: "quiet" }, `They would be level after one more ${what} by ${needed}.`),
  ];
}

function startWhy() {
  const fill = () => {
    byId("why-a").value = names[pair.a];
    byId("why-b").value = names[pair.b];
  };
  for (const side of ["a", "b"]) {
    const field = byId(`why-${side}`);
    offerNames(
      field,
      byId(`names-${side}`),
      (i) => {
        field.value = names[i];
        if (pair[side] === i) return;
        pair[side] = i;
        showWhy();
      },
      (typed) =>
        byId("why-answer").replaceChildren(
          make("p", { class: "answer" }, `No contestant is called “${typed}”.`),
        ),
    );
    field.addEventListener("focus", () => field.select());
  }
  byId("swap").addEventListener("click", () => {
    [pair.a, pair.b] = [pair.b, pair.a];
    fill();
    showWhy();
  });
  fill();
  showWhy();
}
