// Active time: the page is seen, has the focus, and someone did something within the last minute.
const IDLE_AFTER = 60_000;
const DEEDS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart"];

export function countActivity(onActive) {
  let lastDeed = Date.now();
  let lastTick = performance.now();
  for (const deed of DEEDS) {
    addEventListener(deed, () => (lastDeed = Date.now()), { capture: true, passive: true });
  }
  setInterval(() => {
    const now = performance.now();
    const elapsed = Math.min(now - lastTick, 2000); // a machine that slept was not at work
    lastTick = now;
    const active = document.visibilityState === "visible" && document.hasFocus() && Date.now() - lastDeed < IDLE_AFTER;
    if (active) onActive(elapsed / 1000);
  }, 1000);
}

export function clock(seconds) {
  const whole = Math.floor(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
