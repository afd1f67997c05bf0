/** Transactions of the real node, those that wait first, and how its wallet and the node itself behave. */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { amountText } from "../base/figures.js";

/** @param {{ copy: (text: string) => void, onProblem: (text: string) => void }} parts */
export function createTransactions({ copy, onProblem }) {
  const list = byId("transactions");
  const form = /** @type {HTMLFormElement} */ (byId("node-form"));

  /** @param {object} body */
  const change = async (body) => {
    try {
      await request("/_sim/node", body);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };

  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) void change({ [target.name]: target.checked });
    else if (target instanceof HTMLSelectElement) void change({ [target.name]: target.value || null });
  });
  for (const button of form.querySelectorAll("[data-node]")) {
    const name = button.getAttribute("data-node") ?? "";
    button.addEventListener("click", () => void change({ [name]: name === "rollBack" ? 1 : true }));
  }

  /** @param {string} name @param {readonly (readonly [value: string, label: string])[]} choices @param {string} chosen */
  const choose = (name, choices, chosen) => {
    const select = /** @type {HTMLSelectElement} */ (form.elements.namedItem(name));
    if (select.options.length !== choices.length) {
      select.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
    }
    select.value = chosen;
  };

  /** @param {import("./world.js").World} world */
  const draw = ({ node, accounts }) => {
    byId("tab-transactions").hidden = node === undefined;
    if (node === undefined) return;
    const names = new Map(accounts.map(({ address, name }) => [address, name]));
    choose(
      "walletMode",
      node.walletModes.map((mode) => [mode, mode]),
      node.walletMode,
    );
    choose(
      "walletShape",
      node.walletShapes.map((shape) => [shape, shape === "hub" ? "a hub, as today" : "kleverWeb alone, as before"]),
      node.walletShape,
    );
    choose(
      "walletAccount",
      node.walletAccounts.map((address) => [address, names.get(address) ?? address]),
      node.walletAccount,
    );
    choose(
      "alteration",
      [["", "nothing"], ...node.alterations.map((name) => /** @type {const} */ ([name, name]))],
      node.alteration ?? "",
    );
    for (const name of /** @type {const} */ (["losesBroadcasts", "raisesFees", "isNotReady", "runsOutOfGas"])) {
      /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).checked = node[name] === true;
    }

    list.replaceChildren(
      ...node.transactions.map(({ hash, sender, nonce, call, fee, block, failure }) =>
        element(
          "section",
          { class: "card", "data-transaction": hash },
          element(
            "header",
            {},
            element("h3", {}, call),
            element(
              "span",
              { class: "tag" },
              block === undefined ? "waits" : failure === undefined ? `block ${block}` : `failed in block ${block}`,
            ),
            element(
              "button",
              {
                type: "button",
                class: "address",
                title: `${hash}: press to copy`,
                "aria-label": `Copy the hash of ${call}, ${hash.slice(0, 8)}…`,
                on: { click: () => copy(hash) },
              },
              `${hash.slice(0, 8)}…`,
            ),
          ),
          element("p", {}, `${names.get(sender) ?? sender}, nonce ${nonce}, fee ${amountText(fee, 6)} KLV`),
          failure !== undefined && element("p", {}, failure),
        ),
      ),
    );
    if (node.transactions.length === 0) {
      list.append(element("p", { class: "nothing" }, "Signed transactions appear here, those that wait first."));
    }
  };

  return { draw };
}
