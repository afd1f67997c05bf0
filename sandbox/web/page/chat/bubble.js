/**
 * One message as a bubble: its text with entities, its time, and the keyboard under it.
 *
 * @import { Button, Message } from "./model.js"
 * @typedef {import("./entities.js").EntityActions & {
 *   onReply: (message: Message) => void,
 *   onEdit: (message: Message) => void,
 *   firstLineOf: (messageId: number) => string,
 *   onPress: (message: Message, button: Button) => void,
 *   isMine: (message: Message) => boolean,
 *   isOld: () => boolean,
 *   isWaiting: (message: Message, button: Button) => boolean,
 * }} Actions
 */
import { element, icon } from "../base/dom.js";
import { clockTime } from "../base/time.js";
import { renderText } from "./entities.js";
import { key } from "./key.js";

/** @param {Message} message @param {Actions} actions */
export function bubble(message, actions) {
  const isMine = actions.isMine(message);
  const sender = message.from === "bot" ? "Swapdesk" : isMine ? "You" : message.fromName;
  const edited = message.editedAt !== undefined && `edited at ${clockTime(message.editedAt)}`;
  const reply = { "aria-label": "Reply", click: () => actions.onReply(message) };
  const edit = { "aria-label": "Edit", click: () => actions.onEdit(message) };
  return element(
    `article.message.from-${isMine ? "me" : "others"}`,
    { "data-message": message.messageId, "aria-label": `${sender}, ${clockTime(message.date)}` },
    element(
      "div.bubble",
      message.replyToMessageId !== undefined &&
        element("div.quoted", { dir: "auto" }, actions.firstLineOf(message.replyToMessageId)),
      message.photo !== undefined && photo(message.photo, message.text),
      message.attachment !== undefined && attachment(message.attachment, message.fileId),
      message.onlyFor !== undefined && element("div.only-you", "Only you can see this"),
      message.from === "person" && !isMine && element("div.sender", message.fromName),
      element("div.text", { dir: "auto" }, renderText(message.text, message.entities, actions)),
      element(
        "span.meta",
        message.from === "bot" && element("button.reply", reply, icon("reply")),
        isMine && message.from === "person" && element("button.reply", edit, icon("edit")),
        edited && element("span", { title: edited }, "edited "),
        element("time", { datetime: new Date(message.date * 1000).toISOString() }, clockTime(message.date)),
      ),
    ),
    message.keyboard && message.keyboard.length > 0 && keyboard(message, message.keyboard, actions),
  );
}

/** @param {NonNullable<Message["photo"]>} photo @param {string} caption describes the picture */
function photo({ fileId, width, height }, caption) {
  const src = `/_sim/telegram/files/${encodeURIComponent(fileId)}`;
  return element("img.photo", { src, width, height, alt: caption });
}

/** A file's name; a click saves the file. @param {string} name @param {string | undefined} fileId */
function attachment(name, fileId) {
  if (fileId === undefined) return element("div.attachment", icon("file"), name);
  const href = `/_sim/telegram/files/${encodeURIComponent(fileId)}`;
  return element("a.attachment", { href, download: name, title: `Save ${name}` }, icon("file"), name);
}

/** @param {Message} message @param {Button[][]} rows @param {Actions} actions */
function keyboard(message, rows, actions) {
  const drawn = rows.map((row) => element("div.keyboard-row", ...row.map((button) => key(message, button, actions))));
  return element("div.keyboard", { role: "group", "aria-label": "Buttons of this message" }, ...drawn);
}
