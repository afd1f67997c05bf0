/** The reader's app: its time zone and language, and whether it is too old for Telegram's newer features. */
import { byId } from "../base/dom.js";
import { createSignal } from "../base/signal.js";
import { chooseLanguage, setZone } from "../base/time.js";

export function createClient() {
  const form = /** @type {HTMLFormElement} */ (byId("client-form"));
  const zone = /** @type {HTMLSelectElement} */ (form.elements.namedItem("zone"));
  const language = /** @type {HTMLSelectElement} */ (form.elements.namedItem("language"));
  const isOld = /** @type {HTMLInputElement} */ (form.elements.namedItem("isOld"));
  /** @type {ReturnType<typeof createSignal<void>>} */
  const onChange = createSignal();
  form.addEventListener("change", () => {
    setZone(zone.value || undefined);
    chooseLanguage(language.value || undefined);
    onChange.tell();
  });
  return { onChange, isOld: () => isOld.checked };
}
