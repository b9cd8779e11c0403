"use strict";
/* The board is fetched again when something was written; without scripts, pages are as they were. */
{
  const board = document.getElementById("live");
  if (board && window.EventSource) {
    const news = document.getElementById("news");
    const listen = new EventSource("/feeds/events");
    listen.onmessage = async (message) => {
      const told = JSON.parse(message.data);
      const answer = await fetch(window.location.href);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live");
      if (fresh) board.replaceChildren(...fresh.childNodes);
      if (news) {
        news.textContent = told.said;
        news.hidden = false;
      }
    };
    window.addEventListener("pagehide", () => listen.close());
  }
}
