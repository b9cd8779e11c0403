"use strict";
/* A code that came with a link is used and leaves the address; keys and the slider say what they do.
   Without scripts, codes are typed and forms are sent as they are. */
{
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

  const vote = document.getElementById("vote");
  if (vote) {
    const grades = [...vote.querySelectorAll("input[name=grade]")];
    const hint = document.getElementById("keys");
    if (hint && grades.length) hint.hidden = false;
    document.addEventListener("keydown", (event) => {
      const typing = event.target.matches("textarea, input:not([type=radio])");
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const chosen = grades[Number(event.key) - 1];
      if (chosen) {
        chosen.checked = true;
        chosen.focus();
      } else if (event.key === "?") {
        vote.requestSubmit(vote.querySelector("[name=cannot]"));
      }
    });
    vote.addEventListener("submit", (event) => {
      if (vote.dataset.sent) event.preventDefault();
      vote.dataset.sent = "yes";
    });
    window.addEventListener("pageshow", () => delete vote.dataset.sent);
  }
}
