/**
 * Decodes a contract call: each argument's name, and its value in whole tokens or the account's owner.
 *
 * @typedef {{ funcName?: unknown, value?: unknown, args?: unknown[] } | null | undefined} Call
 * @typedef {Record<string, { names: string[], repeated: string[] }>} Functions
 * @typedef {ReturnType<typeof createDecoder>} Decoder
 */
import { element } from "../base/dom.js";
import { amountText, feeText, shortAddress } from "../base/figures.js";

export function createDecoder() {
  /** @type {Functions} */
  let functions = {};
  /** Decimals by token. @type {Map<string, number>} */
  let precisions = new Map();
  /** Account names by address. @type {Map<string, string>} */
  let names = new Map();

  /** @param {string} units @param {string | undefined} token */
  const amount = (units, token) =>
    token !== undefined && precisions.has(token) ? `${amountText(units, precisions.get(token))} ${token}` : units;

  /** The payments: `KLV=100000000`, or several separated by commas. @param {unknown} value */
  const payments = (value) =>
    String(value)
      .split(",")
      .map((payment) => {
        const [asset = "", units = ""] = payment.split("=");
        return { name: "payment", raw: payment, meaning: amount(units, asset.split("/")[0]) };
      });

  /** @param {string} functionName @param {readonly unknown[]} args */
  const inputs = (functionName, args) => {
    const { names: single, repeated } = functions[functionName] ?? { names: [], repeated: [] };
    /** The last named token, in which the next amount is. @type {string | undefined} */
    let token;
    return args.map((argument, index) => {
      const raw = String(argument);
      const content = raw.slice(raw.indexOf(":") + 1);
      const name =
        single[index] ?? repeated[(index - single.length) % (repeated.length || 1)] ?? `argument ${index + 1}`;
      if (precisions.has(content)) token = content;
      if (raw.startsWith("BigUint:")) return { name, raw: content, meaning: amount(content, token) };
      if (name.endsWith("percentage")) return { name, raw: content, meaning: feeText(content) };
      const meaning = raw.startsWith("address:") ? (names.get(content) ?? shortAddress(content)) : content;
      return { name, raw: content, meaning };
    });
  };

  return {
    /** @param {Functions} all */
    name: (all) => {
      functions = all;
    },
    /** @param {import("./world.js").World} world */
    know: (world) => {
      precisions = new Map(world.tokens.map(({ id, precision }) => [id, precision]));
      names = new Map(world.accounts.map(({ address, name }) => [address, name]));
    },
    /** Undefined unless it is a call with arguments or a payment. @param {Call} call */
    table: (call) => {
      const { funcName, value, args = [] } = call ?? {};
      if (typeof funcName !== "string" || !Array.isArray(args)) return undefined;
      const rows = [...(value === undefined ? [] : payments(value)), ...inputs(funcName, args)];
      if (rows.length === 0) return undefined;
      const cells = rows.map(({ name, raw, meaning }) => [
        element("th", { scope: "row" }, name),
        element("td", { title: raw }, raw.length > 20 ? shortAddress(raw) : raw),
        element("td", meaning === raw ? "" : `= ${meaning}`),
      ]);
      return element(
        "table.decoded",
        element("caption", `${funcName}, decoded`),
        element("tbody", ...cells.map((row) => element("tr", ...row))),
      );
    },
  };
}
