/**
 * Small helpers to build elements. Text is only ever set as `textContent`, so that nothing from a person, the bot or a
 * service can become markup.
 */

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * Builds an element from attributes and children. An attribute that is a function listens to the event of its name;
 * `true` sets an empty attribute, `false`, `null` and `undefined` none. A button only submits if its `type` says so.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag | `${Tag}.${string}`} tag with its fixed classes: `span.person-line`
 * @param {...(Record<string, unknown> | Child)} parts
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, ...parts) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(/** @type {Tag} */ (name));
  if (classes.length > 0) node.className = classes.join(" ");
  if (node instanceof HTMLButtonElement) node.type = "button";
  for (const part of parts) {
    if (part === null || part === undefined || part === false) continue;
    if (typeof part !== "object" || part instanceof Node) {
      node.append(part instanceof Node ? part : String(part));
      continue;
    }
    for (const [attribute, value] of Object.entries(part)) {
      if (typeof value === "function") node.addEventListener(attribute, /** @type {EventListener} */ (value));
      else if (value !== false && value !== null && value !== undefined) {
        node.setAttribute(attribute, value === true ? "" : String(value));
      }
    }
  }
  return node;
}

/** The contents of a `dl`. @param {readonly (readonly [name: string, value: Child])[]} pairs */
export const definitions = (pairs) => pairs.flatMap(([name, value]) => [element("dt", name), element("dd", value)]);

/**
 * A card's table.
 * @param {...Child} rows
 */
export const table = (...rows) => element("table", element("tbody", ...rows));

/**
 * An icon from the sprite in index.html; decorative, so the button around it needs its own label.
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
 * The element with this id, which must be in index.html.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`index.html has no element #${id}`);
  return found;
}
