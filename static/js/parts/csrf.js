// The token stands in a cookie that Django renews at each sign-in, so it is read when it is needed, never kept.
export function csrfToken() {
  const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
  return found ? decodeURIComponent(found[1]) : "";
}

// Any page with a form sets the cookie anew; a signed-out reader is led to the sign-in page, which is one.
export async function renewCsrfToken() {
  try {
    await fetch(location.pathname, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(10_000) });
  } catch {
    // no network: whoever asked will find out
  }
}

// htmx sends the token as a header; the one in a form's field may be from before the last sign-in.
export function signHtmxRequests() {
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-CSRFToken"] = csrfToken();
    event.detail.formData.delete("csrfmiddlewaretoken");
  });
}
