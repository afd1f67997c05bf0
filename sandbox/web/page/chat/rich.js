/**
 * Renders rich messages: headings, tables, rows of buttons. The sandbox's server has validated them.
 *
 * @typedef {Record<string, any> & { type: string }} Node a block, or styled text
 * @typedef {string | Node | RichText[]} RichText
 * @import { Message } from "./model.js"
 * @import { Actions } from "./bubble.js"
 */
import { element } from "../base/dom.js";
import { key } from "./key.js";
import { moment } from "./moments.js";

const styles = /** @type {const} */ ({
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
  code: "code",
  marked: "mark",
});

/** @param {Message} message @param {readonly Node[]} blocks @param {Actions} actions @returns {HTMLElement} */
export function richBody(message, blocks, actions) {
  /** @param {RichText | undefined} text @returns {(HTMLElement | string)[]} */
  const inline = (text) => {
    if (text === undefined) return [];
    if (typeof text === "string") return [text];
    if (Array.isArray(text)) return text.flatMap(inline);
    if (text.type === "button") return [pressed(text["button"])];
    if (text.type === "date_time") {
      return [moment(String(inline(text["text"]).join("")), text["unix_time"], text["date_time_format"])];
    }
    const inner = inline(text["text"]);
    if (text.type === "url") {
      return [element("a.link", { href: text["url"], target: "_blank", rel: "noopener noreferrer" }, ...inner)];
    }
    return [element(styles[/** @type {keyof typeof styles} */ (text.type)] ?? "span", ...inner)];
  };

  /** @param {any} button in the Bot API's form */
  const pressed = ({ text, callback_data, url, copy_text, style, disabled }) =>
    key(
      message,
      { text: inline(text).map(String).join(""), data: callback_data, url, copyText: copy_text?.text, style, disabled },
      actions,
    );

  /** @param {Node} block @returns {HTMLElement} */
  const draw = (block) => {
    const text = () => inline(block["text"]);
    switch (block.type) {
      case "heading":
        return element("p.rich-heading", ...text());
      case "divider":
        return element("hr");
      case "pre":
        return element("pre", { tabindex: 0 }, ...text());
      case "footer":
        return element("p.rich-footer", ...text());
      case "blockquote":
      case "expandable_blockquote":
        return element("blockquote", ...text(), ...(block["blocks"] ?? []).map(draw));
      case "details":
        return element("details", element("summary", ...inline(block["summary"])), ...block["blocks"].map(draw));
      case "list":
        return element(
          "ul",
          ...block["items"].map((/** @type {any} */ { blocks }) => element("li", ...blocks.map(draw))),
        );
      case "buttons":
        return element("div.rich-buttons", ...block["buttons"].map(pressed));
      case "table":
        return table(block);
      default:
        return element("p", ...text());
    }
  };

  /** @param {Node} block */
  const table = ({ cells, is_striped: striped }) => {
    const rows = cells.map((/** @type {any[]} */ row) =>
      row.map(({ text, is_header: header, align, valign }) => {
        const attributes = { "data-align": align, "data-valign": valign, scope: header ? "col" : undefined };
        return element(header ? "th" : "td", attributes, ...inline(text));
      }),
    );
    const body = element("tbody", ...rows.map((/** @type {HTMLElement[]} */ row) => element("tr", ...row)));
    return element("table", { class: striped ? "striped" : "" }, body);
  };

  return element("div.rich", { dir: "auto" }, ...blocks.map(draw));
}
