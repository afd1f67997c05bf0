import { card, type Card } from "../cards/card.js";
import { isTimeZone } from "../cards/time.js";
import { formatBps, parseBps } from "../encoding/percent.js";
import type { Messages } from "../locales/messages.js";
import { readQuietHours } from "../services/alerts/control.js";
import type { QuietHours } from "../model/alert-control.js";
import { people } from "../model/person.js";
import { withLimit } from "../services/intents/within-limits.js";
import { plainText } from "../services/plain-text.js";
import type { TokenList } from "../services/tokens.js";
import { reading } from "./questions.js";
import type { Question } from "./ask.js";
import type { Dialog, DialogContext } from "./dialog.js";
import { beginInterview, type InterviewParts } from "./interview.js";
import { replyCard } from "./reply-card.js";

/** The settings that are typed rather than chosen. */
export type Setting =
  | { readonly kind: "slippage"; readonly bps: number }
  | { readonly kind: "presets"; readonly presets: readonly string[] }
  | { readonly kind: "timezone"; readonly timeZone: string }
  | { readonly kind: "quiet"; readonly quiet: QuietHours }
  | { readonly kind: "limit"; readonly typed: string }
  | { readonly kind: "phrase"; readonly phrase: string };

export interface SettingDialogParts extends InterviewParts {
  readonly maxSlippageBps: number;
  readonly tokens: TokenList;
  /** Saves the setting and gives the settings card as it is then. */
  readonly saveSetting: (userId: number, setting: Setting) => Promise<Card>;
}

const MAX_PRESETS = 4;
const MAX_PHRASE = 40;

/** Asks for one setting's new value. */
export function settingDialog(parts: SettingDialogParts) {
  return async function setting(dialog: Dialog, ctx: DialogContext, kind: Setting["kind"]): Promise<void> {
    const { userId, words, asks, external } = await beginInterview(parts, dialog, ctx);
    const value = await asks(settingQuestion(kind, words, parts));
    await replyCard(ctx, await external(() => parts.saveSetting(userId, value)));
  };
}

/** The question for one setting; its reader is pure. */
export function settingQuestion(
  kind: Setting["kind"],
  words: Messages,
  { maxSlippageBps, tokens }: Pick<SettingDialogParts, "maxSlippageBps" | "tokens">,
): Question<Setting> {
  const { settings } = words;
  const maximum = formatBps(maxSlippageBps);
  switch (kind) {
    case "slippage":
      return {
        prompt: card([settings.askSlippage(maximum)]),
        read: (text) => {
          const bps = parseBps(text);
          return bps === undefined || bps > maxSlippageBps
            ? { ok: false, sentence: settings.badSlippage(maximum) }
            : { ok: true, value: { kind, bps } };
        },
      };
    case "presets":
      return {
        prompt: card([settings.askPresets]),
        read: (text) => {
          const presets = text.trim().split(/\s+/);
          const isPlain = presets.every((preset) => /^(?!0+(?:\.0+)?$)[0-9]{1,12}(?:\.[0-9]{1,8})?$/.test(preset));
          return isPlain && presets.length <= MAX_PRESETS
            ? { ok: true, value: { kind, presets } }
            : { ok: false, sentence: settings.badPresets };
        },
      };
    case "timezone":
      return {
        prompt: card([settings.askTimeZone]),
        read: (text) =>
          isTimeZone(text.trim())
            ? { ok: true, value: { kind, timeZone: text.trim() } }
            : { ok: false, sentence: settings.badTimeZone },
      };
    case "limit":
      return {
        prompt: card([words.security.askLimit]),
        read: reading(words, (typed) => {
          // Read here for its mistakes, and again where it is kept.
          withLimit(people.create("0"), typed, tokens, 0);
          return { kind, typed };
        }),
      };
    case "phrase":
      return {
        prompt: card([words.security.askPhrase]),
        read: (text) => {
          const phrase = plainText(text.trim(), MAX_PHRASE);
          return phrase === "" || phrase !== text.trim()
            ? { ok: false, sentence: words.security.badPhrase }
            : { ok: true, value: { kind, phrase } };
        },
      };
    case "quiet":
      return {
        prompt: card([words.orders.quietAsk]),
        read: (text) => {
          const quiet = readQuietHours(text);
          return quiet === undefined
            ? { ok: false, sentence: words.orders.quietInvalid }
            : { ok: true, value: { kind, quiet } };
        },
      };
  }
}
