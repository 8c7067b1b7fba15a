// Comfort for pages that work without it: files can be dropped on a form, and what is in work is
// shown anew by itself.
"use strict";

for (const form of document.querySelectorAll("form.drop")) {
  const input = form.querySelector("input[type=file]");
  const over = (event) => {
    event.preventDefault();
    form.classList.toggle("over", event.type === "dragover");
  };
  form.addEventListener("dragover", over);
  form.addEventListener("dragleave", over);
  form.addEventListener("drop", (event) => {
    over(event);
    if (event.dataTransfer.files.length > 0) {
      input.files = event.dataTransfer.files;
    }
  });
  form.addEventListener("submit", () => {
    // A second click would send it twice.
    setTimeout(() => { form.querySelector("button").disabled = true; });
  });
}

// Parts of the page that change: they have an id, and say after how many seconds to look again.
async function refresh(part) {
  const seconds = Number(part.dataset.refresh);
  if (!seconds) return;
  await new Promise((done) => setTimeout(done, 1000 * seconds));
  let next = part;
  try {
    // Nobody looks: the server need not work.
    if (document.visibilityState === "visible" && !part.contains(document.activeElement)) {
      const answer = await fetch(location.href, {
        // The server does not take it for a use of the session.
        headers: { accept: "text/html", "x-refresh": "1" },
      });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const found = answer.ok && page.getElementById(part.id);
      if (found) {
        next = document.importNode(found, true);
        part.replaceWith(next);
      }
    }
  } catch {
    // The server is away: look again later.
  }
  refresh(next);
}

document.querySelectorAll("[data-refresh]").forEach(refresh);
