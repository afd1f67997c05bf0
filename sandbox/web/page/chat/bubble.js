/** One message as a bubble: its text with entities, its time, and the keyboard under it. */
import { element, icon } from "../base/dom.js";
import { clockTime } from "../base/time.js";
import { renderText } from "./entities.js";
import { key } from "./key.js";
import { richBody } from "./rich.js";

/**
 * @param {import("./model.js").Message} message
 * @param {import("./entities.js").EntityActions & {
 *   onReply: (message: import("./model.js").Message) => void,
 *   firstLineOf: (messageId: number) => string,
 *   onPress: (message: import("./model.js").Message, button: import("./model.js").Button) => void,
 *   isMine: (message: import("./model.js").Message) => boolean,
 *   isOld: () => boolean,
 *   isWaiting: (message: import("./model.js").Message, button: import("./model.js").Button) => boolean,
 * }} actions
 */
export function bubble(message, actions) {
  const isMine = actions.isMine(message);
  const sender = message.from === "bot" ? "Swapdesk" : isMine ? "You" : message.fromName;
  return element(
    "article",
    {
      class: `message from-${isMine ? "me" : "others"}`,
      "data-message": message.messageId,
      "aria-label": `${sender}, ${clockTime(message.date)}`,
    },
    element(
      "div",
      { class: "bubble" },
      message.replyToMessageId !== undefined &&
        element("div", { class: "quoted", dir: "auto" }, actions.firstLineOf(message.replyToMessageId)),
      message.photo !== undefined && photo(message.photo, message.text),
      message.attachment !== undefined && attachment(message.attachment, message.fileId),
      message.onlyFor !== undefined && element("div", { class: "only-you" }, "Only you can see this"),
      message.from === "person" && !isMine && element("div", { class: "sender" }, message.fromName),
      content(message, actions),
      element(
        "span",
        { class: "meta" },
        message.from === "bot" &&
          element(
            "button",
            {
              type: "button",
              class: "reply",
              "aria-label": "Reply",
              on: { click: () => actions.onReply(message) },
            },
            icon("reply"),
          ),
        message.editedAt !== undefined &&
          element("span", { title: `edited at ${clockTime(message.editedAt)}` }, "edited "),
        element("time", { datetime: new Date(message.date * 1000).toISOString() }, clockTime(message.date)),
      ),
    ),
    message.keyboard && message.keyboard.length > 0 && keyboard(message, message.keyboard, actions),
  );
}

/** @param {import("./model.js").Message} message @param {Parameters<typeof bubble>[1]} actions */
function content(message, actions) {
  if (message.rich === undefined) {
    return element("div", { class: "text", dir: "auto" }, renderText(message.text, message.entities, actions));
  }
  if (!actions.isOld()) return richBody(message, message.rich, actions);
  return element("div", { class: "text" }, "This message is not supported by your version of Telegram. Please update.");
}

/** @param {NonNullable<import("./model.js").Message["photo"]>} photo @param {string} caption which says what is on it */
function photo({ fileId, width, height }, caption) {
  const src = `/_sim/telegram/files/${encodeURIComponent(fileId)}`;
  return element("img", { class: "photo", src, width, height, alt: caption });
}

/** The name of a file, which a click saves. @param {string} name @param {string | undefined} fileId */
function attachment(name, fileId) {
  if (fileId === undefined) return element("div", { class: "attachment" }, icon("file"), name);
  const href = `/_sim/telegram/files/${encodeURIComponent(fileId)}`;
  return element("a", { class: "attachment", href, download: name, title: `Save ${name}` }, icon("file"), name);
}

/**
 * @param {import("./model.js").Message} message
 * @param {import("./model.js").Button[][]} rows
 * @param {Parameters<typeof bubble>[1]} actions
 */
function keyboard(message, rows, actions) {
  return element(
    "div",
    { class: "keyboard", role: "group", "aria-label": "Buttons of this message" },
    ...rows.map((row) =>
      element("div", { class: "keyboard-row" }, ...row.map((button) => key(message, button, actions))),
    ),
  );
}
