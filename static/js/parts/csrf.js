// The token stands in a cookie that Django renews at each sign-in, so it is read when it is needed, never kept.
export function csrfToken() {
  const found = document.cookie.match(/(?:^|;\s*)csrftoken=([^;]+)/);
  return found ? decodeURIComponent(found[1]) : "";
}

// htmx sends the token as a header; the one in a form's field may be from before the last sign-in.
export function signHtmxRequests() {
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-CSRFToken"] = csrfToken();
    event.detail.formData.delete("csrfmiddlewaretoken");
  });
}
