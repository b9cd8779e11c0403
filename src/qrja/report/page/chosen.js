// The contestants that are compared, and fields that find a contestant by name.

const MOST = Math.max(10, report.chosen.length);
let chosenOnes = report.chosen.length
  ? report.chosen.slice(0, MOST)
  : names
      .map((_, i) => i)
      .filter((i) => group[i] === 0)
      .slice(0, 5);

/** Offer names in a field's list while somebody types; call back with the contestant meant. */
function offerNames(field, list, found, missed) {
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    const offers = [];
    for (let i = 0; i < names.length && offers.length < 20; i++) {
      if (wanted && folded[i].includes(wanted)) offers.push(make("option", { value: names[i] }));
    }
    list.replaceChildren(...offers);
    if (numberOf.has(field.value)) found(numberOf.get(field.value));
  });
  field.addEventListener("change", () => {
    const i = findContestant(field.value);
    if (i >= 0) found(i);
    else if (field.value.trim()) missed(field.value.trim());
  });
}

/** Say that a name is not among those who are rated. */
const nobody = (typed) =>
  say("There is no “{typed}” here.", { typed });

function toggleChosen(i) {
  const was = chosenOnes.includes(i);
  if (!was && chosenOnes.length >= MOST) {
    byId("add-note").textContent = say("At most {most} at a time: remove one first.", { most: MOST });
    return;
  }
  chosenOnes = was ? chosenOnes.filter((j) => j !== i) : [...chosenOnes, i];
  byId("add-note").textContent = say(was ? "{name} removed." : "{name} added.", { name: names[i] });
  showChosen();
}

function showChosen() {
  byId("chips").replaceChildren(
    ...chosenOnes.map((i) =>
      make(
        "li",
        {},
        names[i],
        make(
          "button",
          {
            type: "button",
            "aria-label": say("Remove {name}", { name: names[i] }),
            onclick: () => toggleChosen(i),
          },
          "×",
        ),
      ),
    ),
  );
  for (const row of byId("board").tBodies[0].rows) {
    const mine = chosenOnes.includes(Number(row.dataset.contestant));
    const button = row.querySelector(".toggle");
    button.setAttribute("aria-pressed", String(mine));
    button.textContent = mine ? "✓" : "+";
  }
  showComparison();
}

function startChosen() {
  offerNames(
    byId("add"),
    byId("names-add"),
    (i) => {
      byId("add").value = "";
      if (!chosenOnes.includes(i)) toggleChosen(i);
      else byId("add-note").textContent = say("{name} is there already.", { name: names[i] });
    },
    (typed) => (byId("add-note").textContent = nobody(typed)),
  );
  showChosen();
}
