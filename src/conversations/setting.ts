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
import { cardAtEnd, type InterviewParts } from "./interview.js";

/** The settings that are typed rather than chosen. */
export type Setting =
  | { readonly kind: "slippage"; readonly bps: number }
  | { readonly kind: "presets"; readonly presets: readonly string[] }
  | { readonly kind: "timezone"; readonly timeZone: string }
  | { readonly kind: "quiet"; readonly quiet: QuietHours }
  | { readonly kind: "limit"; readonly typed: string }
  | { readonly kind: "phrase"; readonly phrase: string };

interface SettingDialogParts extends InterviewParts {
  readonly maxSlippageBps: number;
  readonly tokens: TokenList;
  /** Saves the setting and gives the settings card as it is then. */
  readonly saveSetting: (userId: number, setting: Setting) => Promise<Card>;
}

const MAX_PRESETS = 4;
const MAX_PHRASE = 40;
/** A number above zero, without an exponent. */
const PLAIN_AMOUNT = /^(?!0+(?:\.0+)?$)[0-9]{1,12}(?:\.[0-9]{1,8})?$/;

/** Asks for one setting's new value. */
export function settingDialog(parts: SettingDialogParts) {
  return cardAtEnd(parts, async ({ userId, words, asks, external }, kind: Setting["kind"]) => {
    const value = await asks(settingQuestion(kind, words, parts));
    return external(() => parts.saveSetting(userId, value));
  });
}

/** The question for one setting; its reader is pure. */
export function settingQuestion(
  kind: Setting["kind"],
  words: Messages,
  { maxSlippageBps, tokens }: Pick<SettingDialogParts, "maxSlippageBps" | "tokens">,
): Question<Setting> {
  const { settings, security, orders } = words;
  const maximum = formatBps(maxSlippageBps);
  switch (kind) {
    case "slippage":
      return asking(settings.askSlippage(maximum), settings.badSlippage(maximum), (text) => {
        const bps = parseBps(text);
        return bps === undefined || bps > maxSlippageBps ? undefined : { kind, bps };
      });
    case "presets":
      return asking(settings.askPresets, settings.badPresets, (text) => {
        const presets = text.split(/\s+/);
        const arePlain = presets.every((preset) => PLAIN_AMOUNT.test(preset));
        return arePlain && presets.length <= MAX_PRESETS ? { kind, presets } : undefined;
      });
    case "timezone":
      return asking(settings.askTimeZone, settings.badTimeZone, (timeZone) =>
        isTimeZone(timeZone) ? { kind, timeZone } : undefined,
      );
    case "limit":
      return {
        prompt: card([security.askLimit]),
        read: reading(words, (typed) => {
          // Read here for its mistakes, and again where it is kept.
          withLimit(people.create("0"), typed, tokens, 0);
          return { kind, typed };
        }),
      };
    case "phrase":
      return asking(security.askPhrase, security.badPhrase, (text) => {
        const phrase = plainText(text, MAX_PHRASE);
        return phrase === "" || phrase !== text ? undefined : { kind, phrase };
      });
    case "quiet":
      return asking(orders.quietAsk, orders.quietInvalid, (text) => {
        const quiet = readQuietHours(text);
        return quiet && { kind, quiet };
      });
  }
}

/** A question with one sentence for every answer that can't be read. White space around an answer is dropped. */
function asking(prompt: string, refused: string, read: (text: string) => Setting | undefined): Question<Setting> {
  return {
    prompt: card([prompt]),
    read: (text) => {
      const value = read(text.trim());
      return value === undefined ? { ok: false, sentence: refused } : { ok: true, value };
    },
  };
}
