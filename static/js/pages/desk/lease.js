import { send } from "../../parts/sending.js";
import { showLocalTimes } from "../../parts/times.js";

const EVERY = 60_000;
const SOON = 10 * 60_000;

// Whoever is at work keeps the item; at most one request a minute says so. One that has ended, or is about to, is renewed
// or found to be lost at once, before more is written. An edit holds no lease.
export function keepLease({ address, person, expires, onLost, onSignedOut }) {
  const shown = document.getElementById("lease");
  let last = Date.now();
  let over = !address;

  function showUntil(moment) {
    const time = shown?.querySelector("time");
    if (!time) return;
    time.dateTime = moment;
    showLocalTimes(shown);
  }

  async function renew() {
    last = Date.now();
    const { status, data } = await send(address, null, { headers: { "Concord-Person": person } });
    if (!shown?.isConnected) return; // the next item is on the desk by now
    if (status === 200) showUntil(data.expires_at);
    if (status === 401) onSignedOut(data);
    if (status === 404 || status === 409) {
      over = true;
      shown.hidden = true;
      onLost();
    }
  }

  if (expires) showUntil(expires);
  if (!over && expires && Date.parse(expires) - Date.now() < SOON) renew();

  return {
    renewIfDue: () => over || Date.now() - last < EVERY || renew(),
  };
}
