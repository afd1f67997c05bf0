/** The trading pairs: reserves, price both ways, fee and state. */
import { byId, element } from "../base/dom.js";
import { amountText, feeText, priceText, shortAddress } from "../base/figures.js";

/** @type {Record<string, string>} */
const states = { Active: "active", PartialActive: "liquidity only", Inactive: "inactive" };

/** @param {{ copy: (text: string) => void }} parts */
export function createPools({ copy }) {
  const panel = byId("pools");
  /** @type {Map<string, string>} */
  let before = new Map();

  /** @param {import("./world.js").World} world */
  const draw = (world) => {
    /** @type {Map<string, string>} */
    const now = new Map();
    const precisions = new Map(world.tokens.map((token) => [token.id, token.precision]));
    const names = new Map(world.tokens.map((token) => [token.id, token.name]));

    const cards = world.pairs.map((pair) => {
      const first = precisions.get(pair.firstToken) ?? 0;
      const second = precisions.get(pair.secondToken) ?? 0;
      /** @param {string} id */
      const name = (id) => names.get(id) ?? id;

      /** @param {string} label @param {string} value @param {string} unit */
      const figure = (label, value, unit) => {
        const key = `${pair.address} ${label}`;
        const changed = before.has(key) && before.get(key) !== value;
        now.set(key, value);
        return element(
          "tr",
          { class: changed ? "flash" : "" },
          element("th", { scope: "row" }, label),
          element("td", { class: "amount" }, value),
          element("td", { class: "unit" }, unit),
        );
      };

      return element(
        "section",
        { class: "card", "data-pair": pair.address },
        element(
          "header",
          {},
          element("h3", {}, `${name(pair.firstToken)} / ${name(pair.secondToken)}`),
          element("span", { class: `state state-${pair.state}` }, states[pair.state] ?? pair.state),
          element("span", { class: "tag" }, `fee ${feeText(pair.totalFeePercent)}`),
          element(
            "button",
            {
              type: "button",
              class: "address",
              title: `${pair.address}: press to copy`,
              "aria-label": "Copy the address of the pair",
              on: { click: () => copy(pair.address) },
            },
            shortAddress(pair.address),
          ),
        ),
        element(
          "table",
          {},
          element(
            "tbody",
            {},
            figure(`Reserve of ${name(pair.firstToken)}`, amountText(pair.reserveFirst, first), pair.firstToken),
            figure(`Reserve of ${name(pair.secondToken)}`, amountText(pair.reserveSecond, second), pair.secondToken),
            figure(
              `1 ${name(pair.firstToken)} costs`,
              priceText(pair.reserveSecond, second, pair.reserveFirst, first),
              pair.secondToken,
            ),
            figure(
              `1 ${name(pair.secondToken)} costs`,
              priceText(pair.reserveFirst, first, pair.reserveSecond, second),
              pair.firstToken,
            ),
            pair.lpToken !== undefined &&
              figure("LP supply", amountText(pair.lpSupply, precisions.get(pair.lpToken)), pair.lpToken),
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
