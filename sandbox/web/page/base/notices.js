/** Telegram's two ways to show a short text over the chat: a toast that disappears, and an alert with OK. */
import { byId, element } from "./dom.js";

const TOAST_MS = 3500;

/** @param {string} text */
export function toast(text) {
  const node = element("div.toast", text);
  byId("toasts").append(node);
  setTimeout(() => node.remove(), TOAST_MS);
}

/** Resolves to undefined on an error, which is shown as a toast. @template Value @param {Promise<Value>} work */
export const orToast = (work) => work.catch((error) => toast(error instanceof Error ? error.message : String(error)));

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

/**
 * A button with a recognisable part of an address or id, which copies all of it.
 * @param {string} text @param {string} shown @param {string} label
 */
export const copyButton = (text, shown, label) =>
  element("button.address", { title: `${text}: press to copy`, "aria-label": label, click: () => copy(text) }, shown);
