/**
 * Epoch and block, the buttons that advance time, and this world's contracts.
 *
 * @import { World } from "./world.js"
 */
import { byId, definitions, element } from "../base/dom.js";
import { request } from "../base/api.js";
import { copy, orToast } from "../base/notices.js";
import { durationText, setAhead, worldTime } from "../base/time.js";

export function createChain() {
  const field = /** @type {HTMLInputElement} */ (byId("epoch-count"));

  /** @param {"advance" | "blocks" | "hours"} unit @param {number} count */
  const advance = (unit, count) => void orToast(request("/_sim/epoch", { [unit]: count }));

  for (const unit of /** @type {const} */ (["advance", "blocks", "hours"])) {
    for (const button of document.querySelectorAll(`[data-${unit}]`)) {
      button.addEventListener("click", () => advance(unit, Number(button.getAttribute(`data-${unit}`))));
    }
  }
  byId("epoch-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.valueAsNumber >= 1) advance("advance", Math.trunc(field.valueAsNumber));
  });

  /** @param {World} world */
  const draw = (world) => {
    setAhead(world.ahead);
    byId("status-epoch").textContent = `epoch ${world.epoch}`;
    byId("chain-figures").replaceChildren(
      ...definitions([
        ["Now", worldTime()],
        ["Epoch", world.epoch],
        ["Block", world.block],
        ["Next epoch", `in ${durationText(world.nextEpochInMilliseconds)}, or by these buttons`],
      ]),
    );
    const contracts = world.accounts.filter((account) => account.isContract);
    byId("chain-contracts").replaceChildren(
      ...definitions(
        contracts.map(({ name, address }) => {
          const label = `Copy the address of ${name}, ${address}`;
          const attributes = { title: "Press to copy", "aria-label": label, click: () => copy(address) };
          return [name, element("button.address.whole", attributes, address)];
        }),
      ),
    );
  };

  return { draw };
}
