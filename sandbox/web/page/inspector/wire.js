/**
 * Every request on the wire, newest first. Polls, which would bury the rest, are listed separately: requests that
 * change nothing (waiting for updates, reads of a contract, an unchanged order), and "typing…".
 *
 * @typedef {{
 *   id: number, at: number, service: string, method: string, path: string, requestBody: string,
 *   status: number, responseBody: string, milliseconds: number, fault?: string,
 * }} WireEntry
 */
import { byId, element } from "../base/dom.js";
import { copy } from "../base/notices.js";
import { exactTime } from "../base/time.js";
import { prettyBody } from "./json.js";

const CAPACITY = 500;
const backgroundPaths = /\/(getUpdates|sendChatAction|node\/status)$/i;
const readOnlyFunctions = /"funcName"\s*:\s*"get/;

/** Whether a request spends: a call of a contract, or a signed transaction. @param {WireEntry} entry */
export const isCall = ({ path, requestBody }) =>
  path === "/transaction/broadcast" || (path === "/vm/query" && !readOnlyFunctions.test(requestBody));

/** @param {import("./decode.js").Decoder} decode */
export function createWire(decode) {
  const list = byId("wire");
  const empty = byId("wire-empty");
  const filter = /** @type {HTMLSelectElement} */ (byId("wire-filter"));
  const kind = /** @type {HTMLSelectElement} */ (byId("wire-kind"));
  /** The last answer about each order. @type {Map<string, string>} */
  const orders = new Map();
  /** The ids of polls. @type {Set<number>} */
  const polls = new Set();

  /** @param {WireEntry} entry */
  const sort = (entry) => {
    const isSameOrder = entry.service === "exchange" && orders.get(entry.path) === entry.responseBody;
    if (entry.service === "exchange") orders.set(entry.path, entry.responseBody);
    if (isSameOrder || isRead(entry)) polls.add(entry.id);
  };
  /** @type {Map<number, WireEntry>} oldest first */
  const entries = new Map();
  /** Entries up to this id were cleared. */
  let clearedTo = 0;

  /** @param {WireEntry} entry */
  const isShown = (entry) =>
    entry.id > clearedTo &&
    (filter.value === "" || entry.service === filter.value) &&
    (kind.value === "" || polls.has(entry.id) === (kind.value === "polls"));

  const drawAll = () => {
    list.replaceChildren(...[...entries.values()].filter(isShown).reverse().map(row));
    empty.hidden = list.childElementCount > 0;
  };

  /** @param {WireEntry} entry */
  const row = (entry) => {
    const { name, detail } = title(entry);
    const failed = entry.status === 0 || entry.status >= 400;
    const node = element(
      "details.call",
      { "data-call": entry.id, "data-function": read(entry.requestBody)?.funcName },
      element(
        "summary",
        element("time", { title: exactTime(entry.at) }, exactTime(entry.at).slice(0, 8)),
        element(`span.service.service-${entry.service}`, entry.service),
        element("span.call-name", element("strong", name), detail !== "" && element("span.call-detail", detail)),
        entry.fault !== undefined && element("span.fault-tag", entry.fault),
        element(`span.status${failed ? ".failed" : ""}`, entry.status === 0 ? "cut" : entry.status),
        element("span.milliseconds", `${Math.round(entry.milliseconds)} ms`),
      ),
    );
    // The bodies are built when first opened: most never are.
    node.addEventListener("toggle", () => node.childElementCount === 1 && node.append(bodies(entry)), { once: true });
    return node;
  };

  /** @param {WireEntry} entry */
  const bodies = (entry) =>
    element(
      "div.bodies",
      element("p.call-line", `${exactTime(entry.at)} · ${entry.method} ${hideToken(entry.path)}`),
      decode.table(read(entry.requestBody)),
      body("Request", entry.requestBody),
      body(entry.status === 0 ? "Answer: none, the connection was cut" : `Answer ${entry.status}`, entry.responseBody),
    );

  /** @param {string} heading @param {string} text */
  const body = (heading, text) =>
    element(
      "section",
      element(
        "header",
        element("h4", heading),
        text !== "" && element("button.small", { click: () => copy(text) }, "Copy"),
      ),
      prettyBody(text),
    );

  filter.addEventListener("change", drawAll);
  kind.addEventListener("change", drawAll);
  byId("wire-clear").addEventListener("click", () => {
    clearedTo = Math.max(0, ...entries.keys());
    drawAll();
  });

  return {
    /** @param {WireEntry[]} all */
    replace: (all) => {
      entries.clear();
      orders.clear();
      polls.clear();
      for (const entry of all) {
        entries.set(entry.id, entry);
        sort(entry);
      }
      if (clearedTo > Math.max(0, ...entries.keys())) clearedTo = 0;
      drawAll();
    },
    /** @param {WireEntry} entry */
    add: (entry) => {
      if (entries.has(entry.id)) return;
      entries.set(entry.id, entry);
      sort(entry);
      const oldest = entries.keys().next().value;
      if (entries.size > CAPACITY && oldest !== undefined) {
        entries.delete(oldest);
        polls.delete(oldest);
        list.querySelector(`[data-call="${oldest}"]`)?.remove();
      }
      if (!isShown(entry)) return;
      const node = row(entry);
      node.classList.add("arrived");
      list.prepend(node);
      empty.hidden = true;
    },
  };
}

/**
 * Summarises a request: the contract function and its payment, the Bot API method and its text, or the path.
 * @param {WireEntry} entry
 * @returns {{ name: string, detail: string }}
 */
export function title(entry) {
  const body = read(entry.requestBody);
  if (typeof body?.funcName === "string") {
    return { name: body.funcName, detail: [body.value, ...(body.args ?? [])].filter(Boolean).join(" · ") };
  }
  if (entry.service === "telegram") {
    return { name: entry.path.split("/").at(-1) ?? "", detail: String(body?.text ?? "").replace(/\s+/g, " ") };
  }
  if (body?.tokenIn !== undefined) {
    return { name: "quotation", detail: `${body.amountIn} ${body.tokenIn} → ${body.tokenOut}` };
  }
  return { name: `${entry.method} ${entry.path}`, detail: "" };
}

/**
 * Reads the fields of the services' requests. A manual request can have anything, which is then shown unchanged.
 * @param {string} text
 * @returns {{ funcName?: unknown, value?: unknown, args?: unknown[], text?: unknown, amountIn?: string, tokenIn?: string, tokenOut?: string } | null | undefined}
 */
function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {WireEntry} entry */
const isRead = ({ path, requestBody }) => backgroundPaths.test(path) || readOnlyFunctions.test(requestBody);

/** The bot's token in paths is harmless here, but noise. @param {string} path */
const hideToken = (path) => path.replace(/^\/bot[^/]+/, "/bot<token>");
