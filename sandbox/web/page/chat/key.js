/**
 * A message's button, below or inside it.
 *
 * @import { Button, Message } from "./model.js"
 * @import { Actions } from "./bubble.js"
 */
import { element, icon } from "../base/dom.js";
import { startPayload } from "./entities.js";

/** @param {Message} message @param {Button} button @param {Actions} actions */
export function key(message, button, actions) {
  const style = actions.isOld() ? undefined : button.style;
  if (button.url !== undefined) {
    const title = button.url;
    const payload = startPayload(title);
    if (payload !== undefined) {
      const click = () => actions.onStartLink(payload);
      return element("button.key", { title, click }, button.text, icon("outside"));
    }
    const href = /^https?:\/\//.test(title) ? title : undefined;
    const elsewhere = { target: "_blank", rel: "noopener noreferrer" };
    return element("a.key", { "data-style": style, href, title, ...elsewhere }, button.text, icon("outside"));
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
