/**
 * A demonstration, opened with `?story`: a swap, an order that is met, and a swap whose answer is lost. It types and presses on the page's own
 * fields and buttons, like a person, and waits for the real bot. A key or tap takes over, and the tour continues.
 */
import { byId } from "./base/dom.js";

const KEYSTROKE_MS = 45;
/** How long a button is highlighted before it is pressed. */
const AIM_MS = 900;
/** The story ends if what it waits for takes longer. */
const TIMEOUT_MS = 45_000;
/** How long after the bot's answer its button may take to appear. */
const CARD_MS = 5000;
/** How long after a price its order's card may take. */
const ORDER_MS = 300_000;
const STUCK =
  "The story can't go on: Alice can't make this swap in the world that you kept. The bot's answer says why; npm run sandbox -- --fresh begins a new world.";

/**
 * @param {{
 *   model: import("./chat/model.js").ChatModel,
 *   panes: ReturnType<typeof import("./panes.js").createPanes>,
 *   tour: ReturnType<typeof import("./tour.js").createTour>,
 * }} parts
 */
export function createStory({ model, panes, tour }) {
  const end = new AbortController();
  const { signal } = end;
  const field = /** @type {HTMLTextAreaElement} */ (byId("composer-text"));
  /** @type {import("./inspector/world.js").World | undefined} */
  let world;
  let begun = false;

  /** @param {number} milliseconds */
  const pause = (milliseconds) =>
    /** @type {Promise<void>} */ (
      new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, milliseconds);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      })
    );

  /**
   * Waits until `find` finds something.
   * @template Found
   * @param {() => Found | null | undefined | false} find
   * @param {number} [milliseconds]
   * @returns {Promise<Found>}
   */
  const seen = (find, milliseconds = TIMEOUT_MS) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = find();
        if (!found) return;
        stop();
        resolve(found);
      };
      const observer = new MutationObserver(look);
      const timer = setTimeout(() => end.abort(STUCK), milliseconds);
      const stop = () => {
        observer.disconnect();
        clearTimeout(timer);
      };
      signal.addEventListener("abort", () => {
        stop();
        reject(signal.reason);
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      look();
    });

  /** Shows a line and allows time to read it. @param {string} text @param {number} seconds */
  const tell = (text, seconds) => {
    tour.narrate(text);
    return pause(seconds * 1000);
  };

  /** @param {HTMLElement} target */
  const press = async (target) => {
    target.scrollIntoView({ block: "nearest" });
    target.toggleAttribute("data-aimed", true);
    await pause(AIM_MS).finally(() => target.removeAttribute("data-aimed"));
    target.click();
  };

  /** Types a line, and pastes an end that nobody would type. @param {string} typed @param {string} [pasted] */
  const send = async (typed, pasted = "") => {
    for (const letter of [...typed.split(""), pasted]) {
      field.value += letter;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      await pause(KEYSTROKE_MS);
    }
    const before = model.messages().length;
    await pause(AIM_MS);
    byId("send").click();
    await seen(() => model.messages().length > before + 1);
  };

  /** The newest button whose label starts with `sign`. @param {string} sign */
  const key = (sign) =>
    /** @type {HTMLElement[]} */ ([...byId("log").querySelectorAll(".key:not([disabled])")])
      .filter(({ textContent }) => textContent.startsWith(sign))
      .at(-1);

  /** @param {"chat" | "inspector"} pane @param {string} [tab] */
  const show = (pane, tab = "wire") => {
    panes.show(pane);
    const button = byId(`tab-${tab}`);
    if (button.getAttribute("aria-selected") !== "true") button.click();
  };

  /** What moves a pool's price. @param {string} label */
  const pushed = (label) =>
    /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-push]")]).find(
      ({ textContent }) => textContent === label,
    );

  /** The newest swap on the wire. @returns {HTMLDetailsElement | null} */
  const swap = () => byId("wire").querySelector('[data-function="swap"]');

  /** Confirms a card, and opens the call that it sends. @param {HTMLElement} button */
  const confirm = async (button) => {
    const before = swap();
    before?.removeAttribute("open");
    await press(button);
    show("inspector");
    const call = await seen(() => swap() !== before && swap());
    call.open = true;
    call.scrollIntoView({ block: "start" });
  };

  const play = async () => {
    const address = world?.accounts.find(({ telegramId }) => telegramId === model.me())?.address ?? "";
    show("chat");
    await tell("The real bot, in a world of its own on this machine. No real money here.", 4);
    if (!byId("start").hidden) await press(byId("start"));
    await seen(() => !byId("composer").hidden);
    tour.narrate("Alice says where her tokens should go. The bot never asks for a key.");
    await send("/wallet ", address);
    await pause(3000);

    tour.narrate("She wants to swap 100 KLV.");
    await send("/swap 100 KLV KFI");
    const card = (await seen(() => key("✅"), CARD_MS)).closest("[data-message]");
    await tell("One card says it all: what she pays, the least she gets, the fee.", 0.5);
    // Only now, since the line has taken up space.
    card?.scrollIntoView({ block: "start" });
    await pause(5500);
    tour.narrate("She confirms, once.");
    await confirm(await seen(() => key("✅")));
    await tell(
      "One tap, one call. Decoded: her 100 KLV, her account, and the least KFI she takes, before the 1% fee.",
      8,
    );
    show("inspector", "balances");
    await tell("Her balances moved by exactly that.", 5);

    show("chat", "balances");
    tour.narrate("She would buy more, five percent lower: a limit order.");
    await send("/limit 100 KLV KFI");
    await press(await seen(() => key("−5%"), CARD_MS));
    await press(await seen(() => key("👍"), CARD_MS));
    await pause(1500);
    show("inspector", "pools");
    tour.narrate("The price of KFI falls by ten percent.");
    await press(await seen(() => pushed("KFI −10%")));
    await pause(1500);
    show("chat", "pools");
    await tell("Soon her price is there. The bot asks; it never trades by itself.", 0.5);
    const met = await seen(() => key("✅"), ORDER_MS);
    met.closest("[data-message]")?.scrollIntoView({ block: "start" });
    await pause(5500);
    await confirm(met);
    await tell("Her tap sent it, for her price or better.", 4);

    show("chat");
    tour.narrate("Now for the bad day: another swap…");
    await send("/swap 50 KLV KFI");
    await seen(() => key("✅"), CARD_MS);
    show("inspector", "faults");
    tour.narrate("…and the line is cut as soon as the node has the call.");
    await press(
      await seen(
        () =>
          /** @type {HTMLElement | null} */ (
            document.querySelector('[data-service="calls"] [data-fault="drop-after"]')
          ),
      ),
    );
    await pause(2500);
    show("chat", "faults");
    await confirm(await seen(() => key("✅")));
    await tell("The call went out. Its answer never came back.", 4);
    show("chat");
    await seen(() => key("🔎"));
    await tell("The bot calls that unknown, and never sends it again.", 6);
    tour.narrate("Check looks at what the chain says.");
    const check = key("🔎");
    const unknown = check?.closest("[data-message]");
    if (check) await press(check);
    await seen(() => !unknown?.isConnected);
    await tell("Found: the swap went through. Two confirmations, two calls.", 6);
    tour.narrate("Your turn: trade, or break something under Faults.");
  };

  /** @param {string} [why] what to say about an end that nobody asked for */
  const over = (why) => {
    end.abort();
    document.body.removeAttribute("data-story");
    field.value = "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    byId("connection").before(byId("tour"));
    tour.narrate(why);
  };

  /** Ends the story on a real key or tap; its own presses aren't trusted events. @param {Event} event */
  const takeOver = (event) => {
    if (!event.isTrusted) return;
    // The button is about to change its meaning.
    if (event.target === byId("tour-next")) {
      event.preventDefault();
      event.stopPropagation();
    }
    over();
  };

  return {
    /** @param {import("./inspector/world.js").World} now */
    drawWorld: (now) => {
      world = now;
    },
    /** Plays once, and never in a world with a wallet, whose calls are signed elsewhere. */
    begin: () => {
      if (begun || world?.node !== undefined) return;
      begun = true;
      document.body.dataset["story"] = "plays";
      for (const act of ["keydown", "click"]) window.addEventListener(act, takeOver, { capture: true, signal });
      play().then(
        () => (document.body.dataset["story"] = "told"),
        (why) => over(why === STUCK ? why : undefined),
      );
    },
  };
}
