/** The trading pairs: reserves, price both ways, fee and state. */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { amountText, feeText, priceText, shortAddress } from "../base/figures.js";

/** @type {Record<string, string>} */
const states = { Active: "active", PartialActive: "liquidity only", Inactive: "inactive" };

/** By how many percent a button moves a price. */
const PUSHES = [-10, 10];

/** @param {{ copy: (text: string) => void, onProblem: (text: string) => void }} parts */
export function createPools({ copy, onProblem }) {
  const panel = byId("pools");
  /** @type {Map<string, string>} */
  let before = new Map();

  /** @param {string} pair @param {string} token @param {number} percent */
  const push = async (pair, token, percent) => {
    try {
      await request("/_sim/price", { pair, token, percent });
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };

  /** @param {import("./world.js").World} world */
  const draw = (world) => {
    /** @type {Map<string, string>} */
    const now = new Map();
    const precisions = new Map(world.tokens.map((token) => [token.id, token.precision]));
    const names = new Map(world.tokens.map((token) => [token.id, token.name]));

    const cards = world.pools.map((pool) => {
      const first = precisions.get(pool.firstToken) ?? 0;
      const second = precisions.get(pool.secondToken) ?? 0;
      // Prices are thought of in the native token.
      const pushed = pool.firstToken === "KLV" ? pool.secondToken : pool.firstToken;
      /** @param {string} id */
      const name = (id) => names.get(id) ?? id;

      /** @param {string} label @param {string} value @param {string} unit */
      const figure = (label, value, unit) => {
        const key = `${pool.address} ${label}`;
        const changed = before.has(key) && before.get(key) !== value;
        now.set(key, value);
        return element(
          "tr",
          { class: changed ? "flash" : "" },
          element("th", { scope: "row" }, label),
          element("td", { class: "amount" }, value),
          element("td", { class: "unit", title: unit }, unit),
        );
      };

      return element(
        "section",
        { class: "card", "data-pool": pool.address },
        element(
          "header",
          {},
          element("h3", {}, `${name(pool.firstToken)} / ${name(pool.secondToken)}`),
          element("span", { class: `state state-${pool.state}` }, states[pool.state] ?? pool.state),
          element("span", { class: "tag" }, `fee ${feeText(pool.totalFeePercent)}`),
          element(
            "button",
            {
              type: "button",
              class: "address",
              title: `${pool.address}: press to copy`,
              "aria-label": `Copy the address of the pair, ${shortAddress(pool.address)}`,
              on: { click: () => copy(pool.address) },
            },
            shortAddress(pool.address),
          ),
        ),
        element(
          "table",
          {},
          element(
            "tbody",
            {},
            figure(`Reserve of ${name(pool.firstToken)}`, amountText(pool.reserveFirst, first), pool.firstToken),
            figure(`Reserve of ${name(pool.secondToken)}`, amountText(pool.reserveSecond, second), pool.secondToken),
            figure(
              `1 ${name(pool.firstToken)} costs`,
              priceText(pool.reserveSecond, second, pool.reserveFirst, first),
              pool.secondToken,
            ),
            figure(
              `1 ${name(pool.secondToken)} costs`,
              priceText(pool.reserveFirst, first, pool.reserveSecond, second),
              pool.firstToken,
            ),
            pool.lpToken !== undefined &&
              figure("LP supply", amountText(pool.lpSupply, precisions.get(pool.lpToken)), pool.lpToken),
          ),
        ),
        pool.reserveFirst !== "0" &&
          element(
            "div",
            { class: "controls" },
            ...PUSHES.map((percent) =>
              element(
                "button",
                {
                  type: "button",
                  "data-push": percent,
                  title: `Move the price of ${name(pushed)}`,
                  on: { click: () => void push(pool.address, pushed, percent) },
                },
                `${name(pushed)} ${percent > 0 ? "+" : "−"}${Math.abs(percent)}%`,
              ),
            ),
          ),
      );
    });
    before = now;
    panel.replaceChildren(...cards);
    if (cards.length === 0) panel.append(element("p", { class: "nothing" }, "This world has no pools yet."));
  };

  return { draw };
}
