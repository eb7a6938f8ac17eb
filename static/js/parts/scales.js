// The scales of a form: which is in hand, what is missing, which anchor shows.
export function scalesOf(form) {
  const scales = [...form.querySelectorAll("[data-scale]")];
  for (const scale of scales) showAnchors(scale);

  const levelOf = (scale) => scale.querySelector("input:checked")?.value ?? "";
  const missing = () => scales.filter((scale) => !levelOf(scale));
  const nameOf = (scale) => scale.querySelector("legend > span").textContent;

  function focus(scale, options) {
    (scale.querySelector("input:checked") ?? scale.querySelector("input")).focus(options);
  }

  // Sets the scale in hand and goes on; at the last one it stays, so that another digit corrects it.
  function answer(level) {
    const inHand = document.activeElement?.closest("[data-scale]") ?? missing()[0];
    const radio = inHand?.querySelector(`input[value="${level}"]`);
    if (!radio) return;
    if (!radio.checked) {
      radio.checked = true;
      radio.dispatchEvent(new Event("change", { bubbles: true }));
      radio.dispatchEvent(new Event("input", { bubbles: true }));
    }
    focus(scales[scales.indexOf(inHand) + 1] ?? missing()[0] ?? inHand);
  }

  function values() {
    return Object.fromEntries(scales.map((scale) => [scale.dataset.scale, levelOf(scale)]));
  }

  function restore(kept) {
    for (const scale of scales) {
      const level = String(kept[scale.dataset.scale] ?? "");
      for (const radio of scale.querySelectorAll("input")) radio.checked = radio.value === level;
      scale.dispatchEvent(new Event("change"));
    }
  }

  return { scales, missing, nameOf, focus, answer, values, restore };
}

function showAnchors(scale) {
  let hovered = null;
  const show = () => {
    const focused = scale.contains(document.activeElement) ? document.activeElement.value : null;
    const level = hovered ?? focused ?? scale.querySelector("input:checked")?.value ?? "";
    for (const anchor of scale.querySelectorAll(".anchor > span")) {
      anchor.classList.toggle("shown", anchor.dataset.level === level);
    }
  };
  scale.addEventListener("pointerover", (event) => {
    hovered = event.pointerType === "mouse" ? (event.target.closest("label")?.querySelector("input").value ?? null) : null;
    show();
  });
  scale.addEventListener("pointerleave", () => {
    hovered = null;
    show();
  });
  scale.addEventListener("focusin", show);
  scale.addEventListener("focusout", () => queueMicrotask(show));
  scale.addEventListener("change", () => {
    scale.classList.toggle("missing", scale.classList.contains("missing") && !scale.querySelector("input:checked"));
    show();
  });
  show();
}
