/** What the bot offers behind its name: `@swapdesk_sandbox_bot 100 KLV KFI`, typed in any chat, shows what can be sent there. */
import { byId, element } from "../base/dom.js";

const ASKED = /^@swapdesk_sandbox_bot\s+(\S.*)$/is;
/** Apps wait until somebody stops typing. */
const PAUSE_MS = 300;

/**
 * @param {{
 *   field: HTMLTextAreaElement,
 *   model: import("./model.js").ChatModel,
 *   toast: (text: string) => void,
 *   onSent: () => void,
 * }} parts
 */
export function createSharing({ field, model, toast, onSent }) {
  const list = byId("shared");
  /** The query whose answer is shown. @type {string | undefined} */
  let asked;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;

  /** @param {readonly Node[]} rows */
  const show = (rows) => {
    list.hidden = rows.length === 0;
    list.replaceChildren(...rows.map((row) => element("li", {}, row)));
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
    pause = setTimeout(async () => {
      try {
        asked = (await model.askInline(query)).inlineQueryId;
      } catch (error) {
        toast(error instanceof Error ? error.message : String(error));
      }
    }, PAUSE_MS);
  });

  model.onInline.listen(({ inlineQueryId, results, button }) => {
    // The answer may be here before the question's id is.
    if (asked !== undefined && inlineQueryId !== asked) return;
    const offers = results.map(({ id, title, description }) =>
      element(
        "button",
        {
          type: "button",
          class: "offer",
          on: {
            click: () => {
              close();
              onSent();
              void model.chooseInline(inlineQueryId, id).catch((error) => toast(error.message));
            },
          },
        },
        element("strong", {}, title),
        element("span", {}, description ?? ""),
      ),
    );
    show(offers.length > 0 || button === undefined ? offers : [element("p", { class: "hint" }, button.text)]);
  });

  return { close };
}
