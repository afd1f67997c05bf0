import type { Transformer } from "grammy";
import type { InlineKeyboardButton, InlineKeyboardMarkup } from "grammy/types";
import type { Logger } from "pino";
import type { Incident } from "./outbox.js";

/** Where buttons lead that have a link, by the incident of its refusal, which names the variable. */
type Links = Readonly<Partial<Record<LinkIncident, string | undefined>>>;
type LinkIncident = "rejected-explorer-url" | "rejected-public-url";

/** What Telegram says of a button's address, and of buttons (github.com/tdlib/td, ReplyMarkup.cpp). */
const LINK = /^Bad Request: (?:inline keyboard button URL|BUTTON_URL)/i;
const BUTTON =
  /^Bad Request: (?:inline keyboard button|can't parse (?:inline |reply )?keyboard|reply markup|REPLY_MARKUP_|BUTTON_)/i;

/** Whether Telegram refused a message for one of its buttons, which says nothing of its text. */
export const isOfButton = (description: string): boolean => BUTTON.test(description);

export interface RefusedButtons {
  readonly transformer: Transformer;
  /** What operators are told of, until the bot is started again. */
  readonly checks: readonly { readonly incident: Incident; readonly isMismatch: () => boolean }[];
}

/**
 * Sends what Telegram refuses for a link or a button once more without them: what the message says counts more. A
 * refused message was not sent, so it can't arrive twice.
 */
export function createRefusedButtons(links: Links, log: Pick<Logger, "warn">): RefusedButtons {
  const refused = new Set<Incident>();
  const incidents = [...(Object.keys(links) as LinkIncident[]), "rejected-buttons"] as const;
  return {
    checks: incidents.map((incident) => ({ incident, isMismatch: () => refused.has(incident) })),
    transformer: async (previous, method, payload, signal) => {
      const answer = await previous(method, payload, signal);
      if (answer.ok || answer.error_code !== 400 || !isOfButton(answer.description)) return answer;
      const { reply_markup: markup, ...plain } = payload as { reply_markup?: Partial<InlineKeyboardMarkup> };
      const { description } = answer;
      const buttons = (markup?.inline_keyboard ?? []).flat();
      if (buttons.length === 0) return answer;
      const blamed = LINK.test(description) ? linksIn(buttons, links, description) : [];
      for (const one of blamed) refused.add(one);
      if (blamed.length === 0) refused.add("rejected-buttons");
      log.warn({ answer: description, blamed }, "Telegram refused a button; sending without it");
      const rest = blamed.length === 0 ? [] : withoutLinks(markup?.inline_keyboard ?? []);
      const sent = rest.length === 0 ? plain : { ...plain, reply_markup: { ...markup, inline_keyboard: rest } };
      return previous(method, sent as typeof payload, signal);
    },
  };
}

/** The links of `buttons`: those that the refusal quotes, or all if it quotes none. */
function linksIn(buttons: readonly InlineKeyboardButton[], links: Links, description: string) {
  const urls = buttons.flatMap((button) => ("url" in button ? [button.url] : []));
  const quoted = urls.filter((url) => description.includes(url));
  const suspected = quoted.length === 0 ? urls : quoted;
  return (Object.keys(links) as LinkIncident[]).filter((name) => {
    const base = links[name];
    return base !== undefined && suspected.some((url) => url.startsWith(`${base}/`));
  });
}

const withoutLinks = (rows: readonly (readonly InlineKeyboardButton[])[]) =>
  rows.map((row) => row.filter((button) => !("url" in button))).filter((row) => row.length > 0);
