/** Moments that the client formats in the reader's time zone; relative ones keep counting. */
import { element } from "../base/dom.js";
import { momentText } from "../base/time.js";

const TICK_MS = 1000;

/** Keeps a list's relative moments up to date. @param {HTMLElement} list */
export function keepTicking(list) {
  setInterval(() => {
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("time.ticks"))) {
      const text = momentText(Number(node.dataset["unix"]), "r");
      if (node.textContent !== text) node.textContent = text;
    }
  }, TICK_MS);
}

/**
 * Without a format, the words remain.
 * @param {string} words shown by apps that are too old for moments
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
      // Screen readers should not announce every second.
      "aria-live": "off",
    },
    format === "" ? words : momentText(unix, format),
  );
}
