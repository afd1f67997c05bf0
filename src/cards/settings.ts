import { figure, exactWithToken, percentOfBps } from "./amount.js";
import { buttons, commandButton, button, giving, marked, shortButton } from "./buttons.js";
import { languageOf, languages, messagesIn, type Messages } from "../locales/messages.js";
import type { AlertControl, Later, Limit, LimitAmounts, Person, SlippageConfig } from "../services/person/person.js";
import { alertKinds, alertModes, defaultControl, slippageOf } from "../services/person/person.js";
import { card, bold, labelled, code, line, say, momentOf } from "./card.js";
import type { ButtonRows, Card, Lines, View } from "./card.js";
import { frozenLines, liftingLine, unfreezeRow } from "./freeze.js";
import { NATIVE_TOKEN, type Amount } from "../encoding/amount.js";
import { activeLimit } from "../services/intent/limits.js";
import { findZone } from "../services/person/zone.js";
import { isWeeklyOn } from "./week.js";

/** In basis points, none above the operator's ceiling. */
export function slippageChoices(maxSlippageBps: number): readonly number[] {
  return [50, 100, 200, 500].filter((bps) => bps <= maxSlippageBps);
}

type SettingButton = NonNullable<ReturnType<typeof buttons.setting.read>>;
type Settings = Pick<Person, "alerts" | "presets" | "language" | "timeZone" | "slippageBps" | "pictures" | "weekly">;

/** @param notice what to say above, with the buttons of `row`. */
export function settingsCard(
  person: Settings,
  operator: SlippageConfig,
  notice?: Lines[number],
  row: ButtonRows[number] = [],
): Card {
  const words = messagesIn(person.language);
  const { settings } = words;
  const quiet = person.alerts?.quiet;
  const slippageBps = slippageOf(person, operator);
  const [charts, light] = person.pictures === "light" ? (["light", "dark"] as const) : (["dark", "light"] as const);
  const [weekly, change] = isWeeklyOn(person) ? (["on", "off"] as const) : (["off", "on"] as const);
  const to = (text: string, setting: SettingButton) => button(text, buttons.setting, setting);
  const lines: Lines = [
    notice,
    bold(settings.title),
    "",
    labelled(words.orders.quietLabel, quietText(person, words)),
    labelled(settings.slippage, percentOfBps(slippageBps, words)),
    slippageWarning(slippageBps, words),
    labelled(settings.presets, `${person.presets.map((preset) => figure(preset, words)).join("  ")} ${NATIVE_TOKEN}`),
    labelled(settings.language, words.languageName),
    labelled(settings.timeZone, zoneLabel(person, words)),
    labelled(settings.charts, settings.chartsAs[charts]),
    labelled(words.week.setting, words.week.settingAs[weekly]),
    "",
    settings.appliesToNew,
  ];
  return card(lines, [
    row,
    [
      button(`🌙 ${words.orders.quietLabel}`, buttons.quietHours, "ask"),
      quiet && button(words.orders.quietOff, buttons.quietHours, "none"),
    ],
    [to(settings.slippage, "slippage"), to(settings.presets, "presets")],
    [to(settings.language, "language"), to(settings.timeZone, "timezone")],
    [to(settings.alerts, "alerts"), to(settings.makeCharts[light], "pictures")],
    [
      button(`${words.week.setting}: ${words.week.settingAs[change]}`, buttons.weekly, {
        choice: change,
        on: "settings",
      }),
    ],
    [button(words.common.back, buttons.home, "now")],
  ]);
}

function quietText(person: Settings, words: Messages): string {
  const quiet = person.alerts?.quiet;
  return quiet === undefined ? words.orders.quietNone : `${quiet.from}–${quiet.to} (${zoneLabel(person, words)})`;
}

/** `Etc/GMT-5` is ahead of UTC, though its name says otherwise. */
export function zoneLabel({ timeZone }: Pick<Person, "timeZone">, { settings }: Messages): string {
  if (findZone(timeZone) === undefined) return settings.unknownTimeZone(timeZone);
  const [, sign, hours] = /^Etc\/GMT([+-])([0-9]+)$/.exec(timeZone) ?? [];
  return hours === undefined ? timeZone : `UTC${sign === "-" ? "+" : "−"}${hours}`;
}

const HIGH_SLIPPAGE_BPS = 500;

export function slippageWarning(bps: number, words: Messages): string | undefined {
  if (bps === 0) return words.security.slippageZero;
  return bps > HIGH_SLIPPAGE_BPS ? words.security.slippageHigh(percentOfBps(bps, words)) : undefined;
}

export function slippageCard(person: Settings, operator: SlippageConfig): Card {
  const words = messagesIn(person.language);
  const { slippage, slippageExplain, custom } = words.settings;
  const slippageBps = slippageOf(person, operator);
  const share = (bps: number) => percentOfBps(bps, words);
  const explained = slippageExplain(share(operator.maxSlippageBps));
  const now = labelled(slippage, share(slippageBps));
  const lines = [bold(slippage), now, slippageWarning(slippageBps, words), "", explained];
  const choices = slippageChoices(operator.maxSlippageBps).map((bps) =>
    button(marked(share(bps), bps === slippageBps), buttons.slippage, bps),
  );
  return card(lines, [choices, [button(custom, buttons.setting, "custom-slippage")], [back(words)]]);
}

export function languageCard(person: Settings): Card {
  const [words, own] = [messagesIn(person.language), languageOf(person.language)];
  const choices = [...languages].map(([language, { languageName }]) => [
    button(marked(languageName, language === own), buttons.language, language),
  ]);
  return card([bold(words.settings.language)], [...choices, [back(words)]]);
}

export function alertSettingsCard(control: AlertControl | undefined, view: View): Card {
  const { orders: words } = view.words;
  const { modes, quiet } = control ?? defaultControl;
  const lines = [bold(view.words.settings.alerts), words.settingsExplain, quiet && ["", words.quietExplain]];
  return card(lines, [
    ...alertKinds.map((kind) => {
      const mode = modes[kind] ?? "on";
      // The button names the mode it sets, so a second tap on an old card changes nothing.
      const next = alertModes[(alertModes.indexOf(mode) + 1) % alertModes.length] ?? "on";
      return [button(`${words.kind[kind]}: ${words.mode[mode]}`, buttons.alertMode, { kind, mode: next })];
    }),
    [button(words.testButton, buttons.testAlert, "now")],
    [back(view.words)],
  ]);
}

const back = (words: Messages) => button(words.common.back, buttons.setting, "menu");

/** What a button answers to the question of {@link usedUpCard}: the line itself, or that limits stay as they are. */
export const limitAnswers = { sure: "! ", keep: "=" } as const;

/** Asks once before a limit that today's trades have used up. @param line the limit as typed. */
export function usedUpCard({ spent, perDay }: Readonly<Record<"spent" | "perDay", Amount>>, line: string, view: View) {
  const words = view.words.security;
  const [used, most] = [exactWithToken(spent, view.words), exactWithToken(perDay, view.words)];
  return card(
    [words.usedUp(used, most, perDay.token.id), words.usedUpLater],
    [
      [button(words.keepLimits, buttons.pick, limitAnswers.keep)],
      [shortButton(words.setAnyway, buttons.pick, `${limitAnswers.sure}${line}`)],
    ],
  );
}

/** The id of a change of limits that was just made, and until when it can be taken back. */
type LimitsChange = { readonly id: string; readonly until: number };

export function securityCard(person: Person, view: View, notice?: string, change?: LimitsChange): Card {
  const words = view.words.security;
  const { limits = {}, phrase, frozenSince, changes = [], later = [] } = person;
  const lines: Lines = [
    notice,
    change && say(words.takeBackUntil, momentOf(change.until, view, "time")),
    bold(words.title),
    frozenSince === undefined ? [words.notFrozen, liftingLine(view)] : frozenLines(person, view),
    later.filter(({ guard }) => guard !== "unfreeze").map((one) => laterLines(one, view)),
    phrase === undefined ? words.noPhrase : labelled(words.phrase, phrase),
    "",
    bold(words.limits),
    Object.keys(limits).length === 0 && words.noLimits,
    Object.entries(limits).map(([token, limit]) => limitLines(token, limit, view)),
    "",
    bold(words.changes),
    changes.length === 0 && words.noChanges,
    changes.map(({ at, guard }) => line(momentOf(at, view), ` · ${words.guards[guard]}`)),
  ];
  return card(lines, [
    [change && button(words.takeBack, buttons.takeBack, change.id)],
    [button(words.setLimit, buttons.guard, "limit"), button(words.setPhrase, buttons.guard, "phrase")],
    ...later.map(({ guard }) => [button(words.undo[guard], buttons.undo, guard)]),
    unfreezeRow(person),
    [frozenSince === undefined && giving(button(words.freeze, buttons.freeze, "ask"))],
  ]);
}

/** A message of its own, so that it notifies. */
export function laterCard(later: Later, view: View): Card {
  const { security: words } = view.words;
  return card(laterLines(later, view), [[button(words.undo[later.guard], buttons.undo, later.guard)]]);
}

export function laterLines(later: Later, view: View): Lines {
  const { security } = view.words;
  const from = momentOf(later.from, view);
  if (later.guard === "unfreeze") return [bold(say(security.unfreezeLater, from))];
  if (later.guard === "forget") return [bold(say(security.forgetLater, from)), security.forgetWaits];
  return [bold(say(security.walletLater, from)), code(later.address)];
}

/** @param at in seconds since 1970. */
export function forgetCard(unknown: number, at: number, { words: { security: words, history } }: View): Card {
  const ask = button(words.forgetAsk, buttons.forget, { step: "ask", at });
  const lines: Lines = [
    bold(words.forgetTitle),
    "",
    words.forgetKept,
    words.forgetFile,
    unknown > 0 && words.forgetUnknown(unknown),
    "",
    words.forgetTokens,
    words.forgetStays,
  ];
  return card(lines, [[button(history.file, buttons.historyFile, "csv")], [ask]]);
}

/** Who can see what of a user. */
export function privacyCard({ about, common, menu }: Messages): Card {
  const { whoChain, whoOperator, whoOthers, whoPrograms, whoServices, whoTelegram } = about;
  const who = [whoChain, whoTelegram, whoOperator, whoServices, whoPrograms, whoOthers];
  return card(
    [bold(about.whoTitle), who.map((line) => ["", line])],
    [[commandButton(menu.go.forget, "forget")], [button(common.back, buttons.menu, "safety")]],
  );
}

/** @param from when it would take effect, in milliseconds since 1970; undefined: immediately. */
export function reallyForgetCard(from: number | undefined, at: number, view: View): Card {
  const { security } = view.words;
  const since = from === undefined ? security.forgetAtOnce : say(security.forgetFrom, momentOf(from, view));
  const keep = button(security.forgetKeep, buttons.forget, { step: "keep", at });
  const now = giving(button(security.forgetConfirm, buttons.forget, { step: "now", at }));
  return card([bold(security.forgetReally), "", security.forgetGuards, since, security.forgetWaits], [[keep], [now]]);
}

function limitLines(token: string, limit: Limit, view: View): Lines {
  const words = view.words.security;
  const figure = (amount?: Amount) => (amount === undefined ? words.unlimited : exactWithToken(amount, view.words));
  const figures = ({ perTransaction, perDay }: LimitAmounts) =>
    perTransaction || perDay ? words.most(figure(perTransaction), figure(perDay)) : words.unlimited;
  const { later } = limit;
  const line = `${token}: ${figures(activeLimit(limit, view.now))}`;
  if (later === undefined || view.now >= later.from) return [line];
  return [line, say((from) => words.later(from, figures(later.most)), momentOf(later.from, view))];
}
