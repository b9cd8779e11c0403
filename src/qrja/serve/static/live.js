"use strict";
/* The board is fetched again when something was written, and while its intervals are older than its
   ratings; without scripts, pages are as they were. */
{
  const board = document.getElementById("live");
  if (board && window.EventSource) {
    const news = document.getElementById("news");
    const listen = new EventSource("/feeds/events");
    let wait = 1000, later = 0;
    const renew = async () => {
      const answer = await fetch(window.location.href).catch(() => null);
      if (!answer || !answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live");
      if (!fresh) return;
      board.replaceChildren(...fresh.childNodes);
      look("stale" in fresh.dataset);
    };
    const look = (stale) => {
      clearTimeout(later);
      if (stale) later = setTimeout(renew, wait);
      wait = stale ? Math.min(2 * wait, 60000) : 1000;
    };
    listen.onmessage = async (message) => {
      await renew();
      if (news) {
        news.textContent = JSON.parse(message.data).said;
        news.hidden = false;
      }
    };
    look("stale" in board.dataset);
    window.addEventListener("pagehide", () => listen.close());
  }
}
