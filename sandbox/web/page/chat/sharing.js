/** Inline mode: typing `@swapdesk_sandbox_bot 100 KLV KFI` in any chat shows what can be sent there. */
import { byId, element } from "../base/dom.js";
import { orToast } from "../base/notices.js";

const ASKED = /^@swapdesk_sandbox_bot\s+(\S.*)$/is;
/** Apps send a query once the user stops typing. */
const PAUSE_MS = 300;

/**
 * @param {HTMLTextAreaElement} field
 * @param {import("./model.js").ChatModel} model
 * @param {() => void} onSent
 */
export function createSharing(field, model, onSent) {
  const list = byId("shared");
  /** The id of the latest query. @type {string | undefined} */
  let asked;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  /** @param {readonly Node[]} rows */
  const show = (rows) => {
    list.hidden = rows.length === 0;
    list.replaceChildren(...rows.map((row) => element("li", row)));
  };

  const close = () => {
    clearTimeout(pause);
    asked = undefined;
    show([]);
  };

  field.addEventListener("input", () => {
    close();
    const query = ASKED.exec(field.value)?.[1];
    if (query === undefined) return;
    const ask = async () => {
      asked = (await model.askInline(query)).inlineQueryId;
    };
    pause = setTimeout(() => void orToast(ask()), PAUSE_MS);
  });

  model.onInline.listen(({ inlineQueryId, results, button }) => {
    // The answer may arrive before the query's id.
    if (asked !== undefined && inlineQueryId !== asked) return;
    const offers = results.map(({ id, title, description }) => {
      const click = () => {
        close();
        onSent();
        void orToast(model.chooseInline(inlineQueryId, id));
      };
      return element("button.offer", { click }, element("strong", title), element("span", description ?? ""));
    });
    show(offers.length > 0 || button === undefined ? offers : [element("p.hint", button.text)]);
  });

  return { close };
}
