/**
 * Renders text with Telegram's entities as DOM nodes. Offsets and lengths count UTF-16 units, as in JavaScript.
 *
 * @typedef {{
 *   type: string, offset: number, length: number, url?: string, language?: string, unix_time?: number, date_time_format?: string,
 * }} Entity
 * @typedef {{
 *   onCommand: (command: string) => void,
 *   onBotLink: (payload: string | undefined) => void,
 *   onOutsideLink: (url: string) => void,
 *   onCopy: (text: string) => void,
 *   isOld: () => boolean,
 * }} EntityActions
 */
import { element } from "../base/dom.js";
import { moment } from "./moments.js";

/** Chat clients make commands and URLs clickable even if the sender did not mark them. */
const found = [
  { type: "bot_command", pattern: /(?<![\w/<>.])\/[a-z0-9_]{1,32}(?![\w/])/gi },
  { type: "url", pattern: /\bhttps?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]]/gi },
];

/** Longer quotes are folded. */
const FOLDED_LINES = 3;
const FOLDED_CHARACTERS = 150;

/** Simple styles and their elements. */
const styles = /** @type {const} */ ({
  bold: "strong",
  italic: "em",
  underline: "u",
  strikethrough: "s",
});

/**
 * @param {string} text
 * @param {readonly Entity[]} entities
 * @param {EntityActions} actions
 * @returns {DocumentFragment}
 */
export function renderText(text, entities, actions) {
  const all = [...entities, ...findUnmarked(text, entities)].sort((a, b) => a.offset - b.offset || b.length - a.length);
  const fragment = document.createDocumentFragment();
  fill(fragment, text, 0, text.length, all, actions);
  return fragment;
}

/**
 * Finds commands and URLs that overlap no entity.
 * @param {string} text
 * @param {readonly Entity[]} marked
 * @returns {Entity[]}
 */
export function findUnmarked(text, marked) {
  /** @type {(offset: number, length: number) => boolean} */
  const free = (offset, length) =>
    marked.every((entity) => {
      const apart = entity.offset + entity.length <= offset || offset + length <= entity.offset;
      // A command in bold or in a quote is still a command; in code it is not.
      return apart || entity.type in styles || entity.type.endsWith("blockquote");
    });
  return found.flatMap(({ type, pattern }) =>
    [...text.matchAll(pattern)]
      .map((match) => ({ type, offset: match.index, length: match[0].length }))
      .filter(({ offset, length }) => free(offset, length)),
  );
}

/**
 * Appends `text` from `start` to `end` to `parent`, with nested entities. An entity that extends past the one around it
 * is cut at its end.
 * @param {Node} parent
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @param {readonly Entity[]} entities sorted by offset, longer first
 * @param {EntityActions} actions
 */
function fill(parent, text, start, end, entities, actions) {
  let position = start;
  for (let index = 0; index < entities.length; index++) {
    const entity = /** @type {Entity} */ (entities[index]);
    const from = Math.max(entity.offset, position);
    const to = Math.min(entity.offset + entity.length, end);
    if (to <= from) continue;
    parent.appendChild(document.createTextNode(text.slice(position, from)));
    const inner = entities.slice(index + 1).filter((other) => other.offset < to);
    const node = wrap(entity, text.slice(from, to), actions);
    // Hidden text needs its own element, which can be made invisible.
    const inside = ["spoiler", "expandable_blockquote"].includes(entity.type)
      ? node.appendChild(element("span"))
      : node;
    if (!(node instanceof HTMLTimeElement)) fill(inside, text, from, to, inner, actions);
    if (entity.type === "expandable_blockquote" && !actions.isOld()) fold(node, text.slice(from, to));
    parent.appendChild(node);
    position = to;
  }
  parent.appendChild(document.createTextNode(text.slice(position, end)));
}

/**
 * The empty element for an entity; the caller adds its text.
 * @param {Entity} entity
 * @param {string} text
 * @param {EntityActions} actions
 * @returns {HTMLElement}
 */
function wrap(entity, text, actions) {
  const style = styles[/** @type {keyof typeof styles} */ (entity.type)];
  if (style) return element(style);
  switch (entity.type) {
    case "code":
      return element("code", { title: "Click to copy", click: () => actions.onCopy(text) });
    case "pre":
      return element("pre", { "data-language": entity.language, tabindex: 0 });
    case "blockquote":
    case "expandable_blockquote":
      return element("blockquote");
    case "date_time":
      // Old apps show the plain words.
      if (actions.isOld()) return element("span");
      return moment(text, entity.unix_time ?? 0, entity.date_time_format ?? "");
    case "spoiler":
      return spoiler();
    case "bot_command":
      return element("button.link", { click: () => actions.onCommand(text) });
    case "text_link":
      return linked("link", entity.url ?? "", actions);
    case "url":
      return linked("link", /^\w+:/.test(text) ? text : `https://${text}`, actions);
    case "mention":
    case "hashtag":
    case "cashtag":
    case "text_mention":
      return element("span.mention");
    default:
      return element("span");
  }
}

/** The bot of this world; its name on Telegram's server may be anybody's. */
const BOT_PATH = "/swapdesk_sandbox_bot";

/**
 * A link as it works in this world, around `children`: to the bot's private chat, or to a page of this machine. Any other
 * is only named when it is pressed, since nothing here leaves the machine.
 * @param {string} kind `link` or `key`
 * @param {string} url
 * @param {EntityActions} actions
 * @param {...import("../base/dom.js").Child} children
 */
export function linked(kind, url, actions, ...children) {
  const { protocol, hostname, pathname, searchParams } = URL.canParse(url) ? new URL(url) : new URL("about:blank");
  if (hostname === "t.me" && pathname === BOT_PATH) {
    const payload = searchParams.get("start") ?? undefined;
    return element(`button.${kind}`, { title: url, click: () => actions.onBotLink(payload) }, ...children);
  }
  if (protocol === "http:" && hostname === location.hostname) {
    const elsewhere = { target: "_blank", rel: "noopener noreferrer" };
    return element(`a.${kind}`, { href: url, title: url, ...elsewhere }, ...children);
  }
  return element(`button.${kind}`, { title: url, click: () => actions.onOutsideLink(url) }, ...children);
}

/** Shows only the first lines of a quote until it is clicked. @param {HTMLElement} quote @param {string} text */
function fold(quote, text) {
  if (text.split("\n").length <= FOLDED_LINES && text.length <= FOLDED_CHARACTERS) return;
  const toggle = element("button.unfold");
  const draw = () => {
    const isFolded = quote.classList.contains("folded");
    toggle.textContent = isFolded ? "Show more" : "Show less";
    toggle.setAttribute("aria-expanded", String(!isFolded));
  };
  quote.classList.add("folded");
  quote.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a, .link, code")) return;
    quote.classList.toggle("folded");
    draw();
  });
  quote.append(toggle);
  draw();
}

/** Hidden text that a click, Enter or Space reveals. */
function spoiler() {
  const node = element("span.spoiler", {
    role: "button",
    tabindex: 0,
    "aria-label": "Hidden text, press to show",
    click: () => show(),
    /** @param {KeyboardEvent} event */
    keydown: (event) => {
      if (event.key === "Enter" || event.key === " ") show();
    },
  });
  const show = () => {
    node.classList.add("shown");
    for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
  };
  return node;
}
