// That something is wrong with the scenario is sent by itself: the rating beside it stays as it is typed.
import { notify } from "../../parts/notices.js";
import { fieldsOf, send } from "../../parts/sending.js";
import { word } from "../../parts/words.js";

export function flagScenarios({ person, say, onSignedOut }) {
  let sending = false;

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.id !== "flag-form") return;
    event.preventDefault();
    if (sending) return;
    sending = true;
    const fields = fieldsOf(form);
    if (event.submitter?.name) fields.append(event.submitter.name, event.submitter.value);
    const { status, data } = await send(form.action, fields, { headers: { "Concord-Person": person } });
    sending = false;
    if (status === 200) taken(form, data);
    else form.querySelector("#flag-error").textContent = data?.detail ?? word(status ? "failed" : "unreachable");
    if (status === 401) onSignedOut(data);
  });

  function taken(form, { said, flagged }) {
    form.closest("dialog").close();
    form.querySelector("#flag-error").textContent = "";
    form.querySelector("[name=take_back]").hidden = !flagged;
    const chip = document.getElementById("flagged");
    if (chip && form.isConnected) chip.hidden = !flagged;
    if (!flagged) empty(form);
    notify(said, "");
    say(said);
  }

  function empty(form) {
    for (const choice of form.querySelectorAll(":checked")) choice.checked = false;
    form.querySelector("[name=note]").value = "";
  }
}
