/** Epoch and block, the buttons that move time, and the contracts of this world. */
import { byId, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { durationText, setAhead, worldTime } from "../base/time.js";

/** @param {{ copy: (text: string) => void, onProblem: (text: string) => void }} parts */
export function createChain({ copy, onProblem }) {
  const figures = byId("chain-figures");
  const contracts = byId("chain-contracts");
  const field = /** @type {HTMLInputElement} */ (byId("epoch-count"));

  /** @param {{ advance: number } | { blocks: number } | { hours: number }} time */
  const advance = async (time) => {
    try {
      await request("/_sim/epoch", time);
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };

  for (const button of document.querySelectorAll("[data-epochs]")) {
    button.addEventListener("click", () => void advance({ advance: Number(button.getAttribute("data-epochs")) }));
  }
  for (const button of document.querySelectorAll("[data-blocks]")) {
    button.addEventListener("click", () => void advance({ blocks: Number(button.getAttribute("data-blocks")) }));
  }
  for (const button of document.querySelectorAll("[data-hours]")) {
    button.addEventListener("click", () => void advance({ hours: Number(button.getAttribute("data-hours")) }));
  }
  byId("epoch-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.valueAsNumber >= 1) void advance({ advance: Math.trunc(field.valueAsNumber) });
  });

  /** @param {import("./world.js").World} world */
  const draw = (world) => {
    setAhead(world.ahead);
    byId("status-epoch").textContent = `epoch ${world.epoch}`;
    figures.replaceChildren(
      ...[
        ["Now", worldTime()],
        ["Epoch", String(world.epoch)],
        ["Block", String(world.block)],
        ["Next epoch", `in ${durationText(world.nextEpochInMilliseconds)}, or by these buttons`],
      ].flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
    );
    contracts.replaceChildren(
      ...world.accounts
        .filter((account) => account.isContract)
        .flatMap(({ name, address }) => [
          element("dt", {}, name),
          element(
            "dd",
            {},
            element(
              "button",
              {
                type: "button",
                class: "address whole",
                title: "Press to copy",
                "aria-label": `Copy the address of ${name}, ${address}`,
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
