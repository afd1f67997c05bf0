/** The two ways in which Telegram shows a short text over the chat: a toast that goes away, and an alert with OK. */
import { byId, element } from "../base/dom.js";

const TOAST_MS = 3500;

/** @param {string} text */
export function toast(text) {
  const node = element("div", { class: "toast" }, text);
  byId("toasts").append(node);
  setTimeout(() => node.remove(), TOAST_MS);
}

/** @param {string} text */
export function alert(text) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("alert"));
  byId("alert-text").textContent = text;
  if (!dialog.open) dialog.showModal();
}

/** @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied to the clipboard");
  } catch {
    toast("The browser did not allow copying");
  }
}
