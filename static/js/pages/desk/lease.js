import { send } from "../../parts/sending.js";
import { showLocalTimes } from "../../parts/times.js";
import { word } from "../../parts/words.js";
import { showTrouble, warn } from "./state.js";

const EVERY = 60_000;

// Whoever is at work keeps the item; at most one request a minute says so. An edit holds no lease.
export function keepLease(address) {
  let last = Date.now();
  let over = !address;

  async function renewIfDue() {
    if (over || Date.now() - last < EVERY) return;
    last = Date.now();
    const { status, data } = await send(address);
    const shown = document.getElementById("lease");
    if (!shown?.isConnected) return; // the next item is on the desk by now
    if (status === 200 && data) {
      shown.querySelector("time").dateTime = data.expires_at;
      showLocalTimes(shown);
    } else if (status === 401) {
      showTrouble(status, "");
    } else if (status === 404 || status === 409) {
      over = true;
      shown.hidden = true;
      warn(word("leaseLost"));
    }
  }

  return { renewIfDue };
}
