// Three views of the chosen contestants: over time, tomorrow, and head to head.

/** The heading of those who are rated. */
const whose = () => heading("candidate");

function showComparison() {
  showHistory();
  showForecast();
  showMeetings();
}

// ---------------------------------------------------------------------- over time

function showHistory() {
  const { history } = report;
  byId("over-time").hidden = !history || !chosenOnes.length;
  if (byId("over-time").hidden) return;
  byId("over-time-note").textContent = history.moves
    ? say("The strength at each time, as all results until today have it; a point wherever there is a result.")
    : say(
        either(
          "What the rating was after the contests so far; a point wherever a contestant took part. 0 is the average of those seen by then.",
          "What the rating was after the {events} so far; a point wherever there is a result. 0 is the average of those seen by then.",
        ),
      );
  const values = chosenOnes.flatMap((i) =>
    history.point[i].map((point, k) => ({
      who: names[i],
      at: Date.parse(history.when[point]),
      when: writtenDate(history.when[point]),
      rating: drawn.of(history.rating[i][k]),
      shown: show(history.rating[i][k]),
    })),
  );
  const order = chosenOnes.map((i) => names[i]);
  draw(
    byId("over-time-chart"),
    say("Lines of the ratings of {names} over time; the table below holds the numbers.", {
      names: listed(order),
    }),
    (width) => ({
      height: width < 500 ? 260 : 320,
      data: { values },
      mark: { type: "line", point: { size: 28 }, strokeWidth: 2, interpolate: "step-after" },
      encoding: {
        x: {
          field: "at",
          type: "temporal",
          title: null,
          axis: { grid: false, tickCount: width < 500 ? 4 : 8, format: dateFormats() },
        },
        y: {
          field: "rating",
          type: "quantitative",
          title: drawn.title,
          scale: drawn.log ? { type: "log" } : { zero: false },
        },
        color: {
          field: "who",
          type: "nominal",
          sort: order,
          legend: { title: null, orient: "bottom", columns: Math.max(1, Math.floor(width / 190)) },
        },
        tooltip: [
          { field: "who", title: whose() },
          { field: "when", title: phrase("When") },
          { field: "shown", title: phrase("Rating") },
        ],
      },
    }),
  );
  const points = [...new Set(chosenOnes.flatMap((i) => history.point[i]))].sort((s, t) => s - t);
  const value = (i, point) => {
    const k = history.point[i].indexOf(point);
    return k < 0 ? "" : show(history.rating[i][k]);
  };
  byId("over-time-table").replaceChildren(
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "col", class: "name" }, phrase("When")),
        order.map((name) => make("th", { scope: "col" }, name)),
      ),
    ),
    make(
      "tbody",
      {},
      points.map((point) =>
        make(
          "tr",
          {},
          make("th", { scope: "row", class: "name" }, writtenDate(history.when[point])),
          chosenOnes.map((i) => make("td", {}, value(i, point))),
        ),
      ),
    ),
  );
}

// ---------------------------------------------------------------------- tomorrow

function showForecast() {
  const [chart, table, margins] = [
    byId("forecast-chart"),
    byId("forecast-table"),
    byId("margins-table"),
  ];
  const field = chosenOnes.filter((i) => group[i] === group[chosenOnes[0]]);
  const others = chosenOnes.filter((i) => !field.includes(i));
  const possible = report.noise && field.length > 1;
  for (const element of [chart, table, byId("margins-details")]) element.hidden = !possible;
  const apart = others.length
    ? [
        say("{names} cannot be compared with {other}: nothing joins them.", {
          names: listed(others.map((i) => names[i])),
          other: names[field[0]],
        }),
      ]
    : [];
  if (!possible) {
    forget(chart);
    const why = report.noise
      ? either("Choose at least two who can be compared.", "Choose at least two that can be compared.")
      : either(
          "Nobody met twice, not even through others, so nothing tells how far results stray from ratings.",
          "Nothing was compared twice, not even through others, so nothing tells how far results stray from ratings.",
        );
    byId("forecast-note").textContent = [say(why), ...apart].join(" ");
    return;
  }
  const { judged } = report.nouns;
  const learned = report.noise.errors
    ? judged
      ? "Learned from {errors}, each predicted from all others."
      : "Learned from {errors}, each predicted from those before it."
    : "From the spread around the ratings: too few results to learn from predictions of them.";
  byId("forecast-note").textContent = [
    say(learned, { errors: counted(report.noise.errors, judged ? "judgment" : "past result") }),
    phrase(
      "Points are expected results relative to the field, bars hold about two thirds of what may happen. Place and margin are what to expect on average.",
    ),
    ...apart,
  ].join(" ");
  const told = forecast(field);
  const order = field.map((_, s) => s).sort((s, t) => told.place[s] - told.place[t] || s - t);
  const values = order.map((s) => ({
    who: names[field[s]],
    at: drawn.of(told.expected[s]),
    low: drawn.of(told.expected[s] - told.spread[s]),
    high: drawn.of(told.expected[s] + told.spread[s]),
    shown: signed(told.expected[s]),
    win: chance(told.win[s]),
  }));
  draw(
    chart,
    say("Expected results of {names}; the table below holds the numbers.", {
      names: listed(values.map((one) => one.who)),
    }),
    () => ({
      height: 28 * values.length + 40,
      data: { values },
      encoding: {
        y: {
          field: "who",
          type: "nominal",
          sort: values.map((one) => one.who),
          title: null,
          axis: { ticks: false, domain: false },
        },
        x: {
          type: "quantitative",
          axis: { tickCount: 6 },
          title: drawn.field,
          scale: drawn.log ? { type: "log" } : undefined,
        },
        tooltip: [
          { field: "who", title: whose() },
          { field: "shown", title: phrase("Expected") },
          { field: "win", title: phrase("Wins") },
        ],
      },
      layer: [
        {
          mark: { type: "rule", strokeWidth: 6, opacity: 0.35, strokeCap: "round" },
          encoding: { x: { field: "low" }, x2: { field: "high" } },
        },
        {
          mark: { type: "point", filled: true, size: 90, opacity: 1 },
          encoding: { x: { field: "at" } },
        },
      ],
    }),
  );
  const first = order[0];
  const mean = field.reduce((sum, i) => sum + board.rating[i], 0) / field.length;
  table.replaceChildren(
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        [
          whose(),
          phrase("Wins"),
          phrase("Place"),
          phrase("Margin"),
          ...(report.usual ? [phrase("Predicted score")] : []),
        ].map((title, k) => make("th", { scope: "col", class: k ? undefined : "name" }, title)),
      ),
    ),
    make(
      "tbody",
      {},
      order.map((s) =>
        make(
          "tr",
          { "data-contestant": field[s] },
          make("th", { scope: "row", class: nameClass(field[s]) }, names[field[s]]),
          make("td", {}, chance(told.win[s])),
          make("td", {}, localised(told.place[s].toFixed(1))),
          make(
            "td",
            {},
            s === first ? phrase("favourite") : signed(told.expected[s] - told.expected[first]),
          ),
          report.usual ? make("td", {}, scoreCell(mean + told.expected[s])) : null,
        ),
      ),
    ),
  );
  const largest = Math.max(
    ...order.flatMap((s) => order.map((t) => Math.abs(told.expected[s] - told.expected[t]))),
  );
  matrix(
    margins,
    order.map((s) => field[s]),
    (r, c) => {
      const margin = told.expected[order[r]] - told.expected[order[c]];
      return {
        margin,
        largest,
        text: signed(margin),
        small: say("wins {chance}", { chance: chance(told.beats[order[r]][order[c]]) }),
      };
    },
  );
}

/** A score as the table has it, from the usual level of contests. */
function scoreCell(expected) {
  const value = report.usual + expected;
  return show(units.lower_is_better ? -value : value).replace(/^\+/, "");
}

// ---------------------------------------------------------------------- head to head

function showMeetings() {
  const found = chosenOnes.map((i) => chosenOnes.map((j) => (i === j ? null : meet(i, j))));
  const largest = Math.max(
    0,
    ...found
      .flat()
      .filter((one) => one && one.count)
      .map((one) => Math.abs(one.mean)),
  );
  const any = found.flat().some((one) => one && one.count);
  byId("meetings-note").textContent = any
    ? say(
        either(
          "By how much the row was better than the column on average, and in how many contests they met.",
          "By how much the row was better than the column on average, and in how many {events}.",
        ),
      )
    : say(
        either(
          "None of them ever met in one contest.",
          "No two of them were ever compared directly.",
        ),
      );
  byId("meetings-table").hidden = !any;
  matrix(byId("meetings-table"), chosenOnes, (r, c) => {
    const one = found[r][c];
    return one.count
      ? {
          margin: one.mean,
          largest,
          text: signed(one.mean),
          small: `${one.count.toLocaleString(report.language)} ×`,
        }
      : { margin: 0, largest, text: "–", small: "" };
  });
}

/** The mean margin of i over j, and how often they met. */
function meet(i, j) {
  const met = meetingsOf(hubs.score, i, j);
  const sum = met.reduce((total, [e, f]) => total + hubs.score[e] - hubs.score[f], 0);
  return { count: met.length, mean: met.length ? sum / met.length : 0 };
}

/** Fill a table of every two: rows against columns, shaded by the margin. */
function matrix(table, who, cell) {
  const shade = (margin, largest) => {
    const level = largest > 0 ? Math.ceil((3 * Math.abs(margin)) / largest) : 0;
    return level ? `${margin > 0 ? "plus" : "minus"}${Math.min(level, 3)}` : undefined;
  };
  const row = (i, r) =>
    who.map((_, c) => {
      if (r === c) return make("td", {}, "");
      const { margin, largest, text, small } = cell(r, c);
      return make(
        "td",
        { class: shade(margin, largest) },
        text,
        small ? make("small", {}, small) : null,
      );
    });
  table.replaceChildren(
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td", { class: "name" }),
        who.map((i) => make("th", { scope: "col", title: names[i] }, names[i])),
      ),
    ),
    make(
      "tbody",
      {},
      who.map((i, r) =>
        make("tr", {}, make("th", { scope: "row", class: nameClass(i) }, names[i]), row(i, r)),
      ),
    ),
  );
}
