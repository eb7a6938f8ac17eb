import { send } from "../../parts/sending.js";
import { isTextField } from "../../parts/keys.js";
import { word } from "../../parts/words.js";

// The session is over: the same person's password is asked for in place, and what waited goes on.
export function signInPlace({ onSignedIn }) {
  const dialog = document.getElementById("sign-in");
  const form = dialog.querySelector("form");
  const password = form.elements.namedItem("password");
  const problem = document.getElementById("sign-in-error");
  let asking = false;

  function ask() {
    if (dialog.open) return;
    problem.textContent = "";
    password.value = "";
    for (const other of document.querySelectorAll("dialog[open]")) other.close();
    dialog.showModal();
    password.focus();
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (asking) return;
    asking = true;
    problem.textContent = "";
    const { status, data } = await send(form.action, form, { headers: { "X-Requested-With": "XMLHttpRequest" } });
    asking = false;
    if (status === 200) {
      password.value = "";
      dialog.close();
      onSignedIn();
      return;
    }
    problem.textContent = whyNot(status, data);
    password.select();
    password.focus();
  });

  return {
    ask,
    // Whoever types is not interrupted: the notice beside the form has a button that asks.
    offer: () => isTextField(document.activeElement) || document.querySelector("dialog[open]") || ask(),
  };
}

function whyNot(status, data) {
  if (status === 429) return word("tooManyTries");
  if (status === 0) return word("unreachable");
  const fields = Object.values(data?.form?.fields ?? {}).flatMap((field) => field.errors);
  return [...(data?.form?.errors ?? []), ...fields].join(" ") || word("failed");
}
