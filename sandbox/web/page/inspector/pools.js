/**
 * The trading pairs: reserves, prices in both directions, fee and state.
 *
 * @import { Pool, World } from "./world.js"
 */
import { byId, element, table } from "../base/dom.js";
import { request } from "../base/api.js";
import { amountText, feeText, priceText, shortAddress } from "../base/figures.js";
import { copyButton, orToast } from "../base/notices.js";

/** @type {Record<string, string>} */
const states = { Active: "active", PartialActive: "liquidity only", Inactive: "inactive" };

/** The buttons' price moves, in percent. */
const PUSHES = [-10, 10];

export function createPools() {
  const panel = byId("pools");
  /** @type {Map<string, string>} */
  let before = new Map();

  /** @param {World} world */
  const draw = (world) => {
    /** @type {Map<string, string>} */
    const now = new Map();
    const tokens = new Map(world.tokens.map((token) => [token.id, token]));
    /** @param {string} id */
    const name = (id) => tokens.get(id)?.name ?? id;

    /** @param {Pool} pool */
    const card = (pool) => {
      const { address, firstToken, secondToken, reserveFirst, reserveSecond } = pool;
      const first = tokens.get(firstToken)?.precision ?? 0;
      const second = tokens.get(secondToken)?.precision ?? 0;
      // People think of prices in the native token.
      const pushed = firstToken === "KLV" ? secondToken : firstToken;
      const short = shortAddress(address);

      /** @param {string} label @param {string} value @param {string} unit */
      const figure = (label, value, unit) => {
        const key = `${address} ${label}`;
        const changed = before.has(key) && before.get(key) !== value;
        now.set(key, value);
        return element(
          "tr",
          { class: changed ? "flash" : "" },
          element("th", { scope: "row" }, label),
          element("td.amount", value),
          element("td.unit", { title: unit }, unit),
        );
      };
      /** @param {number} percent */
      const push = (percent) => {
        const click = () => void orToast(request("/_sim/price", { pair: address, token: pushed, percent }));
        const attributes = { "data-push": percent, title: `Move the price of ${name(pushed)}`, click };
        return element("button", attributes, `${name(pushed)} ${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`);
      };

      return element(
        "section.card",
        { "data-pool": address },
        element(
          "header",
          element("h3", `${name(firstToken)} / ${name(secondToken)}`),
          element(`span.state.state-${pool.state}`, states[pool.state] ?? pool.state),
          element("span.tag", `fee ${feeText(pool.totalFeePercent)}`),
          copyButton(address, short, `Copy the address of the pair, ${short}`),
        ),
        table(
          figure(`Reserve of ${name(firstToken)}`, amountText(reserveFirst, first), firstToken),
          figure(`Reserve of ${name(secondToken)}`, amountText(reserveSecond, second), secondToken),
          figure(`1 ${name(firstToken)} costs`, priceText(reserveSecond, second, reserveFirst, first), secondToken),
          figure(`1 ${name(secondToken)} costs`, priceText(reserveFirst, first, reserveSecond, second), firstToken),
          pool.lpToken !== undefined &&
            figure("LP supply", amountText(pool.lpSupply, tokens.get(pool.lpToken)?.precision), pool.lpToken),
        ),
        reserveFirst !== "0" && element("div.controls", ...PUSHES.map(push)),
      );
    };
    panel.replaceChildren(...world.pools.map(card));
    before = now;
    if (world.pools.length === 0) panel.append(element("p.nothing", "This world has no pools yet."));
  };

  return { draw };
}
