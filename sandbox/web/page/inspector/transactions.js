/**
 * The real node's transactions, waiting ones first, and how the node and the wallet behave.
 *
 * @import { Transaction, World } from "./world.js"
 */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { amountText } from "../base/figures.js";
import { copyButton, orToast } from "../base/notices.js";

export function createTransactions() {
  const list = byId("transactions");
  const form = /** @type {HTMLFormElement} */ (byId("node-form"));

  /** @param {string} name @param {unknown} value */
  const change = (name, value) => void orToast(request("/_sim/node", { [name]: value }));

  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) change(target.name, target.checked);
    else if (target instanceof HTMLSelectElement) change(target.name, target.value || null);
  });
  for (const button of form.querySelectorAll("[data-node]")) {
    const name = button.getAttribute("data-node") ?? "";
    button.addEventListener("click", () => change(name, name === "rollBack" ? 1 : true));
  }

  /**
   * @param {string} name @param {readonly string[]} values @param {string} chosen
   * @param {(value: string) => string} [labelOf]
   */
  const choose = (name, values, chosen, labelOf = (value) => value) => {
    const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
    if (select.options.length !== values.length) {
      select.replaceChildren(...values.map((value) => element("option", { value }, labelOf(value))));
    }
    select.value = chosen;
  };

  /** @param {World} world */
  const draw = ({ node, accounts }) => {
    byId("tab-transactions").hidden = node === undefined;
    if (node === undefined) return;
    const names = new Map(accounts.map(({ address, name }) => [address, name]));
    /** @param {string} address */
    const nameOf = (address) => names.get(address) ?? address;
    choose("walletMode", node.walletModes, node.walletMode);
    choose("walletShape", node.walletShapes, node.walletShape, (shape) =>
      shape === "hub" ? "a hub, as today" : "kleverWeb alone, as before",
    );
    choose("walletAccount", node.walletAccounts, node.walletAccount, nameOf);
    choose("blockFault", ["", ...node.blockFaults], node.blockFault ?? "", (name) => name || "are as they should be");
    choose("alteration", ["", ...node.alterations], node.alteration ?? "", (name) => name || "nothing");
    for (const name of /** @type {const} */ (["losesBroadcasts", "raisesFees", "isNotReady", "runsOutOfGas"])) {
      /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).checked = node[name] === true;
    }

    /** @param {Transaction} transaction */
    const card = ({ hash, sender, nonce, call, fee, block, failure }) => {
      const fate =
        block === undefined ? "waits" : failure === undefined ? `block ${block}` : `failed in block ${block}`;
      const short = `${hash.slice(0, 8)}…`;
      return element(
        "section.card",
        { "data-transaction": hash },
        element(
          "header",
          element("h3", call),
          element("span.tag", fate),
          copyButton(hash, short, `Copy the hash of ${call}, ${short}`),
        ),
        element("p", `${nameOf(sender)}, nonce ${nonce}, fee ${amountText(fee, 6)} KLV`),
        failure !== undefined && element("p", failure),
      );
    };
    list.replaceChildren(...node.transactions.map(card));
    if (node.transactions.length === 0) {
      list.append(element("p.nothing", "Signed transactions appear here, those that wait first."));
    }
  };

  return { draw };
}
