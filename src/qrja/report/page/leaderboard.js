// The leaderboard: searched, sorted, and written out a page at a time.

const PAGE = 50;
const hasIntervals = "low" in board;
const groupSizes = group.reduce((sizes, g) => sizes.set(g, (sizes.get(g) ?? 0) + 1), new Map());
const ranked = (i) => groupSizes.get(group[i]) > 1;
const state = { sort: "rank", down: false, search: "", group: 0, shown: PAGE };

/** The columns: title, what to sort by, whether the first click sorts from large to small. */
const columns = [
  {
    key: "rank",
    title: phrase("Rank"),
    by: (i) => board.rank[i],
    cell: (i) => (ranked(i) ? `${board.rank[i]}` : "–"),
  },
  hasIntervals && {
    key: "ranks",
    title: phrase("Rank range"),
    wide: true,
    by: (i) => board.rank_low[i] * 1e6 + board.rank_high[i],
    cell: (i) =>
      board.rank_low[i] === board.rank_high[i]
        ? `${board.rank_low[i]}`
        : `${board.rank_low[i]}–${board.rank_high[i]}`,
  },
  {
    key: "name",
    title: heading("candidate"),
    name: true,
    by: (i) => folded[i],
    cell: (i) => names[i],
  },
  {
    key: "rating",
    title: phrase("Rating"),
    down: true,
    by: (i) => board.rating[i],
    cell: (i) => (ranked(i) ? ratingCell(i) : "–"),
  },
  hasIntervals && {
    key: "bar",
    title: say("{level} interval", { level: localised(`${+(100 * report.level).toFixed(2)}%`) }),
    bar: true,
    down: true,
    by: (i) => board.high[i] - board.low[i],
    cell: (i) => (ranked(i) ? intervalBar(i) : ""),
  },
  {
    key: "contests",
    title: heading("events"),
    down: true,
    wide: true,
    by: (i) => board.contests[i],
    cell: (i) => board.contests[i].toLocaleString(report.language),
  },
  board.last && {
    key: "last",
    title: phrase("Last seen"),
    wide: true,
    down: true,
    by: (i) => lastHub[i],
    cell: (i) => make("span", { title: board.last[i] }, brief(called(writtenDate(board.last[i])))),
  },
].filter(Boolean);

const lastHub = names.map((_, i) => {
  const mine = entriesOf(i);
  return mine.length ? hubs.hub[mine[mine.length - 1]] : -1;
});

/** A rating; where there is no room for bars, with its interval in words below. */
function ratingCell(i) {
  const text = show(board.rating[i]).replace("-", "−");
  if (!hasIntervals) return text;
  const [low, high] = [board.low[i], board.high[i]].map((value) => show(value).replace("-", "−"));
  return [text, make("span", { class: "narrow" }, `${low} … ${high}`)];
}

/** The range of the bars: that of the intervals in sight, but for the widest few. */
let range = [-1, 1];

function fitRange(rows) {
  const among = rows.filter((i) => ranked(i));
  if (!hasIntervals || !among.length) return;
  const lows = among.map((i) => board.low[i]).sort((s, t) => s - t);
  const highs = among.map((i) => board.high[i]).sort((s, t) => t - s);
  const few = Math.floor(0.02 * among.length);
  if (highs[few] > lows[few]) range = [lows[few], highs[few]];
}

function intervalBar(i) {
  const across = (value) =>
    (100 * (Math.min(Math.max(value, range[0]), range[1]) - range[0])) / (range[1] - range[0]);
  const [low, high, at] = [across(board.low[i]), across(board.high[i]), across(board.rating[i])];
  const said = say("from {low} to {high}", { low: show(board.low[i]), high: show(board.high[i]) });
  const picture = make(
    "svg",
    { viewBox: "0 0 100 16", preserveAspectRatio: "none", role: "img", "aria-label": said },
    make("line", { class: "zero", x1: across(0), x2: across(0), y1: 0, y2: 16 }),
    make("rect", { class: "range", x: low, width: Math.max(high - low, 0.3), y: 5, height: 6 }),
    make("rect", {
      class: "point",
      x: Math.min(Math.max(at - 0.4, 0), 99.2),
      width: 0.8,
      y: 2,
      height: 12,
    }),
    board.low[i] < range[0] ? make("polygon", { class: "cut", points: "0,8 3,3 3,13" }) : null,
    board.high[i] > range[1] ? make("polygon", { class: "cut", points: "100,8 97,3 97,13" }) : null,
  );
  return make("span", { title: said }, picture);
}

function visibleRows() {
  const wanted = state.search.trim().toLowerCase();
  const rows = [];
  for (let i = 0; i < names.length; i++) {
    if (state.group >= 0 && group[i] !== state.group) continue;
    if (!wanted || folded[i].includes(wanted)) rows.push(i);
  }
  const { by } = columns.find((column) => column.key === state.sort);
  const values = new Map(rows.map((i) => [i, by(i)]));
  const sign = state.down ? -1 : 1;
  const compare = (s, t) => (s < t ? -1 : s > t ? 1 : 0);
  return rows.sort(
    (i, j) => sign * compare(values.get(i), values.get(j)) || group[i] - group[j] || i - j,
  );
}

function showBoard() {
  const rows = visibleRows();
  const shown = rows.slice(0, state.shown);
  fitRange(shown);
  byId("board").tBodies[0].replaceChildren(...shown.map(boardRow));
  for (const heading of byId("board").tHead.querySelectorAll("th[data-key]")) {
    const mine = heading.dataset.key === state.sort;
    heading.setAttribute("aria-sort", mine ? (state.down ? "descending" : "ascending") : "none");
  }
  byId("board-count").textContent =
    rows.length === names.length
      ? say("{who}", { who: rated(rows.length) })
      : say("{who} of {all}", { who: rated(rows.length), all: names.length });
  byId("more").hidden = rows.length <= shown.length;
  byId("more").textContent = say("Show more ({left})", { left: rows.length - shown.length });
}

const rated = (number) => counted(number, report.nouns.candidate);

function boardRow(i) {
  const chosen = chosenOnes.includes(i);
  const cells = columns.map((column) => {
    const kind = [column.name && nameClass(i), column.bar && "bar", column.wide && "wide"]
      .filter(Boolean)
      .join(" ");
    return make(
      column.name ? "th" : "td",
      { class: kind || undefined, scope: column.name ? "row" : undefined },
      column.cell(i),
    );
  });
  const toggle = make(
    "button",
    {
      type: "button",
      class: "toggle",
      "aria-pressed": String(chosen),
      "aria-label": say("Compare {name}", { name: names[i] }),
      title: phrase("Compare"),
      onclick: () => toggleChosen(i),
    },
    chosen ? "✓" : "+",
  );
  return make("tr", { "data-contestant": i }, cells, make("td", { class: "act" }, toggle));
}

function startBoard() {
  const headings = columns.map((column) => {
    const sort = () => {
      state.down = state.sort === column.key ? !state.down : Boolean(column.down);
      state.sort = column.key;
      showBoard();
    };
    const kind = [column.name && "name", column.bar && "bar", column.wide && "wide"]
      .filter(Boolean)
      .join(" ");
    return make(
      "th",
      { scope: "col", class: kind || undefined, "data-key": column.key },
      make("button", { type: "button", onclick: sort }, column.title),
    );
  });
  byId("board").tHead.replaceChildren(
    make(
      "tr",
      {},
      headings,
      make("th", { scope: "col", class: "act" }, make("span", { class: "unseen" }, phrase("Compare"))),
    ),
  );
  byId("search").addEventListener("input", (event) => {
    Object.assign(state, { search: event.target.value, shown: PAGE });
    showBoard();
  });
  byId("more").addEventListener("click", () => {
    state.shown += 4 * PAGE;
    showBoard();
  });
  startGroups();
  const what =
    units.kind === "ratio"
      ? "A ratio of two ratings is the exchange rate to expect."
      : "A difference of two ratings is the margin to expect; 0 is the average.";
  const shown = hasIntervals
    ? [
        make("span", { class: "wide" }, say("Bars show the interval, an arrow that it goes on.")),
        make("span", { class: "narrow" }, say("Small numbers are the ends of the interval.")),
      ]
    : [say("There are too few results for intervals.")];
  byId("board-note").replaceChildren(`${say(what)} `, ...shown);
  showBoard();
}

function startGroups() {
  const groups = [...groupSizes.entries()].filter(([, size]) => size > 1).slice(0, 100);
  if (groupSizes.size < 2) return;
  const leader = (g) => names[group.indexOf(g)];
  byId("group").append(
    ...groups.map(([g, size]) =>
      make(
        "option",
        { value: g },
        say("{leader} and {others}", { leader: leader(g), others: counted(size - 1, "other") }),
      ),
    ),
    make(
      "option",
      { value: -1 },
      say(either("all, although they never met", "all, although they were never compared")),
    ),
  );
  byId("group-label").hidden = false;
  byId("group").addEventListener("change", (event) => {
    Object.assign(state, { group: Number(event.target.value), shown: PAGE });
    showBoard();
  });
}
