import { csrfToken, renewCsrfToken } from "./csrf.js";

const PATIENCE = 30_000;

// Sends a form (or URLSearchParams, or an object as JSON, or nothing) to an address and gives {status, data}; status 0
// where no answer of ours came back. A token that is missing or from before the last sign-in is mended on the way.
export async function send(address, sent = null, more = {}) {
  const answer = await sendOnce(address, sent, more);
  const stale = answer.status === 403 && (!answer.data || /^CSRF/.test(answer.data.detail));
  if (!stale || more.keepalive) return answer;
  await renewCsrfToken();
  return sendOnce(address, sent, more);
}

async function sendOnce(address, sent, { method = "POST", headers = {}, keepalive = false }) {
  const { body, type } = bodyOf(sent);
  const content = body === null || body instanceof URLSearchParams ? {} : { "Content-Type": type };
  try {
    const answer = await fetch(address, {
      method,
      body,
      keepalive,
      headers: { Accept: "application/json", "X-CSRFToken": csrfToken(), ...content, ...headers },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const ours = answer.headers.get("Content-Type")?.includes("json");
    const data = ours ? await answer.json() : null;
    return { status: answer.ok && !data ? 0 : answer.status, data }; // a page in the place of an answer: some gateway's
  } catch {
    return { status: 0, data: null };
  }
}

function bodyOf(sent) {
  if (sent !== null && !(sent instanceof HTMLFormElement) && !(sent instanceof URLSearchParams)) {
    return { body: JSON.stringify(sent), type: "application/json" };
  }
  return { body: sent instanceof URLSearchParams || sent === null ? sent : fieldsOf(sent) };
}

// What a form holds, without its token: that may be from before the last sign-in; the header never is.
export function fieldsOf(form) {
  const fields = new URLSearchParams(new FormData(form));
  fields.delete("csrfmiddlewaretoken");
  return fields;
}
