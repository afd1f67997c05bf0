/** The list of people whose phone one can hold: who is looked at, the last line of each chat, and what is unread. */
import { byId, element } from "../base/dom.js";
import { clockTime } from "../base/time.js";

/** @param {{ model: import("./model.js").ChatModel, onChoose: () => void }} parts */
export function createPeopleList({ model, onChoose }) {
  const list = byId("people");

  const draw = () => {
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset["person"] : undefined;
    list.replaceChildren(...model.people().map(row));
    if (focused) /** @type {HTMLElement | null} */ (list.querySelector(`[data-person="${focused}"]`))?.focus();
  };

  /** @param {import("./model.js").Person} person */
  const row = (person) => {
    const last = model.messages(person.id).at(-1);
    const unread = model.unread(person.id);
    const preview = last ? (last.from === "person" ? "You: " : "") + last.text.replace(/\s+/g, " ") : "No messages yet";
    return element(
      "li",
      {},
      element(
        "button",
        {
          type: "button",
          class: "person",
          "data-person": person.id,
          "aria-current": person.id === model.me() ? "true" : undefined,
          on: {
            click: () => {
              model.select(person.id);
              onChoose();
            },
          },
        },
        element("span", { class: `avatar tint-${person.id % 6}`, "aria-hidden": "true" }, person.firstName.slice(0, 1)),
        element(
          "span",
          { class: "person-lines" },
          element(
            "span",
            { class: "person-line" },
            element("span", { class: "person-name" }, person.firstName),
            person.blocked && element("span", { class: "tag" }, "blocked"),
            last && element("time", {}, clockTime(last.date)),
          ),
          element(
            "span",
            { class: "person-line" },
            element("span", { class: "person-preview" }, preview.slice(0, 120)),
            unread > 0 && element("span", { class: "badge", "aria-label": `${unread} unread` }, unread),
          ),
        ),
      ),
    );
  };

  model.onPeople.listen(draw);
}
