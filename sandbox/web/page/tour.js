/**
 * Five steps for a first visit, beside the page and not over it: whoever wants to try at once is not held up. That it was
 * ended is remembered in this browser.
 */
import { byId } from "./base/dom.js";

const MEMORY = "swapdesk-tour-ended";

const steps = [
  "You hold Alice's phone. Press Start: nothing here is real money.",
  "The address under the bot's name is the phone owner's. Press it to copy it, and paste it when the bot asks where tokens should go.",
  "Ask for a swap, read its card and confirm it. Each card can be refreshed, cancelled, or answered with another amount.",
  "The inspector shows what goes over the wire, and what it changed: balances, pools, orders and the epoch.",
  "Under Faults a service can be made slow or cut off, and you see what the bot makes of it. Now it's yours.",
];

export function createTour() {
  const tour = byId("tour");
  const next = byId("tour-next");
  let at = 0;

  const draw = () => {
    byId("tour-step").textContent = `Step ${at + 1} of ${steps.length}`;
    byId("tour-text").textContent = steps[at] ?? "";
    next.textContent = at === steps.length - 1 ? "Done" : "Next";
  };
  const end = () => {
    tour.hidden = true;
    localStorage.setItem(MEMORY, "yes");
  };

  const goOn = () => {
    at += 1;
    if (at === steps.length) end();
    else draw();
  };

  next.addEventListener("click", goOn);
  // Whoever does what the first step asks for has no need to say so.
  byId("start").addEventListener("click", () => {
    if (at === 0) goOn();
  });
  byId("tour-end").addEventListener("click", end);
  tour.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });

  tour.hidden = localStorage.getItem(MEMORY) !== null;
  draw();
}
