// The short name follows the title until it is written by hand.
const title = document.getElementById("id_title");
const slug = document.getElementById("id_slug");

function shortened(text) {
  const latin = text.normalize("NFKD").toLowerCase().replace(/[^\w\s-]/g, "");
  return latin.trim().replace(/[\s_-]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 50);
}

let follows = slug.value === "" || slug.value === shortened(title.value);

function follow() {
  if (follows) slug.value = shortened(title.value);
}

title.addEventListener("input", follow);
slug.addEventListener("input", () => {
  follows = slug.value === "";
});
follow(); // the title may have been typed before this script was there
