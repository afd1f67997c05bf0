/** The composer: Menu, the field and Send; Start in an empty chat; Unblock if the bot is blocked. */
import { byId } from "../base/dom.js";
import { createCompletion, matchingCommands } from "./completion.js";
import { createSharing } from "./sharing.js";

/**
 * @param {{
 *   model: import("./model.js").ChatModel,
 *   send: (text: string, replyTo?: number) => Promise<boolean>,
 *   edit: (messageId: number, text: string) => Promise<boolean>,
 * }} parts `send` and `edit` resolve to whether it was done
 */
export function createComposer({ model, send, edit }) {
  const form = /** @type {HTMLFormElement} */ (byId("composer"));
  const field = /** @type {HTMLTextAreaElement} */ (byId("composer-text"));
  const sendButton = /** @type {HTMLButtonElement} */ (byId("send"));
  const menu = byId("menu");
  const start = byId("start");
  const unblock = byId("unblock");
  /** Unsent texts by person and chat. @type {Map<string, string>} */
  const drafts = new Map();
  const replyBar = byId("reply-bar");
  /** The message that the next one replies to, or that it replaces. @type {{ id: number, isEdit: boolean } | undefined} */
  let about;
  let shownFor = "";

  const completion = createCompletion({
    field,
    onChoose: (command, how) => {
      if (how === "send") {
        write("");
        void send(`/${command}`);
      } else {
        write(`/${command} `);
      }
      field.focus();
    },
  });

  /** @param {string} text */
  const write = (text) => {
    field.value = text;
    resize();
  };

  const sharing = createSharing(field, model, () => write(""));

  const resize = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
    sendButton.disabled = field.value.trim() === "";
  };

  const submit = async () => {
    const text = field.value.trim();
    if (text === "") return;
    write("");
    sharing.close();
    completion.show([]);
    const meant = about;
    relate(undefined);
    const hasGone = meant?.isEdit ? await edit(meant.id, text) : await send(text, meant?.id);
    // Restore what could not be sent, unless the user has started something new.
    if (hasGone || field.value !== "") return;
    write(text);
    relate(meant);
  };

  /** @param {typeof about} to */
  const relate = (to) => {
    about = to;
    replyBar.hidden = to === undefined;
    if (to === undefined) return;
    byId("reply-what").textContent = to.isEdit ? "Edit" : "Reply to";
    byId("reply-cancel").setAttribute("aria-label", to.isEdit ? "No edit" : "No reply");
    byId("reply-line").textContent = model.firstLineOf(to.id);
  };
  byId("reply-cancel").addEventListener("click", () => {
    if (about?.isEdit) write("");
    relate(undefined);
    field.focus();
  });

  field.addEventListener("input", () => {
    resize();
    completion.show(matchingCommands(field.value, model.commands()));
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (completion.takesKey(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void submit();
    }
  });
  field.addEventListener("blur", () => completion.show([]));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
    field.focus();
  });
  // Pressing Menu would first blur the field, which closes the list that the click is about to toggle.
  menu.addEventListener("pointerdown", (event) => event.preventDefault());
  menu.addEventListener("click", () => {
    const open = completion.isOpen();
    field.focus();
    completion.show(open ? [] : model.commands());
  });
  start.addEventListener("click", () => void send("/start"));
  unblock.addEventListener("click", () => void model.setBlocked(false));

  /** Shows what this person can do: start, unblock or write. */
  const draw = () => {
    // Each person has their own draft, in groups too.
    const chat = `${model.me()}/${model.room()}`;
    if (shownFor !== chat) {
      drafts.set(shownFor, field.value);
      write(drafts.get(chat) ?? "");
      completion.show([]);
      sharing.close();
      relate(undefined);
      shownFor = chat;
    }
    const blocked = model.group() === undefined && model.person()?.blocked === true;
    const empty = model.group() === undefined && model.messages().length === 0;
    unblock.hidden = !blocked;
    start.hidden = blocked || !empty;
    form.hidden = blocked || empty;
    menu.hidden = model.commands().length === 0;
    // Only now, since a hidden field has no height.
    resize();
    // Nothing is focused yet, or what was focused is gone.
    if (document.activeElement === document.body) (blocked ? unblock : empty ? start : field).focus();
  };

  model.onPeople.listen(draw);
  model.onCommands.listen(draw);

  return {
    /** Makes the next text a reply to this message. @param {number} messageId */
    replyTo: (messageId) => {
      relate({ id: messageId, isEdit: false });
      field.focus();
    },
    /** Makes the next text replace this message's. @param {number} messageId @param {string} text */
    edit: (messageId, text) => {
      relate({ id: messageId, isEdit: true });
      write(text);
      field.focus();
    },
  };
}
