/**
 * Eight steps for a first visit, next to the page and not over it, so that the page stays usable; doing a step completes
 * it. The browser remembers that the tour has ended.
 */
import { byId } from "./base/dom.js";
import { nextHour } from "./base/time.js";

const MEMORY = "swapdesk-tour-ended";

/** @typedef {"start" | "address" | "confirm" | "inspect" | "alert" | "order" | "plan" | "fault"} Deed what a step asks for */

/** @type {readonly Deed[]} */
const deeds = ["start", "address", "confirm", "inspect", "alert", "order", "plan", "fault"];

/** @type {Record<Exclude<Deed, "plan">, string>} */
const steps = {
  start: "You hold Alice's phone. Press Start: nothing here is real money.",
  address: "Press the address under the bot's name to copy it, and give it to the bot: /wallet.",
  confirm: "Ask for a swap, read its card and confirm it.",
  inspect: "Look into the inspector: the calls, and the balances and pools that they changed.",
  alert:
    "Set a price alert: /alert KFI 5%. Then push the price of KFI by 10% under Pools: it is told in half a minute.",
  order:
    "Buy at your price: /limit 100 KLV KFI, choose −5% and set it. Then push KFI by −10% under Pools: its swap is there in half a minute.",
  fault: "Under Faults, press “cut after” for the calls that spend, then confirm a swap. Now it's yours.",
};
/** The hour is the next one. */
const plan = () =>
  `Buy regularly: /dca 100 KLV KFI daily ${nextHour()} x3 UTC, and set it. Then press “+1 hour” under Chain: its swap comes.`;
const SIGNED = "Ask for a swap, read its card, confirm it, and sign it on the page behind its button.";

/** @param {import("./chat/model.js").ChatModel} model */
export function createTour(model) {
  const tour = byId("tour");
  const next = byId("tour-next");
  /** @type {Set<Deed>} */
  const done = new Set();
  let signs = false;

  /** The story's current line, if it plays. @type {string | undefined} */
  let told;
  let ended = localStorage.getItem(MEMORY) !== null;

  const draw = () => {
    tour.hidden = ended && told === undefined;
    byId("tour-end").hidden = told !== undefined;
    if (told !== undefined) {
      byId("tour-step").textContent = "";
      byId("tour-text").textContent = told;
      next.textContent = "Take over";
      next.onclick = () => narrate(undefined);
      return;
    }
    const step = deeds.find((deed) => !done.has(deed));
    if (step === undefined) {
      end();
      return;
    }
    byId("tour-step").textContent = `Step ${deeds.indexOf(step) + 1} of ${deeds.length}`;
    byId("tour-text").textContent = step === "confirm" && signs ? SIGNED : step === "plan" ? plan() : steps[step];
    next.textContent = step === deeds.at(-1) ? "Done" : "Next";
    next.onclick = () => did(step);
  };
  /** Shows a story's line instead of the steps; undefined returns to them. @param {string | undefined} text */
  const narrate = (text) => {
    told = text;
    if (text !== undefined || !ended) draw();
    else tour.hidden = true;
  };
  const end = () => {
    ended = true;
    tour.hidden = told === undefined;
    localStorage.setItem(MEMORY, "yes");
  };
  /** @param {Deed} deed */
  const did = (deed) => {
    if (ended || done.has(deed)) return;
    done.add(deed);
    draw();
  };

  // On a phone, it has to be visible with both panes: half of its steps are in the inspector.
  if (matchMedia("(max-width: 699px)").matches) document.querySelector(".pane-switch")?.before(tour);
  byId("tour-end").addEventListener("click", end);
  tour.addEventListener("keydown", (event) => {
    if (event.key === "Escape") end();
  });
  /** @param {import("./chat/model.js").Message} message */
  const notice = ({ from, text }) => {
    // A swap that a standing order sent says so in its first line, in any language: what was reached, and the trade.
    const [, order] = /^(🎯|🔁) .+: .+ → /u.exec(text) ?? [];
    if (order !== undefined && from === "bot") did(order === "🎯" ? "order" : "plan");
    if (from !== "person") return;
    did("start");
    if (text.includes("klv1")) did("address");
  };
  model.onMessage.listen(({ message }) => notice(message));
  model.onChat.listen(() => model.messages().forEach(notice));
  byId("own-address").addEventListener("click", () => did("address"));
  // Where a wallet signs, the rest happens on another page.
  byId("log").addEventListener("click", ({ target }) => {
    if (signs && target instanceof Element && target.closest(".key")?.textContent.startsWith("✍️")) did("confirm");
  });
  byId("inspector-tabs").addEventListener("click", () => did("inspect"));
  byId("pools").addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-push]") !== null) did("alert");
  });
  byId("faults").addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("button") !== null) did("fault");
  });

  if (!ended) draw();

  return {
    /** @param {import("./inspector/world.js").World} world */
    drawWorld: ({ node }) => {
      signs = node !== undefined;
      if (!ended) draw();
    },
    /** A call that spends was sent: a tap alone may have come too late. */
    onCall: () => {
      if (!signs) did("confirm");
    },
    narrate,
  };
}
