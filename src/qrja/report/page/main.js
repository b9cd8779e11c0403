// Start: the leaderboard at once, the rest as soon as it is drawn.

function showBacktest() {
  const { backtest } = report;
  if (!backtest) return;
  const places = Object.entries(backtest.metrics).map(([title, lines]) => {
    const chart = make("div", { class: "chart" });
    const table = make(
      "table",
      {},
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          ["Method", "Value", "Standard error"].map((text, k) =>
            make("th", { scope: "col", class: k ? undefined : "name" }, phrase(text)),
          ),
        ),
      ),
      make(
        "tbody",
        {},
        lines.map((line) =>
          make(
            "tr",
            {},
            make("th", { scope: "row", class: "name" }, line.ranker),
            make("td", {}, localised(line.value.toFixed(4))),
            make("td", {}, line.error === null ? "" : localised(line.error.toFixed(4))),
          ),
        ),
      ),
    );
    byId("backtest-charts").append(
      make(
        "div",
        { class: "panel" },
        make("h3", {}, phrase(title)),
        chart,
        make(
          "details",
          {},
          make("summary", {}, phrase("The same as a table")),
          make("div", { class: "scroll" }, table),
        ),
      ),
    );
    return { title, lines, chart };
  });
  for (const { title, lines, chart } of places) drawBars(chart, title, lines);
}

function drawBars(chart, title, lines) {
  const accuracy = title.startsWith("Pairs");
  // Bars begin at what takes no method: a coin for the order, no margin for the margins.
  const base = accuracy ? 0.5 : 1;
  const values = lines.map(({ ranker, value, error }) => ({
    ranker,
    value,
    base,
    low: value - (error ?? 0),
    high: value + (error ?? 0),
  }));
  draw(
    chart,
    `${phrase(title)}: ${values.map((one) => `${one.ranker} ${localised(one.value.toFixed(3))}`).join(", ")}`,
    () => ({
      height: 26 * values.length + 40,
      data: { values },
      encoding: {
        y: {
          field: "ranker",
          type: "nominal",
          sort: values.map((one) => one.ranker),
          title: null,
          axis: { ticks: false, domain: false, labelPadding: 6 },
        },
        x: {
          type: "quantitative",
          axis: { tickCount: 6 },
          scale: { zero: false },
          title: say(
            accuracy ? "share of pairs (0.5 is a coin)" : "1 is predicting none; less is better",
          ),
        },
      },
      layer: [
        {
          mark: { type: "bar", height: 14, opacity: 0.55 },
          encoding: {
            x: { field: "base" },
            x2: { field: "value" },
            tooltip: [
              { field: "ranker", title: phrase("Method") },
              { field: "value", format: ".4f", title: phrase("Value") },
            ],
          },
        },
        { mark: { type: "rule", color: theme().quiet }, encoding: { x: { datum: base }, y: null } },
        {
          mark: { type: "rule", strokeWidth: 2 },
          encoding: { x: { field: "low" }, x2: { field: "high" } },
        },
      ],
    }),
  );
}

function startRest() {
  startChosen();
  startWhy();
  showBacktest();
  panel.dataset.ready = "yes";
  document.documentElement.dataset.ready = "yes";
}

for (const element of panel.querySelectorAll(".needs-script")) element.hidden = false;
startBoard();
if (atOnce) {
  // For paper, which has begun: what listens to that from now on is too late.
  startRest();
  printing = true;
  redraw(() => true);
} else setTimeout(startRest, 0);
