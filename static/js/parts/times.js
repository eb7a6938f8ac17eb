// Times are sent in UTC and shown in the reader's zone and language: <time datetime data-show="time|date|datetime">.
const SHAPES = {
  time: { timeStyle: "short" },
  date: { dateStyle: "medium" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
};

// The page's language, in the reader's own region where the browser names one.
function locale() {
  const language = document.documentElement.lang;
  const sameLanguage = (tag) => tag.split("-")[0] === language.split("-")[0];
  return navigator.languages.find(sameLanguage) ?? language;
}

export function showLocalTimes(root) {
  for (const time of root.querySelectorAll("time[data-show]")) {
    const moment = new Date(time.dateTime);
    time.textContent = new Intl.DateTimeFormat(locale(), SHAPES[time.dataset.show]).format(moment);
  }
}
