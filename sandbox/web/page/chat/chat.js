/** The chat pane: connects the model to the header, the message list and the composer. */
import { byId } from "../base/dom.js";
import { copy, orToast, toast } from "../base/notices.js";
import { shortAddress } from "../base/figures.js";
import { createClient } from "./client.js";
import { createComposer } from "./composer.js";
import { createLog } from "./log.js";
import { createPresses } from "./presses.js";

/**
 * @param {import("./model.js").ChatModel} model
 * @returns {{ drawAccounts: (world: import("../inspector/world.js").World) => void }}
 */
export function createChat(model) {
  const client = createClient();
  const status = byId("chat-status");
  const block = byId("block");
  const ownAddress = byId("own-address");
  /** Each person's account on the chain. @type {Map<number, string>} */
  let addresses = new Map();

  /** @param {string} text @param {number} [replyTo] */
  const send = async (text, replyTo) => (await orToast(model.send(text, replyTo))) !== undefined;

  const log = createLog(model, {
    onCommand: (command) => void send(command),
    onBotLink: (payload) => {
      // It opens the private chat, wherever it was clicked.
      if (model.group() !== undefined) model.select(model.me());
      if (payload !== undefined) void send(`/start ${payload}`);
    },
    onOutsideLink: (url) => toast(`This would open ${url}. The sandbox stays on this machine.`),
    onEdit: (message) => composer.edit(message.messageId, message.text),
    onReply: (message) => composer.replyTo(message.messageId),
    firstLineOf: model.firstLineOf,
    isMine: ({ fromId }) => fromId === model.me(),
    isOld: client.isOld,
    onCopy: (text) => void copy(text),
    onPress: (message, button) => {
      if (button.copyText !== undefined) void copy(button.copyText);
      else if (!presses.isWaiting(message, button)) void presses.press(message, button);
    },
    isWaiting: (message, button) => presses.isWaiting(message, button),
  });
  client.onChange.listen(() => {
    model.onPeople.tell();
    model.onChat.tell();
  });
  const presses = createPresses(model, log.refresh);
  /** @param {number} messageId @param {string} text */
  const edit = async (messageId, text) => (await orToast(model.edit(messageId, text))) !== undefined;
  const composer = createComposer({ model, send, edit });
  model.onMessage.listen(({ message, isNew }) => {
    if (isNew && message.forceReply === true && !client.isOld()) composer.replyTo(message.messageId);
  });

  const drawHeader = () => {
    const person = model.person();
    if (!person) return;
    const typing = model.isTyping();
    const group = model.group();
    byId("chat-name").textContent = group?.title ?? "Swapdesk";
    byId("chat-kind").textContent = group === undefined ? "bot" : "group";
    status.textContent = typing ? "typing…" : `you are ${person.firstName}`;
    status.classList.toggle("typing", typing);
    const address = addresses.get(person.id);
    ownAddress.hidden = typing || address === undefined;
    ownAddress.textContent = shortAddress(address ?? "");
    ownAddress.setAttribute("aria-label", `Copy the address of ${person.firstName}, ${ownAddress.textContent}`);
    ownAddress.title = `${address}: press to copy`;
    block.hidden = group !== undefined;
    block.textContent = person.blocked ? "Unblock" : "Block";
    block.setAttribute("aria-label", `${person.blocked ? "Unblock" : "Block"} the bot as ${person.firstName}`);
  };
  ownAddress.addEventListener("click", () => void copy(addresses.get(model.me()) ?? ""));
  block.addEventListener("click", () => void orToast(model.setBlocked(model.person()?.blocked !== true)));
  model.onPeople.listen(drawHeader);
  model.onTyping.listen(drawHeader);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") {
      model.markRead();
      model.onPeople.tell();
    }
  });

  return {
    drawAccounts: (world) => {
      addresses = new Map(world.accounts.map(({ telegramId, address }) => [telegramId ?? 0, address]));
      drawHeader();
    },
  };
}
