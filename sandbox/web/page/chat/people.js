/** The list of people whose phone the visitor can hold, with each chat's last line and unread count. */
import { byId, element } from "../base/dom.js";
import { clockTime } from "../base/time.js";

/** @param {{ model: import("./model.js").ChatModel, onChoose: () => void }} parts */
export function createPeopleList({ model, onChoose }) {
  const list = byId("people");

  const draw = () => {
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset["person"] : undefined;
    const rows = [
      ...model.people().map((person) => row(person.id, person.id, person.firstName, person.blocked)),
      ...model.groups().map((group) => row(group.id, model.me(), group.title, false)),
    ];
    list.replaceChildren(...rows);
    if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-person="${focused}"]`))?.focus();
  };

  /**
   * @param {number} chatId @param {number} userId the person viewing it
   * @param {string} name @param {boolean} blocked
   */
  const row = (chatId, userId, name, blocked) => {
    const last = model.messages(chatId).at(-1);
    const unread = model.unread(chatId);
    const own = last?.fromId === userId ? "You: " : "";
    const preview = last ? own + last.text.replace(/\s+/g, " ") : "No messages yet";
    const click = () => {
      model.select(userId, chatId);
      onChoose();
    };
    const isShown = chatId === model.room() ? "true" : undefined;
    return element(
      "li",
      element(
        "button.person",
        { "data-person": chatId, "aria-current": isShown, click },
        element(`span.avatar.tint-${Math.abs(chatId) % 6}`, { "aria-hidden": "true" }, name.slice(0, 1)),
        element(
          "span.person-lines",
          element(
            "span.person-line",
            element("span.person-name", name),
            blocked && element("span.tag", "blocked"),
            last && element("time", clockTime(last.date)),
          ),
          element(
            "span.person-line",
            element("span.person-preview", preview.slice(0, 120)),
            unread > 0 && element("span.badge", { "aria-label": `${unread} unread` }, unread),
          ),
        ),
      ),
    );
  };

  model.onPeople.listen(draw);
}
