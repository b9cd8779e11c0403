"use strict";
/* A code that came with a link is used and leaves the address; keys and the slider say what they do.
   Without scripts, codes are typed and forms are sent as they are. */

/* Keys count as soon as there is a form, before its page is whole: who answers fast loses none. */
document.addEventListener("keydown", (event) => {
  const vote = document.getElementById("vote");
  if (!vote || event.target.matches("textarea, input:not([type=radio])")) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const chosen = vote.querySelectorAll("input[name=grade]")[Number(event.key) - 1];
  if (chosen) {
    chosen.checked = true;
    chosen.focus();
  } else if (event.key === "?") {
    const cannot = vote.querySelector("[name=cannot]");
    if (cannot) vote.requestSubmit(cannot);
  }
});

document.addEventListener("DOMContentLoaded", () => {
  const door = document.getElementById("door");
  const code = window.location.hash.slice(1);
  if (door && code) {
    window.history.replaceState(null, "", window.location.pathname);
    document.getElementById("code").value = decodeURIComponent(code);
    door.requestSubmit();
  }

  const place = document.getElementById("place");
  if (place) {
    const said = document.getElementById("said");
    const tell = () => {
      const value = Number(place.value);
      const better = value < 0 ? place.dataset.one : place.dataset.two;
      said.value = value === 0 ? "the middle: the same" : `${better} better by ${Math.abs(value)}`;
      place.setAttribute("aria-valuetext", said.value);
    };
    place.addEventListener("input", tell);
    tell();
  }

  const hint = document.getElementById("keys");
  if (hint && document.querySelector("#vote input[name=grade]")) hint.hidden = false;
});

/* A form is sent once, however often it is asked to. */
document.addEventListener("submit", (event) => {
  if (event.target.id !== "vote") return;
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => delete document.getElementById("vote")?.dataset.sent);
