/** The inspector's tabs, following the ARIA pattern: arrow keys switch between them, and one panel is shown. */
import { byId } from "../base/dom.js";

/** @returns {{ show: (name: string) => void }} */
export function createTabs() {
  const list = byId("inspector-tabs");
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);

  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute("aria-selected", String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      byId(tab.getAttribute("aria-controls") ?? "").hidden = !isChosen;
    }
    chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  };

  list.addEventListener("click", ({ target }) => {
    const tab = target instanceof Element ? target.closest("[role=tab]") : null;
    if (tab instanceof HTMLElement) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const shown = tabs.filter((tab) => !tab.hidden);
    const at = shown.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    const next = to === undefined ? undefined : shown[(to + shown.length) % shown.length];
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus();
  });

  return { show: (name) => choose(byId(`tab-${name}`)) };
}
