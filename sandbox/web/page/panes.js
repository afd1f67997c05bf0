/** Which pane a narrow screen shows, and whether a medium one shows the inspector next to the chat. */
import { byId } from "./base/dom.js";

/** @returns {{ show: (pane: "chat" | "inspector") => void }} */
export function createPanes() {
  const buttons = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-pane-button]")]);

  /** @param {string} pane */
  const show = (pane) => {
    document.body.dataset["pane"] = pane;
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.dataset["paneButton"] === pane));
    }
  };

  for (const button of buttons) {
    button.addEventListener("click", () => show(button.dataset["paneButton"] ?? "chat"));
  }
  byId("inspector-toggle").addEventListener("click", () => {
    const hidden = document.body.toggleAttribute("data-inspector-hidden");
    byId("inspector-toggle").setAttribute("aria-pressed", String(!hidden));
  });
  show("chat");
  return { show };
}
