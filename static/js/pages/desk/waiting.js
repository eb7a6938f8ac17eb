import { countIn, word } from "../../parts/words.js";

// In the bar: how many submits wait to be sent, and how many the server did not take; nothing typed goes silently.
export function showWaiting({ outbox, onSendNow }) {
  const waiting = document.getElementById("waiting");
  const refused = document.getElementById("refused");
  const dialog = document.getElementById("not-taken");

  function show() {
    const [count, refusals] = [outbox.waiting().length, outbox.refused()];
    waiting.hidden = !count;
    waiting.querySelector("span").textContent = countIn("waiting", count);
    refused.hidden = !refusals.length;
    refused.textContent = countIn("refused", refusals.length);
    if (dialog.open) list(refusals);
  }

  function list(refusals) {
    const made = refusals.map(entryOf);
    dialog.querySelector("[data-entries]").replaceChildren(...made);
    if (!made.length) dialog.close();
  }

  function entryOf(entry) {
    const part = document.getElementById("not-taken-entry").content.cloneNode(true).firstElementChild;
    const [name, why, text] = ["h3", "p", "textarea"].map((tag) => part.querySelector(tag));
    name.textContent = `${entry.label} · ${new Date(entry.at).toLocaleString(document.documentElement.lang)}`;
    why.textContent = entry.refused.detail || word("noReasonGiven");
    text.value = asText(entry);
    text.setAttribute("aria-label", name.textContent);
    part.querySelector("a").href = entry.address.replace(/skip\/$/, "");
    part.querySelector("[data-again]").addEventListener("click", () => {
      outbox.change(entry.id, { refused: null });
      onSendNow();
    });
    part.querySelector("[data-drop]").addEventListener("click", () => outbox.remove(entry.id));
    return part;
  }

  waiting.querySelector("button").addEventListener("click", onSendNow);
  refused.addEventListener("click", () => {
    dialog.showModal();
    list(outbox.refused());
  });
  outbox.onChange(show);
  show();
}

// What was typed, to be read and copied.
function asText({ body }) {
  const lines = [];
  for (const [name, value] of new URLSearchParams(body)) {
    if (name.startsWith("score.")) lines.push(`${name.slice("score.".length)}: ${value}`);
    if (name === "marks") for (const mark of JSON.parse(value)) lines.push(`${mark.type}: ${mark.quote} ${mark.note}`.trim());
    if (["rationale", "reason", "note"].includes(name) && value) lines.push(value);
  }
  return lines.join("\n");
}
