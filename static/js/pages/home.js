// Home sends what an earlier visit to a desk left waiting, and says how much that is.
import { deliveryOf } from "../parts/delivery.js";
import { outboxOf } from "../parts/outbox.js";
import { countIn } from "../parts/words.js";

const place = document.getElementById("waiting");
const outbox = outboxOf(place.dataset.person);
const show = () => {
  const count = outbox.waiting().length;
  place.hidden = !count;
  place.querySelector("p").textContent = countIn("waiting", count);
};
const nothing = () => false;
const delivery = deliveryOf({
  outbox,
  person: place.dataset.person,
  onTaken: nothing,
  onRefused: nothing, // kept aside; the campaign's desk shows why
  onHeldUp: nothing,
});

outbox.onChange(show);
place.querySelector("button").addEventListener("click", delivery.now);
show();
delivery.flush();
