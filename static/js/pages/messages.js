// Tells the server what was read: a thread once it is before the reader's eyes, a folded message once it is unfolded.
// Without a script each has a button for it.
import { csrfToken } from "../parts/csrf.js";

async function read(form) {
  if (form.hidden) return;
  form.hidden = true;
  const headers = { Accept: "application/json", "X-CSRFToken": csrfToken() };
  try {
    const answer = await fetch(form.action, { method: "POST", headers, body: new FormData(form) });
    form.hidden = answer.status === 204;
  } catch {
    form.hidden = false;
  }
}

function whenVisible(act) {
  if (document.visibilityState === "visible") act();
  else document.addEventListener("visibilitychange", () => whenVisible(act), { once: true });
}

for (const form of document.querySelectorAll("form[data-reads]")) {
  const fold = form.closest("details");
  if (fold) fold.addEventListener("toggle", () => fold.open && read(form));
  else whenVisible(() => read(form));
}
