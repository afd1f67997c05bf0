/** Epoch and block, the buttons that move time, and the contracts of this world. */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";

/** @param {{ copy: (text: string) => void, onProblem: (text: string) => void }} parts */
export function createChain({ copy, onProblem }) {
  const figures = byId("chain-figures");
  const contracts = byId("chain-contracts");
  const field = /** @type {HTMLInputElement} */ (byId("epoch-count"));

  /** @param {number} epochs */
  const advance = async (epochs) => {
    try {
      await request("/_sim/epoch", { advance: epochs });
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };

  for (const button of document.querySelectorAll("[data-advance]")) {
    button.addEventListener("click", () => void advance(Number(button.getAttribute("data-advance"))));
  }
  byId("epoch-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.valueAsNumber >= 1) void advance(Math.trunc(field.valueAsNumber));
  });

  /** @param {import("./world.js").World} world */
  const draw = (world) => {
    byId("status-epoch").textContent = `epoch ${world.epoch}`;
    byId("status-block").textContent = `block ${world.block}`;
    figures.replaceChildren(
      ...[
        ["Epoch", world.epoch],
        ["Block", world.block],
        ...(world.options ? Object.entries(world.options).map(([name, value]) => [words(name), value]) : []),
      ].flatMap(([name, value]) => [element("dt", {}, String(name)), element("dd", {}, String(value))]),
    );
    contracts.replaceChildren(
      ...Object.entries(world.contracts).flatMap(([name, address]) => [
        element("dt", {}, words(name)),
        element(
          "dd",
          {},
          element(
            "button",
            {
              type: "button",
              class: "address whole",
              title: "Press to copy",
              "aria-label": `Copy the address of the ${words(name)}`,
              on: { click: () => copy(address) },
            },
            address,
          ),
        ),
      ]),
    );
  };

  return { draw };
}

/** `firstLiquidityRule` as "First liquidity rule". @param {string} name */
function words(name) {
  const text = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
