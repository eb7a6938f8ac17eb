// Draws the charts that the server made (reviews/report/charts.py): a specification beside the table of its numbers.
// Without a script, or where one cannot be drawn, the table is there all the same.

const EMBED = {
  actions: false,
  ast: true, // no eval: the content security policy forbids it
  defaultStyle: false,
  mode: "vega-lite",
  renderer: "svg",
  tooltip: { disableDefaultStyle: true },
};

/** What the tokens are in a colour scheme: "light", "dark", or "" for the reader's. */
function palette(scheme) {
  const probe = document.createElement("span");
  probe.style.colorScheme = scheme;
  document.body.append(probe);
  const known = new Map();
  return {
    of(token) {
      if (!known.has(token)) {
        probe.style.color = `var(${token})`;
        known.set(token, getComputedStyle(probe).color);
      }
      return known.get(token);
    },
    done: () => probe.remove(),
  };
}

/** The specification with colours in the place of tokens. */
function painted(spec, scheme = "") {
  const colours = palette(scheme);
  const text = JSON.stringify(spec, (_key, value) =>
    typeof value === "string" && value.startsWith("--") ? colours.of(value) : value,
  );
  colours.done();
  return JSON.parse(text);
}

async function draw(figure) {
  const spec = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
  const place = figure.querySelector("[data-draws]");
  const show = async () => {
    await window.vegaEmbed(place, painted(spec), EMBED);
    const picture = place.querySelector("svg");
    // The picture is one thing with one name; its numbers are read in the table beside it.
    for (const part of picture.querySelectorAll("[role]")) {
      for (const name of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(name);
    }
    picture.setAttribute("role", "img");
    picture.setAttribute("aria-label", spec.description);
  };
  await show();
  figure.dataset.drawn = "";
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  for (const button of figure.querySelectorAll("button[data-download]")) {
    button.addEventListener("click", () => download(figure, spec, button.dataset.download));
  }
}

/** Always light and on white: for a paper, not for the screen that it was seen on. */
async function download(figure, spec, kind) {
  const aside = document.createElement("div");
  const { view, finalize } = await window.vegaEmbed(aside, { ...painted(spec, "light"), background: "white" }, EMBED);
  const link = document.createElement("a");
  link.download = `${figure.dataset.name}.${kind}`;
  if (kind === "svg") {
    link.href = URL.createObjectURL(new Blob([await view.toSVG()], { type: "image/svg+xml" }));
  } else {
    link.href = await view.toImageURL("png", 2);
  }
  link.click();
  URL.revokeObjectURL(link.href);
  finalize();
}

export function drawCharts(root = document) {
  for (const figure of root.querySelectorAll("figure[data-chart]:not([data-drawn])")) draw(figure);
}
