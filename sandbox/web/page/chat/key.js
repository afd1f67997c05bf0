/**
 * A message's button, below or inside it.
 *
 * @import { Button, Message } from "./model.js"
 * @import { Actions } from "./bubble.js"
 */
import { element, icon } from "../base/dom.js";
import { linked } from "./entities.js";

/** @param {Message} message @param {Button} button @param {Actions} actions */
export function key(message, button, actions) {
  const style = actions.isOld() ? undefined : button.style;
  if (button.url !== undefined) {
    const node = linked("key", button.url, actions, button.text, icon("outside"));
    if (style !== undefined) node.dataset["style"] = style;
    return node;
  }
  const waiting = actions.isWaiting(message, button);
  const known = button.data !== undefined || button.copyText !== undefined;
  return element(
    `button.key${waiting ? ".waiting" : ""}`,
    {
      "data-style": style,
      "data-press": button.data,
      "aria-busy": waiting ? "true" : undefined,
      disabled: !known,
      click: () => actions.onPress(message, button),
    },
    element("span", button.text),
    button.copyText !== undefined && icon("copy"),
  );
}
