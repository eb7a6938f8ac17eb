// That something is wrong with the scenario is said in a dialog, whose form comes when it is asked for, and is sent by
// itself: the rating beside it stays as it is typed.
import { notify } from "../../parts/notices.js";
import { fieldsOf, send } from "../../parts/sending.js";
import { word } from "../../parts/words.js";

export function flagScenarios({ person, say, onSignedOut }) {
  const headers = { "Concord-Person": person };
  const dialog = document.body.appendChild(document.createElement("dialog"));
  dialog.setAttribute("aria-labelledby", "flagging-title");
  let asking = false;

  document.addEventListener("click", async (event) => {
    const opener = event.target.closest("[data-flags]");
    if (!opener || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const data = await ask(opener.href, null, "GET", (told) => notify(told));
    if (!data) return;
    dialog.replaceChildren(...new DOMParser().parseFromString(data.form, "text/html").body.childNodes);
    dialog.showModal();
  });

  dialog.addEventListener("submit", async (event) => {
    event.preventDefault();
    const [form, button] = [event.target, event.submitter];
    const fields = fieldsOf(form);
    if (button?.name) fields.append(button.name, button.value);
    const data = await ask(form.action, fields, "POST", (told) => (form.querySelector("#flag-error").textContent = told));
    if (!data) return;
    dialog.close();
    notify(data.said, "");
    say(data.said);
  });

  async function ask(address, sent, method, tell) {
    if (asking) return null;
    asking = true;
    const { status, data } = await send(address, sent, { method, headers });
    asking = false;
    if (status === 200) return data;
    tell(data?.detail ?? word(status ? "failed" : "unreachable"));
    if (status === 401) onSignedOut(data);
    return null;
  }
}
