// Charts: vega-lite, with expressions interpreted and not compiled, as the page's policy asks.

const views = new Map();
let printing = false;

/** The colours of the page as they are now; on paper it is always light. */
function theme() {
  const style = getComputedStyle(document.documentElement);
  const dark = !printing && matchMedia("(prefers-color-scheme: dark)").matches;
  const colour = (name, light) => (printing ? light : style.getPropertyValue(name).trim() || light);
  return {
    dark,
    text: colour("--text", "#1c2430"),
    quiet: colour("--quiet", "#5a6675"),
    line: colour("--line", "#dde2e8"),
    accent: colour("--accent", "#0b62a8"),
  };
}

const LINES = {
  light: [
    "#0b62a8",
    "#d9480f",
    "#15803d",
    "#7e22ce",
    "#db2777",
    "#0e7490",
    "#6b7280",
    "#854d0e",
    "#65a30d",
    "#111827",
  ],
  dark: [
    "#7cbcf2",
    "#ff9a5c",
    "#74d29a",
    "#c99af5",
    "#f78fbd",
    "#67d3e8",
    "#b3c0cf",
    "#d9b26a",
    "#c6e04a",
    "#ffffff",
  ],
};

function chartConfig() {
  const { dark, text, quiet, line, accent } = theme();
  const font = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif";
  return {
    background: null,
    aria: false, // the element around it is one picture with one label
    font,
    view: { stroke: null },
    axis: {
      labelColor: quiet,
      titleColor: quiet,
      gridColor: line,
      domainColor: line,
      tickColor: line,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: "normal",
      labelLimit: 160,
    },
    legend: {
      labelColor: text,
      labelFontSize: 12,
      labelLimit: 180,
      symbolType: "stroke",
      symbolStrokeWidth: 3,
    },
    range: { category: LINES[dark ? "dark" : "light"] },
    bar: { color: accent },
    rule: { color: accent },
    point: { color: accent },
  };
}

/** How axes write numbers, and the months of dates. */
function chartLocale() {
  const { marks } = report.words;
  const named = (day, part, length) =>
    day.toLocaleDateString(report.language, { timeZone: "UTC", [part]: length });
  const months = [...Array(12).keys()].map((k) => new Date(Date.UTC(2024, k, 1)));
  const days = [...Array(7).keys()].map((k) => new Date(Date.UTC(2024, 0, 7 + k)));
  return {
    number: { decimal: marks["."], thousands: marks[","], grouping: [3], currency: ["", ""] },
    time: {
      dateTime: "%x, %X",
      date: "%Y-%m-%d",
      time: "%H:%M:%S",
      periods: ["AM", "PM"],
      days: days.map((day) => named(day, "weekday", "long")),
      shortDays: days.map((day) => named(day, "weekday", "short")),
      months: months.map((day) => named(day, "month", "long")),
      shortMonths: months.map((day) => named(day, "month", "short")),
    },
  };
}

/** Draw a chart into an element when it comes near the screen, in place of the one that is there. */
function draw(element, description, build) {
  forget(element);
  views.set(element, { build });
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", description);
  element.style.minHeight = `${build(element.clientWidth).height}px`;
  nearby.observe(element);
}

/** Take a chart away. */
function forget(element) {
  views.get(element)?.view?.finalize();
  views.delete(element);
  nearby.unobserve(element);
}

const nearby = new IntersectionObserver(
  (seen) => seen.filter((one) => one.isIntersecting).forEach((one) => paint(one.target)),
  { rootMargin: "400px" },
);

function paint(element) {
  const chart = views.get(element);
  nearby.unobserve(element);
  const width = element.clientWidth;
  if (!chart || !width) return;
  chart.view?.finalize();
  const spec = {
    width,
    autosize: { type: "fit", contains: "padding" },
    ...chart.build(width),
    config: chartConfig(),
  };
  chart.view = new vega.View(vega.parse(vegaLite.compile(spec).spec, null, { ast: true }), {
    expr: vegaInterpreter.expressionInterpreter,
    renderer: "svg",
    locale: chartLocale(),
    hover: true,
    loader: { load: refuse, sanitize: refuse },
  });
  chart.width = width;
  element.replaceChildren();
  chart.view.initialize(element).run();
}

/** Nothing in a chart may load anything; the page's policy forbids it as well. */
const refuse = () => Promise.reject(new Error("a report loads nothing"));

/** Draw the charts again, for other colours or another width; all of them for paper. */
function redraw(needed) {
  for (const [element, chart] of views) if (needed(chart, element)) paint(element);
}

let waiting = 0;
addEventListener("resize", () => {
  clearTimeout(waiting);
  waiting = setTimeout(
    () => redraw((chart, element) => chart.view && element.clientWidth !== chart.width),
    150,
  );
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () =>
  redraw((chart) => chart.view),
);
addEventListener("beforeprint", () => {
  printing = true;
  redraw(() => true);
});
addEventListener("afterprint", () => {
  printing = false;
  redraw((chart) => chart.view);
});
