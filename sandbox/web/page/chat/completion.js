/** The command list above the composer: opened by the Menu button, or by a text that starts with "/". */
import { byId, element } from "../base/dom.js";

/**
 * The commands that start with the typed text, as long as it is a single word after a slash.
 * @param {string} text
 * @param {readonly import("./model.js").Command[]} commands
 */
export function matchingCommands(text, commands) {
  const typed = /^\/([a-z0-9_]*)$/i.exec(text)?.[1]?.toLowerCase();
  if (typed === undefined) return [];
  // An exact match comes first: Enter means it, not a longer one.
  return commands
    .filter(({ command }) => command.startsWith(typed))
    .sort((a, b) => Number(b.command === typed) - Number(a.command === typed));
}

/**
 * @param {{
 *   field: HTMLTextAreaElement,
 *   onChoose: (command: string, how: "send" | "fill") => void,
 * }} parts `fill` if the user wants to add arguments (Tab), otherwise `send`
 */
export function createCompletion({ field, onChoose }) {
  const list = byId("commands");
  /** @type {readonly import("./model.js").Command[]} */
  let shown = [];
  let chosen = 0;

  /** @param {readonly import("./model.js").Command[]} commands */
  const show = (commands) => {
    shown = commands;
    chosen = 0;
    draw();
  };

  const draw = () => {
    list.hidden = shown.length === 0;
    list.replaceChildren(
      ...shown.map(({ command, description }, index) => {
        const attributes = { id: `command-${index}`, role: "option", "aria-selected": String(index === chosen) };
        const listeners = {
          // Keeps the focus in the field, so that typing can continue.
          pointerdown: (/** @type {Event} */ event) => event.preventDefault(),
          click: () => choose(index, "send"),
        };
        return element(
          "li",
          { ...attributes, ...listeners },
          element("strong", `/${command}`),
          element("span", description),
        );
      }),
    );
    if (shown.length === 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", `command-${chosen}`);
    list.children[chosen]?.scrollIntoView({ block: "nearest" });
  };

  /** @param {number} index @param {"send" | "fill"} how */
  const choose = (index, how) => {
    const command = shown[index]?.command;
    show([]);
    if (command) onChoose(command, how);
  };

  return {
    show,
    isOpen: () => shown.length > 0,
    /**
     * @param {KeyboardEvent} event
     * @returns {boolean} whether the key was meant for the list
     */
    takesKey: (event) => {
      if (shown.length === 0) return false;
      switch (event.key) {
        case "ArrowDown":
        case "ArrowUp":
          chosen = (chosen + (event.key === "ArrowDown" ? 1 : shown.length - 1)) % shown.length;
          draw();
          return true;
        case "Tab":
        case "Enter":
          choose(chosen, event.key === "Tab" ? "fill" : "send");
          return true;
        case "Escape":
          show([]);
          return true;
        default:
          return false;
      }
    },
  };
}
