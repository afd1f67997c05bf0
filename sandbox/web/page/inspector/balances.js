/**
 * All balances. A changed balance flashes and shows the difference until the world changes again.
 *
 * @import { Account, World } from "./world.js"
 */
import { byId, element, table } from "../base/dom.js";
import { amountText, changeText, shortAddress } from "../base/figures.js";
import { copyButton } from "../base/notices.js";

export function createBalances() {
  const panel = byId("balances");
  /** The previous balances, by account and asset. @type {Map<string, bigint>} */
  let before = new Map();
  /** The differences made by the ledger's last change. @type {Map<string, bigint>} */
  let changes = new Map();

  /** @param {World} world */
  const draw = (world) => {
    const now = holdings(world);
    const fresh = before.size === 0 ? new Map() : differences(before, now);
    if (before.size > 0 && fresh.size === 0) return;
    changes = fresh;
    before = now;
    const precisions = new Map(world.tokens.map((token) => [token.id, token.precision]));

    /** @param {Account} account @param {string} asset */
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
        element("th", { scope: "row" }, asset, locked && element("small", locked)),
        element(`td.change.${change < 0n ? "less" : "more"}`, change === 0n ? "" : changeText(change, precision)),
        element("td.amount", amountText(units, precision)),
      );
    };

    const cards = world.accounts.map((account) => {
      const { address, name } = account;
      // Balances that were spent entirely are still shown, with the difference.
      const spent = [...changes.keys()].flatMap((key) => {
        const [owner, asset = ""] = key.split(" ");
        return owner === address ? [asset] : [];
      });
      const rows = [...new Set([...Object.keys(account.balances), ...spent])].map((asset) => balance(account, asset));
      const short = shortAddress(address);
      return element(
        "section.card",
        { "data-account": address },
        element("header", element("h3", name), copyButton(address, short, `Copy the address of ${name}, ${short}`)),
        rows.some(Boolean) ? table(...rows) : element("p.nothing", "Holds nothing"),
      );
    });
    panel.replaceChildren(...cards);
  };

  return { draw };
}

/** All balances by account and asset. @param {World} world */
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
