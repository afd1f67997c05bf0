import { percent } from "../cards/amount.js";
import { card } from "../cards/card.js";
import { limitAnswers, slippageWarning } from "../cards/settings.js";
import { formatBps } from "../encoding/amount.js";
import { parseBps, plainAmount } from "../encoding/typed.js";
import type { Messages } from "../locales/messages.js";
import { withLimit } from "../services/intent/limits.js";
import { defaultControl, newPerson, type Person } from "../services/person/person.js";
import { readQuietHours } from "../services/person/quiet-hours.js";
import { plainText } from "../services/base/display-text.js";
import type { TokenList } from "../services/market/token-list.js";
import { readZone } from "../services/person/typed-zone.js";
import { createForm, type FormOf, type Question, type AnswerParser } from "./interview.js";
import { pick, reading } from "./questions.js";

const MAX_PRESETS = 4;
const MAX_PHRASE = 40;
const CITIES = [
  ["Lisbon", "London", "Berlin"],
  ["São Paulo", "Manaus", "New York"],
  ["Luanda", "Maputo", "UTC"],
];
const isFigure = (text: string): boolean => /^\s{0,9}(?:! )?[0-9.,]{1,9}\s{0,9}%?\s{0,9}$/.test(text);
/** A number above zero, without an exponent. */
const PLAIN_AMOUNT = /^(?!0+(?:\.0+)?$)[0-9]{1,12}(?:\.[0-9]{1,8})?$/;

export type Setting = "slippage" | "presets" | "timezone" | "quiet" | "limit" | "phrase";

/** `now` in milliseconds since 1970. */
export type SettingChange = (person: Person, now: number) => Person;

type Limits = { readonly maxSlippageBps: number; readonly tokens: TokenList };

export interface ChosenLimit {
  /** Undefined if the user keeps their limits. */
  readonly change: SettingChange | undefined;
  readonly line: string;
  /** Whether it counts even if today's trades have used it up. */
  readonly isSure: boolean;
}
type Chosen =
  | ({ readonly setting: "limit" } & ChosenLimit)
  | { readonly setting: Exclude<Setting, "limit">; readonly change: SettingChange };

/** The form of a command's settings. `shownIn` is the id of a message that already asks. */
export function settingForm(command: "settings" | "security", parts: FormOf<Chosen> & Limits) {
  return createForm(`${command}.1`, parts, ({ words, askAndSubmit }, setting: Setting, shownIn?: number) => {
    const question = settingQuestion(setting, words, parts);
    // If a page already asks, only a figure is meant as an answer.
    const asked = shownIn === undefined ? question : { ...question, shownIn, isMeant: isFigure };
    if (setting === "limit") return askAndSubmit(askedOnceMore(question), (chosen) => ({ setting, ...chosen }));
    return askAndSubmit(asked, (change) => ({ setting, change }));
  });
}

/** Also reads the answers to {@link usedUpCard}. */
function askedOnceMore(question: Question<SettingChange>): Question<ChosenLimit> {
  const { sure, keep } = limitAnswers;
  const read: AnswerParser<ChosenLimit> = (text) => {
    if (text === keep) return { ok: true, value: { change: undefined, line: "", isSure: true } };
    const isSure = text.startsWith(sure);
    const line = isSure ? text.slice(sure.length) : text;
    const made = question.read(line);
    return made.ok ? { ok: true, value: { change: made.value, line, isSure } } : made;
  };
  return { ...question, read };
}

export function settingQuestion(setting: Setting, words: Messages, limits: Limits): Question<SettingChange> {
  const { maxSlippageBps, tokens } = limits;
  const { settings, security, orders } = words;
  const maximum = percent(formatBps(maxSlippageBps), words);
  const zone = zoneQuestion(words);
  const questions: Readonly<Record<Setting, Question<SettingChange>>> = {
    slippage: {
      ...numbers(settings.askSlippage(maximum)),
      // What the bot warns of is set only by the button under the warning.
      read: (typed) => {
        const isSure = typed.startsWith(limitAnswers.sure);
        const slippageBps = parseBps((isSure ? typed.slice(limitAnswers.sure.length) : typed).trim());
        const isKnown = slippageBps !== undefined && slippageBps <= maxSlippageBps;
        if (!isKnown) return { ok: false, card: card([settings.badSlippage(maximum)]) };
        const warning = isSure ? undefined : slippageWarning(slippageBps, words);
        const set = pick(`${limitAnswers.sure}${formatBps(slippageBps)}`, security.setAnyway);
        if (warning !== undefined) return { ok: false, card: card([warning], [[set]]) };
        return { ok: true, value: (person) => ({ ...person, slippageBps }) };
      },
    },
    presets: asking(numbers(settings.askPresets), settings.badPresets, (text) => {
      const presets = text.split(/[,;]?\s+/).map((preset) => plainAmount(preset, ""));
      const arePlain = presets.every((preset) => PLAIN_AMOUNT.test(preset));
      return arePlain && presets.length <= MAX_PRESETS ? (person) => ({ ...person, presets }) : undefined;
    }),
    timezone: {
      ...zone,
      read: (typed) => {
        const read = zone.read(typed);
        return read.ok ? { ok: true, value: withZone(read.value) } : read;
      },
    },
    limit: {
      ...numbers(security.askLimit),
      read: reading(words, (typed) => {
        const change: SettingChange = (person, now) => withLimit(person, typed, tokens, now);
        // Called here only to find mistakes; it is called again when the setting is saved.
        change(newPerson(0), 0);
        return change;
      }),
    },
    phrase: asking({ prompt: card([security.askPhrase]) }, security.badPhrase, (text) => {
      const phrase = plainText(text, MAX_PHRASE);
      return phrase === "" || phrase !== text ? undefined : (person) => ({ ...person, phrase });
    }),
    quiet: asking({ prompt: card([orders.quietAsk]) }, orders.quietInvalid, (text) => {
      const quiet = readQuietHours(text);
      return quiet && ((person) => ({ ...person, alerts: { ...(person.alerts ?? defaultControl), quiet } }));
    }),
  };
  return questions[setting];
}

/** Asks for a city; the answer is its time zone. */
export function zoneQuestion({ settings }: Messages): Question<string> {
  const cities = CITIES.map((row) => row.map((city) => pick(city)));
  const read: AnswerParser<string> = (typed) => {
    const zone = readZone(typed);
    if (zone.kind === "unknown") return { ok: false, card: card([settings.badTimeZone]) };
    if (zone.kind === "several") {
      const names = zone.names.map((name) => [pick(name)]);
      return { ok: false, card: card([settings.severalTowns(typed.trim())], names) };
    }
    if (zone.kind === "unclear") return { ok: false, card: card([settings.unclearTimeZone(typed.trim())]) };
    return { ok: true, value: zone.name };
  };
  return { prompt: card([settings.askTimeZone], cities), read };
}

export function withZone(timeZone: string): SettingChange {
  return (person, now) => ({ ...person, timeZone, timeZoneSince: now });
}

type SettingPrompt = Omit<Question<SettingChange>, "read">;

const numbers = (prompt: string): SettingPrompt => ({ hasNumbers: true, prompt: card([prompt]) });

function asking(asked: SettingPrompt, refused: string, read: (text: string) => SettingChange | undefined) {
  const readAnswer: AnswerParser<SettingChange> = (text) => {
    const value = read(text.trim());
    return value === undefined ? { ok: false, card: card([refused]) } : { ok: true, value };
  };
  return { ...asked, read: readAnswer };
}
