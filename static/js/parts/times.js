// Times are sent in UTC and shown in the reader's zone and language: <time datetime data-show="time|date|datetime">.
const SHAPES = {
  time: { timeStyle: "short" },
  date: { dateStyle: "medium" },
  datetime: { dateStyle: "medium", timeStyle: "short" },
};

export function showLocalTimes(root) {
  for (const time of root.querySelectorAll("time[data-show]")) {
    const moment = new Date(time.dateTime);
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, SHAPES[time.dataset.show]).format(moment);
  }
}
