/**
 * Small helpers to build elements. Text always goes through `textContent`, so that nothing a person, the bot or a
 * service says can become markup.
 */

/**
 * @typedef {string | number | Node | null | undefined | false} Child
 * Listeners take `any`, since each names the type of its own event.
 * @typedef {{ class?: string, on?: Record<string, (event: any) => void> } & Record<string, unknown>} Attributes
 */

/**
 * Builds an element. `class` and `on` (event listeners) are special; `true` sets an empty attribute, `false`, `null` and
 * `undefined` none.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = String(value);
    else if (name === "on") {
      for (const [event, listener] of Object.entries(/** @type {Record<string, EventListener>} */ (value))) {
        node.addEventListener(event, listener);
      }
    } else if (value !== false && value !== null && value !== undefined) {
      node.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(node, children);
  return node;
}

/**
 * @param {Node} parent
 * @param {readonly Child[]} children
 */
export function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * An icon of the sprite in index.html; decorative, so the button around it needs a name of its own.
 * @param {string} name
 */
export function icon(name) {
  const namespace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(namespace, "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.append(use);
  return svg;
}

/**
 * The element with this id, which index.html is known to contain.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element #${id}`);
  return found;
}
