/**
 * Everything the chat side of the page knows, and the one place where the sandbox's events change it.
 *
 * @typedef {{ id: number, firstName: string, username?: string, blocked: boolean }} Person
 * @typedef {{ text: string, data?: string, url?: string, copyText?: string, style?: string }} Button
 * @typedef {{
 *   messageId: number, from: "bot" | "person", date: number, text: string,
 *   entities: import("./entities.js").Entity[], keyboard?: Button[][], editedAt?: number, attachment?: string, fileId?: string,
 *   replyToMessageId?: number,
 * }} Message
 * @typedef {{ command: string, description: string }} Command
 * @typedef {{ callbackQueryId: string, text?: string, showAlert?: boolean }} Answer
 */
import { request } from "../base/api.js";
import { createSignal } from "../base/signal.js";

/** Telegram shows "typing…" for so long after the bot says so. */
const TYPING_MILLISECONDS = 5000;

/** Where the page remembers, for this tab, who was looked at last and what was read. */
const MEMORY = "swapdesk-sandbox";

export function createChatModel() {
  /** @type {Map<number, Person>} */
  const people = new Map();
  /** @type {Map<number, Map<number, Message>>} by person, then by message id */
  const chats = new Map();
  /** @type {Map<number, ReturnType<typeof setTimeout>>} */
  const typing = new Map();
  /** @type {Command[]} */
  let commands = [];
  const memory = remember();
  let me = memory.me;

  /** Someone's row in the list of people changed, or who is looked at. @type {ReturnType<typeof createSignal<void>>} */
  const onPeople = createSignal();
  /** The whole chat has to be drawn again. @type {ReturnType<typeof createSignal<void>>} */
  const onChat = createSignal();
  /** One message of the chat in view is new or changed. @type {ReturnType<typeof createSignal<{ message: Message, isNew: boolean }>>} */
  const onMessage = createSignal();
  /** @type {ReturnType<typeof createSignal<number>>} */
  const onDelete = createSignal();
  /** @type {ReturnType<typeof createSignal<Answer>>} */
  const onAnswer = createSignal();
  /** @type {ReturnType<typeof createSignal<void>>} */
  const onTyping = createSignal();
  /** @type {ReturnType<typeof createSignal<void>>} */
  const onCommands = createSignal();

  /** @param {number} userId */
  const messages = (userId) =>
    [...(chats.get(userId)?.values() ?? [])].sort((a, b) => a.date - b.date || a.messageId - b.messageId);

  /** @param {number} userId */
  const unread = (userId) =>
    messages(userId).filter((message) => message.from === "bot" && message.messageId > (memory.read[userId] ?? 0))
      .length;

  const markRead = () => {
    const last = Math.max(0, ...(chats.get(me)?.keys() ?? []));
    if (last <= (memory.read[me] ?? 0)) return;
    memory.read[me] = last;
    save({ ...memory, me });
  };

  /** @param {number} userId */
  const select = (userId) => {
    me = userId;
    markRead();
    save({ ...memory, me });
    onPeople.tell();
    onChat.tell();
    void readCommands();
  };

  /** The command list depends on the person's language. */
  const readCommands = async () => {
    const userId = me;
    const list = await request(`/_sim/telegram/commands?userId=${userId}`);
    if (userId !== me) return;
    commands = list;
    onCommands.tell();
  };

  const readAll = async () => {
    const list = await request("/_sim/telegram/people");
    const histories = await Promise.all(
      list.map((/** @type {Person} */ person) => request(`/_sim/telegram/chats/${person.id}`)),
    );
    people.clear();
    chats.clear();
    list.forEach((/** @type {Person} */ person, /** @type {number} */ index) => {
      people.set(person.id, person);
      chats.set(person.id, new Map(histories[index].map((/** @type {Message} */ one) => [one.messageId, one])));
    });
    forgetOtherWorld();
    select(people.has(me) ? me : (list[0]?.id ?? 0));
  };

  /** A sandbox that was started anew counts its messages from the beginning again. */
  const forgetOtherWorld = () => {
    for (const [userId, chat] of chats) {
      if ((memory.read[userId] ?? 0) > Math.max(0, ...chat.keys())) memory.read[userId] = 0;
    }
  };

  /** @param {number} userId @param {boolean} on */
  const setTyping = (userId, on) => {
    clearTimeout(typing.get(userId));
    typing.delete(userId);
    if (on)
      typing.set(
        userId,
        setTimeout(() => setTyping(userId, false), TYPING_MILLISECONDS),
      );
    onTyping.tell();
  };

  /** @param {number} userId @param {Message} message */
  const put = (userId, message) => {
    const chat = chats.get(userId);
    if (!chat) return;
    const isNew = !chat.has(message.messageId);
    chat.set(message.messageId, message);
    if (message.from === "bot" && isNew) setTyping(userId, false);
    if (userId === me) {
      if (document.visibilityState === "visible") markRead();
      onMessage.tell({ message, isNew });
    }
    onPeople.tell();
  };

  /** @param {any} event */
  const apply = (event) => {
    switch (event.type) {
      case "message":
      case "edit":
        return put(event.userId, event.message);
      case "delete":
        chats.get(event.userId)?.delete(event.messageId);
        if (event.userId === me) onDelete.tell(event.messageId);
        return onPeople.tell();
      case "callback-answer":
        return onAnswer.tell(event);
      case "typing":
        return setTyping(event.userId, true);
      case "commands":
        return void readCommands();
    }
  };

  return {
    onPeople,
    onChat,
    onMessage,
    onDelete,
    onAnswer,
    onTyping,
    onCommands,
    readAll,
    apply,
    select,
    markRead,
    messages,
    unread,
    me: () => me,
    person: () => people.get(me),
    people: () => [...people.values()],
    commands: () => commands,
    isTyping: () => typing.has(me),
    /** @param {number} messageId */
    firstLineOf: (messageId) => chats.get(me)?.get(messageId)?.text.split("\n")[0] ?? "a message that is gone",
    /** @param {string} text @param {number} [replyTo] the message that it answers */
    send: (text, replyTo) => request(`/_sim/telegram/chats/${me}/messages`, { text, replyTo }),
    /** @param {number} messageId @param {string} data @returns {Promise<{ callbackQueryId: string }>} */
    press: (messageId, data) => request(`/_sim/telegram/chats/${me}/press`, { messageId, data }),
    /** @param {boolean} blocked */
    setBlocked: async (blocked) => {
      const userId = me;
      await request(`/_sim/telegram/people/${userId}`, { blocked });
      const person = people.get(userId);
      if (person) people.set(userId, { ...person, blocked });
      onPeople.tell();
    },
  };
}

/** @typedef {ReturnType<typeof createChatModel>} ChatModel */

/** @returns {{ me: number, read: Record<number, number> }} */
function remember() {
  try {
    return { me: 0, read: {}, ...JSON.parse(sessionStorage.getItem(MEMORY) ?? "{}") };
  } catch {
    return { me: 0, read: {} };
  }
}

/** @param {{ me: number, read: Record<number, number> }} memory */
function save(memory) {
  sessionStorage.setItem(MEMORY, JSON.stringify(memory));
}
