// Tabs: one category at a time. Without this script, and on paper, they stand below each other.

const panels = [...document.querySelectorAll(".category")];
const tabs = [...document.querySelectorAll(".tabs a")];
const opened = new Set();

/** Fill a category, when it is first looked at. */
function open(k, atOnce) {
  if (opened.has(k)) return;
  opened.add(k);
  fillPanel(panels[k], atOnce);
}

function choose(k) {
  panels.forEach((panel, i) => (panel.hidden = i !== k));
  tabs.forEach((tab, i) => {
    tab.setAttribute("aria-selected", String(i === k));
    tab.tabIndex = i === k ? 0 : -1;
  });
  open(k, false);
}

/** The category that an address such as #category-2 or #why-2 leads to; else the first. */
function addressed() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  return Math.max(
    panels.findIndex((panel) => panel.contains(target)),
    0,
  );
}

function startTabs() {
  tabs[0].parentElement.setAttribute("role", "tablist");
  tabs.forEach((tab, k) => {
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panels[k].id);
    panels[k].setAttribute("role", "tabpanel");
    panels[k].setAttribute("aria-labelledby", tab.id);
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      history.replaceState(null, "", tab.hash);
      choose(k);
    });
  });
  tabs[0].parentElement.addEventListener("keydown", (event) => {
    const at = tabs.indexOf(document.activeElement);
    const last = tabs.length - 1;
    const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: last };
    const next = step[event.key];
    if (at < 0 || next === undefined) return;
    event.preventDefault();
    tabs[(next + tabs.length) % tabs.length].focus();
    tabs[(next + tabs.length) % tabs.length].click();
  });
  addEventListener("hashchange", () => choose(addressed()));
}

// Listed before the charts' own, so that these find all categories in sight.
addEventListener("beforeprint", () => {
  panels.forEach((panel, k) => {
    panel.hidden = false;
    open(k, true);
  });
});
addEventListener("afterprint", () => {
  if (tabs.length) choose(tabs.findIndex((tab) => tab.tabIndex === 0));
});
if (tabs.length) startTabs();
choose(tabs.length ? addressed() : 0);
