/** Moments that a client draws itself, in the reader's zone; those that count go on counting. */
import { element } from "../base/dom.js";
import { momentText } from "../base/time.js";

const TICK_MS = 1000;

/** Keeps every counting moment of a list true. @param {HTMLElement} list */
export function keepTicking(list) {
  setInterval(() => {
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("time.ticks"))) {
      const text = momentText(Number(node.dataset["unix"]), "r");
      if (node.textContent !== text) node.textContent = text;
    }
  }, TICK_MS);
}

/**
 * Without a format, the words stay as they are.
 * @param {string} words what an app shows that is too old for moments
 * @param {number} unix
 * @param {string} format
 */
export function moment(words, unix, format) {
  return element(
    `time.moment${format === "r" ? ".ticks" : ""}`,
    {
      datetime: new Date(unix * 1000).toISOString(),
      title: words,
      "data-unix": unix,
      // Nobody wants every second read out.
      "aria-live": "off",
    },
    format === "" ? words : momentText(unix, format),
  );
}
