/** One button of a message, under it or within. */
import { element, icon } from "../base/dom.js";
import { startPayload } from "./entities.js";

/**
 * @param {import("./model.js").Message} message
 * @param {import("./model.js").Button} button
 * @param {Parameters<typeof import("./bubble.js").bubble>[1]} actions
 */
export function key(message, button, actions) {
  const style = actions.isOld() ? undefined : button.style;
  if (button.url !== undefined) {
    const payload = startPayload(button.url);
    if (payload !== undefined) {
      const onStart = { click: () => actions.onStartLink(payload) };
      return element(
        "button",
        { type: "button", class: "key", title: button.url, on: onStart },
        button.text,
        icon("outside"),
      );
    }
    const safe = /^https?:\/\//.test(button.url) ? button.url : undefined;
    return element(
      "a",
      {
        class: "key",
        "data-style": style,
        href: safe,
        title: button.url,
        target: "_blank",
        rel: "noopener noreferrer",
      },
      button.text,
      icon("outside"),
    );
  }
  const waiting = actions.isWaiting(message, button);
  const known = button.data !== undefined || button.copyText !== undefined;
  return element(
    "button",
    {
      type: "button",
      class: `key${waiting ? " waiting" : ""}`,
      "data-style": style,
      "data-press": button.data,
      "aria-busy": waiting ? "true" : undefined,
      disabled: !known,
      on: { click: () => actions.onPress(message, button) },
    },
    element("span", {}, button.text),
    button.copyText !== undefined && icon("copy"),
  );
}
