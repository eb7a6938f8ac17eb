import { csrfToken } from "./csrf.js";

const PATIENCE = 30_000;

// Sends a form (or nothing, to an address) and gives {status, data}; status 0 where no answer of ours came back.
export async function send(address, form = null) {
  const body = new URLSearchParams(form ? new FormData(form) : {});
  body.delete("csrfmiddlewaretoken"); // may be from before the last sign-in; the header never is
  try {
    const answer = await fetch(address, {
      method: "POST",
      body,
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken() },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const ours = answer.headers.get("Content-Type")?.includes("json");
    return { status: answer.status, data: ours ? await answer.json() : null };
  } catch {
    return { status: 0, data: null };
  }
}
