/**
 * The feed of the real node: which version of its software speaks, and what is wrong with it.
 *
 * @import { World } from "./world.js"
 */
import { request } from "../base/api.js";
import { byId, element } from "../base/dom.js";
import { orToast } from "../base/notices.js";

/** What a fault does, in the order of the list. */
const faultWords = {
  mute: "says nothing",
  lose: "tells of blocks only",
  drop: "loses half",
  double: "says all twice",
  shuffle: "mixes them up",
  delay: "is a block late",
  refuse: "refuses connections",
  "no-pings": "never pings",
};

export function createNodeFeed() {
  const form = /** @type {HTMLFormElement} */ (byId("node-feed-form"));

  /** @param {object} change */
  const send = (change) => void orToast(request("/_sim/node", change));

  form.addEventListener("change", () => {
    const chosen = new FormData(form);
    send({ feed: { dialect: chosen.get("dialect"), faults: chosen.getAll("faults") } });
  });
  for (const button of form.querySelectorAll("[data-feed-order]")) {
    button.addEventListener("click", () => send({ [button.getAttribute("data-feed-order") ?? ""]: true }));
  }
  /** @param {[string, string]} fault */
  const labelOf = ([value, words]) =>
    element("label.check", element("input", { name: "faults", type: "checkbox", value }), ` ${words}`);
  form.querySelector("label")?.after(...Object.entries(faultWords).map(labelOf));

  /** @param {World} world */
  const draw = ({ node }) => {
    if (node === undefined) return;
    const { dialect, faults, addresses } = node.feed;
    /** @type {HTMLSelectElement} */ (form.elements.namedItem("dialect")).value = dialect;
    for (const box of form.querySelectorAll("[name=faults]")) {
      const input = /** @type {HTMLInputElement} */ (box);
      input.checked = faults.includes(input.value);
    }
    byId("node-feed-listeners").textContent =
      addresses === undefined ? "nobody listens" : `heard, for ${addresses} addresses`;
  };

  return { draw };
}
