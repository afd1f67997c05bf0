/**
 * All state of the chat side, changed by the sandbox's events only here.
 *
 * @typedef {{ id: number, firstName: string, username?: string, languageCode?: string, blocked: boolean }} Person
 * @typedef {{ text: string, data?: string | undefined, url?: string, copyText?: string, style?: string, disabled?: boolean }} Button
 * @typedef {{
 *   messageId: number, from: "bot" | "person", fromId: number, fromName: string, date: number, text: string,
 *   entities: import("./entities.js").Entity[], keyboard?: Button[][], editedAt?: number, attachment?: string, fileId?: string,
 *   photo?: { fileId: string, width: number, height: number },
 *   replyToMessageId?: number, forceReply?: boolean, onlyFor?: number,
 * }} Message
 * @typedef {{ id: number, title: string, memberIds: number[] }} Group
 * @typedef {{ command: string, description: string }} Command
 * @typedef {{ inlineQueryId: string, button?: { text: string }, results: { id: string, title: string, description?: string }[] }} Offer
 * @typedef {{ callbackQueryId: string, text?: string, showAlert?: boolean }} Answer
 */
import { request } from "../base/api.js";
import { createSignal } from "../base/signal.js";
import { setLanguage } from "../base/time.js";

/** How long Telegram shows "typing…" after each chat action. */
const TYPING_MS = 5000;

/** The session storage key of the last viewed person and the read messages, for this tab. */
const MEMORY = "swapdesk-sandbox";

export function createChatModel() {
  /** @type {Map<number, Person>} */
  const people = new Map();
  /** @type {Map<number, Group>} */
  const groups = new Map();
  /** @type {Map<number, Map<number, Message>>} by person or group, then by message id */
  const chats = new Map();
  /** @type {Map<number, ReturnType<typeof setTimeout>>} */
  const typing = new Map();
  /** @type {Command[]} */
  let commands = [];
  const memory = remember();
  let me = memory.me;
  /** The viewed chat: the person's own with the bot, or a group. */
  let room = me;

  /** A row in the list of people has changed, or the viewed person. @type {ReturnType<typeof createSignal<void>>} */
  const onPeople = createSignal();
  /** The whole chat has to be redrawn. @type {ReturnType<typeof createSignal<void>>} */
  const onChat = createSignal();
  /** A message of the chat is new or changed. @type {ReturnType<typeof createSignal<{ message: Message, isNew: boolean }>>} */
  const onMessage = createSignal();
  /** @type {ReturnType<typeof createSignal<number>>} */
  const onDelete = createSignal();
  /** @type {ReturnType<typeof createSignal<Answer>>} */
  const onAnswer = createSignal();
  /** The bot's results for this person's inline query. @type {ReturnType<typeof createSignal<Offer>>} */
  const onInline = createSignal();
  /** @type {ReturnType<typeof createSignal<void>>} */
  const onTyping = createSignal();
  /** @type {ReturnType<typeof createSignal<void>>} */
  const onCommands = createSignal();

  /** A chat's messages visible to this person; ephemeral ones have negative ids. @param {number} [chatId] */
  const messages = (chatId = room) =>
    [...(chats.get(chatId)?.values() ?? [])]
      .filter(({ onlyFor }) => onlyFor === undefined || onlyFor === me)
      .sort((a, b) => a.date - b.date || Math.abs(a.messageId) - Math.abs(b.messageId));

  /** @param {number} chatId */
  const lastIn = (chatId) => Math.max(0, ...[...(chats.get(chatId)?.keys() ?? [])].map(Math.abs));

  /** @param {number} userId */
  const unread = (userId) =>
    messages(userId).filter(({ from, messageId }) => from === "bot" && Math.abs(messageId) > (memory.read[userId] ?? 0))
      .length;

  const markRead = () => {
    const last = lastIn(room);
    if (last <= (memory.read[room] ?? 0)) return;
    memory.read[room] = last;
    save({ ...memory, me });
  };

  /** @param {number} userId @param {number} [chatId] a group; by default the person's own chat */
  const select = (userId, chatId = userId) => {
    me = userId;
    room = chatId;
    setLanguage(people.get(userId)?.languageCode);
    markRead();
    save({ ...memory, me });
    onPeople.tell();
    onChat.tell();
    void readCommands();
  };

  /** The command list depends on the person's language. */
  const readCommands = async () => {
    const [userId, chatId] = [me, room];
    const list = await request(`/_sim/telegram/commands?userId=${userId}&chatId=${chatId}`);
    if (userId !== me || chatId !== room) return;
    commands = list;
    onCommands.tell();
  };

  const readAll = async () => {
    /** @type {[Person[], Group[]]} */
    const [persons, rooms] = await Promise.all([request("/_sim/telegram/people"), request("/_sim/telegram/groups")]);
    const ids = [...persons, ...rooms].map(({ id }) => id);
    const histories = await Promise.all(ids.map((id) => request(`/_sim/telegram/chats/${id}`)));
    people.clear();
    groups.clear();
    chats.clear();
    for (const person of persons) people.set(person.id, person);
    for (const group of rooms) groups.set(group.id, group);
    ids.forEach((id, index) =>
      chats.set(id, new Map(histories[index].map((/** @type {Message} */ one) => [one.messageId, one]))),
    );
    forgetOtherWorld();
    if (people.has(me)) select(me, groups.has(room) ? room : me);
    else select(persons[0]?.id ?? 0);
  };

  /** A fresh sandbox counts its messages from one again, so drop outdated read marks. */
  const forgetOtherWorld = () => {
    for (const chatId of chats.keys()) {
      if ((memory.read[chatId] ?? 0) > lastIn(chatId)) memory.read[chatId] = 0;
    }
  };

  /** @param {number} userId @param {boolean} on */
  const setTyping = (userId, on) => {
    clearTimeout(typing.get(userId));
    typing.delete(userId);
    if (on)
      typing.set(
        userId,
        setTimeout(() => setTyping(userId, false), TYPING_MS),
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
    if (userId === room && (message.onlyFor ?? me) === me) {
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
        if (event.userId === room) onDelete.tell(event.messageId);
        return onPeople.tell();
      case "callback-answer":
        return onAnswer.tell(event);
      case "inline-answer":
        return event.userId === me ? onInline.tell(event) : undefined;
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
    onInline,
    onTyping,
    onCommands,
    readAll,
    apply,
    select,
    markRead,
    messages,
    unread,
    me: () => me,
    room: () => room,
    /** The viewed chat, if it is a group. */
    group: () => groups.get(room),
    groups: () => [...groups.values()],
    person: () => people.get(me),
    people: () => [...people.values()],
    commands: () => commands,
    isTyping: () => typing.has(room),
    /** @param {number} messageId */
    firstLineOf: (messageId) => chats.get(room)?.get(messageId)?.text.split("\n")[0] ?? "a message that is gone",
    /** @param {string} text @param {number} [replyTo] the message to reply to */
    send: (text, replyTo) => request(`/_sim/telegram/chats/${room}/messages`, { text, replyTo, as: me }),
    /** @param {number} messageId @param {string} text */
    edit: (messageId, text) => request(`/_sim/telegram/chats/${room}/messages/${messageId}`, { text, as: me }),
    /** @param {number} messageId @param {string} data @returns {Promise<{ callbackQueryId: string }>} */
    press: (messageId, data) => request(`/_sim/telegram/chats/${room}/press`, { messageId, data, as: me }),
    /** @param {string} query @returns {Promise<{ inlineQueryId: string }>} */
    askInline: (query) => request(`/_sim/telegram/people/${me}/inline`, { query }),
    /** @param {string} inlineQueryId @param {string} resultId */
    chooseInline: (inlineQueryId, resultId) =>
      request(`/_sim/telegram/people/${me}/inline/choice`, { inlineQueryId, resultId, chatId: room }),
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
