// The campaign's page: the chart of the agreement so far is drawn when its fold is opened, and its numbers are fetched
// anew when the figures above it were (htmx swaps those; it would leave out the chart's specification).
import { drawCharts } from "../parts/charts.js";

const card = document.getElementById("live");

function load(source) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = source;
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
}

async function libraries() {
  for (const name of ["vega", "vegaLite", "vegaEmbed"]) await load(card.dataset[name]);
}

if (card) {
  const fold = document.getElementById("live-fold");
  const steps = document.getElementById("live-steps");
  let loading = null;
  let isOld = false;

  const show = async () => {
    loading ??= libraries();
    if (isOld) {
      const answer = await fetch(steps.dataset.from, { headers: { "HX-Request": "true" } });
      if (answer.ok) {
        steps.innerHTML = await answer.text();
        isOld = false;
      }
    }
    await loading;
    drawCharts(steps);
  };

  fold.addEventListener("toggle", () => {
    if (fold.open) show();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id !== "live-figures") return;
    isOld = true;
    if (fold.open) show();
  });
}
