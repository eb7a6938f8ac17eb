// The lease of a case lasts as long as its expert is at work on the page: renewed by activity, at most each minute.
import { csrfToken } from "../../parts/csrf.js";
import { notify } from "../../parts/notices.js";
import { showLocalTimes } from "../../parts/times.js";
import { word } from "../../parts/words.js";

const EVERY = 60_000;

async function renew(url) {
  const answer = await fetch(url, { method: "POST", headers: { "X-CSRFToken": csrfToken() }, redirect: "manual" });
  if (answer.ok) {
    const time = document.querySelector(".lease time");
    time.dateTime = (await answer.json()).expires_at;
    showLocalTimes(time.parentElement);
  } else if (answer.status === 409) {
    notify((await answer.json()).detail);
  } else {
    notify(word("signedOut"));
  }
}

export function renewWhileActive(url) {
  let last = Date.now();
  const active = () => {
    if (Date.now() - last < EVERY) return;
    last = Date.now();
    renew(url).catch(() => {}); // no connection just now: asked again with the next activity
  };
  for (const name of ["keydown", "pointerdown", "wheel"]) document.addEventListener(name, active, { passive: true });
}
