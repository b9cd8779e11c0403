// Why is A above B: the parts of the difference, and the chains of common opponents.

const SHOWN_PARTS = 8;
const pair = { a: 0, b: Math.min(1, names.length - 1) };

function showWhy() {
  const { a, b } = pair;
  const answer = byId("why-answer");
  if (a === b)
    return answer.replaceChildren(
      make(
        "p",
        { class: "answer" },
        say("Choose two different names."),
      ),
    );
  const [A, B] = [names[a], names[b]];
  const difference = board.rating[a] - board.rating[b];
  if (group[a] !== group[b]) {
    return answer.replaceChildren(
      make(
        "p",
        { class: "answer" },
        say(
          either(
            "{a} and {b} cannot be compared: no chain of contests joins them.",
            "{a} and {b} cannot be compared: no chain of {events} joins them.",
          ),
          { a: A, b: B },
        ),
      ),
    );
  }
  const side =
    difference > 0 ? "{a} is rated {amount} above {b}" : "{a} is rated {amount} below {b}";
  const headline =
    units.kind === "ratio"
      ? "One {a} is rated worth {ratio} {b}"
      : isNothing(difference)
        ? "{a} and {b} are rated level"
        : side;
  const said = say(headline, {
    a: A,
    b: B,
    ratio: show(difference),
    amount: amount(difference),
  });
  const told = report.told[`${Math.min(a, b)},${Math.max(a, b)}`];
  const current = currentBetween(a, b);
  const chains = strongestChains(current, a, b);
  answer.replaceChildren(
    make("p", { class: "answer" }, `${said}.`),
    ...(report.exact ? [] : inexactNote(current, told)),
    ...(chains.length
      ? [
          make("h3", {}, say("The strongest chains of evidence")),
          make("ol", { class: "chains" }, chains.map(chainItem)),
        ]
      : []),
    ...(current.parts.length
      ? [
          make("h3", {}, say("What each {event} adds")),
          partsTable(current, report.exact ? difference : current.total),
        ]
      : []),
    ...levelNote(a, b, difference, current),
  );
  return undefined;
}

/** For another loss than the square: what was told by the fit itself, and what follows below. */
function inexactNote(current, told) {
  const note = say(
    "What follows weighs the same results by least squares, which makes the difference {difference}.",
    { difference: show(current.total) },
  );
  return [
    told ? make("p", { class: "told" }, told) : null,
    make("p", { class: "quiet" }, note),
  ].filter(Boolean);
}

function chainItem(chain) {
  const links = chain.links.map((link) => {
    const said = [sayMargin(names[link.a], names[link.b], link.mean), ...sayPlace(link.hubs)];
    if (show(link.mean) !== show(link.margin))
      said.push(say("({margin} by the evidence of each)", { margin: signed(link.margin) }));
    return make("li", {}, said.join(" "));
  });
  const together =
    chain.links.length > 1
      ? "{share} of the evidence, together {total}"
      : "{share} of the evidence";
  const parts = { share: percent(chain.share), total: signed(chain.total) };
  return make(
    "li",
    { class: "chain" },
    make("p", {}, say(together, parts)),
    make("ul", { class: "links" }, links),
  );
}

/** Say where two met: in a few contests by name, in many by their number. */
function sayPlace(met) {
  if (report.nouns.judged && met.length < 2) return [];
  if (!report.nouns.judged && met.length <= 3) {
    const where = listed(met.map((h) => brief(hubs.label(h))));
    return [say(met.length > 1 ? "on average in {where}" : "in {where}", { where })];
  }
  return [say("on average in {many}", { many: counted(met.length, report.nouns.event) })];
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
  const more = say("{others}", { others: counted(others.length, `other ${report.nouns.event}`) });
  if (others.length) rows.push(row(more, sum(others), ""));
  const rest = whole - current.total;
  if (Math.abs(rest) > 1e-6 * current.parts.reduce((total, one) => total + Math.abs(one.amount), 0))
    rows.push(row(say("the pull of a prior or anchors"), rest, ""));
  rows.push(row(say("Together"), whole, ""));
  return make(
    "div",
    {
      class: "scroll",
      tabindex: "0",
      role: "region",
      "aria-label": phrase("Parts of the difference"),
    },
    make(
      "table",
      { id: `parts${panel.dataset.suffix}` },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          make(
            "th",
            { scope: "col", class: "name" },
            heading("event"),
          ),
          make("th", { scope: "col" }, say("Adds")),
          make("th", { scope: "col" }, say("Evidence through it")),
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
  const margin = difference / (current.resistance * weight);
  const plain = either(
    "They would be level after one more contest between the two alone that {behind} won by {margin}.",
    "They would be level after one more {event} for the two alone with {behind} better by {margin}.",
  );
  const weighed = either(
    "They would be level after one more contest between the two alone of weight {weight} that {behind} won by {margin}.",
    "They would be level after one more {event} of weight {weight} for the two alone with {behind} better by {margin}.",
  );
  const severalPlain =
    "It would take {times} for the two alone, each with {behind} better by {most}, to make them level: a single one would need a larger margin than any so far.";
  const severalWeighed =
    "It would take {times} of weight {weight} for the two alone, each with {behind} better by {most}, to make them level: a single one would need a larger margin than any so far.";
  const largest = largestMargin();
  const times = Math.ceil((Math.abs(margin) / largest) * (1 - 1e-9));
  const one = weight === 1 ? plain : weighed;
  const several = weight === 1 ? severalPlain : severalWeighed;
  const said = say(times > 1 ? several : one, {
    behind,
    margin: amount(margin),
    most: amount(largest),
    times: counted(times, report.nouns.event),
    weight: significant(weight),
  });
  return [make("p", { class: "quiet" }, said)];
}

/** The largest margin so far, of any two who were compared. */
function largestMargin() {
  let most = 0;
  for (let h = 0; h < hubs.count; h++) {
    const scores = hubs.score.subarray(hubs.start[h], hubs.start[h + 1]);
    most = Math.max(most, Math.max(...scores) - Math.min(...scores));
  }
  return most;
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
          make("p", { class: "answer" }, nobody(typed)),
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
