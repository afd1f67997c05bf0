/**
 * The message list: drawn once per chat, then updated message by message, and kept scrolled to its end.
 *
 * @import { ChatModel, Message } from "./model.js"
 */
import { byId, element } from "../base/dom.js";
import { dayName, sameDay } from "../base/time.js";
import { bubble } from "./bubble.js";
import { keepTicking } from "./moments.js";

/** A new message scrolls into view if the end is nearer than this. */
const NEAR_END_PIXELS = 80;
const HIGHLIGHT_MS = 1600;

/** @param {ChatModel} model @param {import("./bubble.js").Actions} actions */
export function createLog(model, actions) {
  const scroller = byId("scroller");
  const log = byId("log");
  const toEnd = byId("to-end");
  const toEndCount = byId("to-end-count");
  let atEnd = true;
  let missed = 0;
  /** Scrolls to the last message. */
  const showEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    atEnd = true;
    showMissed(0);
  };

  /** @param {number} count */
  const showMissed = (count) => {
    missed = count;
    toEnd.hidden = atEnd;
    toEndCount.textContent = count > 0 ? String(count) : "";
    toEnd.setAttribute("aria-label", count > 0 ? `${count} new, go to the last message` : "Go to the last message");
  };

  scroller.addEventListener("scroll", () => {
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END_PIXELS;
    showMissed(atEnd ? 0 : missed);
  });
  toEnd.addEventListener("click", showEnd);
  // A growing bubble or composer must not push the last message out of view.
  const observer = new ResizeObserver(() => atEnd && showEnd());
  observer.observe(scroller);
  observer.observe(log);

  /** @param {number} messageId */
  const find = (messageId) => log.querySelector(`[data-message="${messageId}"]`);

  const drawAll = () => {
    const person = model.person();
    const partner = model.group()?.title ?? "Swapdesk";
    log.setAttribute("aria-label", person ? `Chat of ${person.firstName} with ${partner}` : "Chat");
    log.replaceChildren();
    /** @type {Message | undefined} */
    let before;
    for (const message of model.messages()) {
      add(message, before);
      before = message;
    }
    showEmpty(before === undefined);
    showEnd();
  };

  /** @param {boolean} isEmpty */
  const showEmpty = (isEmpty) => {
    const isGroup = model.group() !== undefined;
    byId("empty").hidden = !isEmpty || isGroup;
    byId("empty-group").hidden = !isEmpty || !isGroup;
  };

  /** @param {Message} message @param {Message | undefined} before */
  const add = (message, before) => {
    if (!before || !sameDay(before.date, message.date)) {
      log.append(element("div.day", element("span", dayName(message.date))));
    }
    const node = bubble(message, actions);
    if (before?.fromId === message.fromId) node.classList.add("same-sender");
    log.append(node);
  };

  model.onChat.listen(drawAll);
  keepTicking(log);

  model.onMessage.listen(({ message, isNew }) => {
    const old = find(message.messageId);
    if (old) {
      const focusedKey = [...old.querySelectorAll(".key")].indexOf(/** @type {Element} */ (document.activeElement));
      const node = bubble(message, actions);
      if (old.classList.contains("same-sender")) node.classList.add("same-sender");
      node.classList.add("changed");
      setTimeout(() => node.classList.remove("changed"), HIGHLIGHT_MS);
      old.replaceWith(node);
      // Keep the focus on the same button; if the message has none left, move it to the composer.
      const keys = /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".key"));
      if (focusedKey >= 0) (keys[Math.min(focusedKey, keys.length - 1)] ?? byId("composer-text")).focus();
      return;
    }
    const shown = model.messages();
    add(message, shown[shown.indexOf(message) - 1]);
    showEmpty(false);
    log.lastElementChild?.classList.add("arrived");
    if (atEnd || actions.isMine(message)) showEnd();
    else if (isNew) showMissed(missed + 1);
  });

  model.onDelete.listen((messageId) => find(messageId)?.remove());

  return {
    /** Updates a message whose button has started or stopped waiting. @param {Message} message */
    refresh: (message) => {
      const current = model.messages().find(({ messageId }) => messageId === message.messageId);
      const node = find(message.messageId);
      if (!current || !node) return;
      for (const key of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[data-press]"))) {
        const waiting = actions.isWaiting(current, { text: "", data: key.dataset["press"] });
        key.classList.toggle("waiting", waiting);
        if (waiting) key.setAttribute("aria-busy", "true");
        else key.removeAttribute("aria-busy");
      }
    },
  };
}
