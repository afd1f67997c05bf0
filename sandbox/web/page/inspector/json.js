/** Shows JSON indented and in colour, and any other text unchanged. */
import { element } from "../base/dom.js";

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @param {string} body */
export function prettyBody(body) {
  const node = element("pre.json", { tabindex: 0 });
  if (body === "") {
    node.append(element("span.json-none", "empty"));
    return node;
  }
  const text = indent(body);
  let position = 0;
  for (const match of text.matchAll(token)) {
    node.append(text.slice(position, match.index));
    const [whole, string, colon] = match;
    const kind = colon ? "key" : string ? "string" : /^[tfn]/.test(whole) ? "word" : "number";
    if (colon) node.append(element("span.json-key", string), colon);
    else node.append(element(`span.json-${kind}`, whole));
    position = match.index + whole.length;
  }
  node.append(text.slice(position));
  return node;
}

/**
 * Indents without parsing numbers, so that their digits stay as they were on the wire.
 * @param {string} body
 */
function indent(body) {
  try {
    JSON.parse(body);
  } catch {
    return body;
  }
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return body.replace(/"(?:\\.|[^"\\])*"|\s+|[{[]\s*[}\]]|[{}[\],:]/g, (part) => {
    if (/^\s+$/.test(part)) return "";
    if (/^[{[]\s*[}\]]$/.test(part)) return part.replace(/\s/g, "");
    switch (part) {
      case "{":
      case "[":
        depth++;
        return part + line();
      case "}":
      case "]":
        depth--;
        return line() + part;
      case ",":
        return part + line();
      case ":":
        return ": ";
      default:
        return part;
    }
  });
}
