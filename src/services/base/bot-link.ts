/** What the link of a command may carry besides its name: `names` are those of tokens and orders, without figures. */
export type LinkedWords = "any" | "names";

/** Telegram's limit for the payload of a link. */
const MAX_PAYLOAD_LENGTH = 64;
const AMOUNT = /^([0-9]+)\.([0-9]+)$/;
const FIGURE = /^[0-9]+p?[0-9]*$/;
const LINKED_AMOUNT = /^([0-9]+)p([0-9]+)$/;
/** An amount, a token id or an order id. The bot writes nothing else into links, and a reply could repeat it. */
const WORD =
  /^(?:[0-9]+(?:p[0-9]+)?|[A-Z0-9]{1,10}(?:-[A-Z0-9]{4})?|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;

/**
 * Returns the payload of `https://t.me/<bot>?start=` for a command such as `quote 1.5 KLV KFI`; undefined if it doesn't
 * fit. Words are joined by `_`, and the point of an amount becomes `p`, which no token id contains.
 */
export function linkPayload(command: string): string | undefined {
  const payload = command
    .split(" ")
    .map((word) => word.replace(AMOUNT, "$1p$2"))
    .join("_");
  return wordsIn(payload) && payload;
}

/** A link that opens the private chat with a bot, at what the payload says. */
export function botLink(botName: string, payload: string | undefined): string {
  return `https://t.me/${botName}${payload === undefined ? "" : `?start=${payload}`}`;
}

/**
 * Returns the command of a link and its arguments in plain form; undefined for a link the bot never made.
 * @param linkable the commands that a link may run.
 */
export function commandBehind(payload: string, linkable: ReadonlyMap<string, LinkedWords>) {
  const { command = "", words = [] } = wordsIn(payload) ?? {};
  const carried = linkable.get(command);
  if (carried === undefined || (carried === "names" && words.some((word) => FIGURE.test(word)))) return undefined;
  return { command, rest: words.map((word) => word.replace(LINKED_AMOUNT, "$1.$2")).join(" ") };
}

/** Undefined unless it has the form of the bot's own payloads. */
function wordsIn(payload: string): { readonly command: string; readonly words: readonly string[] } | undefined {
  const [command = "", ...words] = payload.split("_");
  if (words.length === 0 || payload.length > MAX_PAYLOAD_LENGTH) return undefined;
  return words.every((word) => WORD.test(word)) ? { command, words } : undefined;
}
