import { word } from "./words.js";

// Says something where the server's messages stand; a screen reader hears it.
export function notify(text, level = "alarm") {
  const place = document.getElementById("messages");
  const list = place.querySelector(".messages") ?? place.appendChild(element("div", "messages"));
  const notice = element("div", `notice ${level}`);
  notice.append(element("p", "", text));
  list.replaceChildren(notice);
}

export function forget() {
  document.getElementById("messages").replaceChildren();
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

export function notifyOfHtmxFailures() {
  document.addEventListener("htmx:sendError", () => notify(word("unreachable")));
  document.addEventListener("htmx:responseError", (event) => {
    const { status } = event.detail.xhr;
    notify(word(status === 401 || status === 403 ? "signedOut" : "failed"));
  });
}
