/**
 * Who holds what. A balance that changed flashes and keeps the difference beside it until the next change of the world.
 *
 * @typedef {import("./world.js").World} World
 */
import { byId, element } from "../base/dom.js";
import { amountText, changeText, shortAddress } from "../base/figures.js";

/** @param {{ copy: (text: string) => void }} parts */
export function createBalances({ copy }) {
  const panel = byId("balances");
  /** What was shown last, by account and asset. @type {Map<string, bigint>} */
  let before = new Map();
  /** The differences that the last change of the ledger made. @type {Map<string, bigint>} */
  let changes = new Map();

  /** @param {World} world */
  const draw = (world) => {
    const now = holdings(world);
    const fresh = before.size === 0 ? new Map() : differences(before, now);
    if (before.size > 0 && fresh.size === 0) return;
    changes = fresh;
    before = now;
    const precisions = new Map(world.tokens.map((token) => [token.id, token.precision]));

    /** @param {World["accounts"][number]} account @param {string} asset */
    const balance = (account, asset) => {
      const key = `${account.address} ${asset}`;
      const units = now.get(key) ?? 0n;
      const change = changes.get(key) ?? 0n;
      if (units === 0n && change === 0n) return null;
      const precision = precisions.get(asset.split("/")[0] ?? asset);
      const behind = world.locked[asset];
      const locked = behind && `${behind.asset} until epoch ${behind.unlockEpoch}`;
      return element(
        "tr",
        { class: change === 0n ? "" : "flash", "data-asset": asset },
        element("th", { scope: "row" }, asset, locked && element("small", {}, locked)),
        element(
          "td",
          { class: `change ${change < 0n ? "less" : "more"}` },
          change === 0n ? "" : changeText(change, precision),
        ),
        element("td", { class: "amount" }, amountText(units, precision)),
      );
    };

    const cards = world.accounts.map((account) => {
      // What was spent to the last unit is still shown, with the difference.
      const spent = [...changes.keys()].flatMap((key) => {
        const [address, asset = ""] = key.split(" ");
        return address === account.address ? [asset] : [];
      });
      const rows = [...new Set([...Object.keys(account.balances), ...spent])].map((asset) => balance(account, asset));
      return element(
        "section",
        { class: "card", "data-account": account.address },
        element(
          "header",
          {},
          element("h3", {}, account.name),
          element(
            "button",
            {
              type: "button",
              class: "address",
              title: `${account.address}: press to copy`,
              "aria-label": `Copy the address of ${account.name}, ${shortAddress(account.address)}`,
              on: { click: () => copy(account.address) },
            },
            shortAddress(account.address),
          ),
        ),
        rows.some(Boolean)
          ? element("table", {}, element("tbody", {}, ...rows))
          : element("p", { class: "nothing" }, "Holds nothing"),
      );
    });
    panel.replaceChildren(...cards);
  };

  return { draw };
}

/** Every balance by account and asset. @param {World} world */
function holdings(world) {
  return new Map(
    world.accounts.flatMap(({ address, balances }) =>
      Object.entries(balances).map(([asset, units]) => [`${address} ${asset}`, BigInt(units)]),
    ),
  );
}

/** @param {Map<string, bigint>} before @param {Map<string, bigint>} now @returns {Map<string, bigint>} */
function differences(before, now) {
  return new Map(
    [...new Set([...before.keys(), ...now.keys()])]
      .map((key) => /** @type {const} */ ([key, (now.get(key) ?? 0n) - (before.get(key) ?? 0n)]))
      .filter(([, change]) => change !== 0n),
  );
}
