import { figure, percent } from "./amount.js";
import { buttons } from "./buttons.js";
import { formatBps } from "../encoding/percent.js";
import { languageOf, languages, messagesIn, type Messages } from "../locales/messages.js";
import { alertKinds, alertModes, defaultControl, type AlertControl } from "../services/person/alerts.js";
import type { Person } from "../services/person/person.js";
import { slippageOf, type SlippageConfig } from "../services/person/people.js";
import { bold, button, card, labelled, type Card, type View } from "./card.js";

/** In basis points, none above the operator's ceiling. */
export function slippageChoices(maxSlippageBps: number): readonly number[] {
  return [50, 100, 200, 500].filter((bps) => bps <= maxSlippageBps);
}

type Settings = Pick<Person, "presets" | "language" | "timeZone" | "slippageBps" | "pictures" | "tables">;

export function settingsCard(person: Settings, operator: SlippageConfig, notice?: string): Card {
  const words = messagesIn(person.language);
  const { settings } = words;
  const slippageBps = slippageOf(person, operator);
  const [lists, other] = person.tables === true ? (["table", "text"] as const) : (["text", "table"] as const);
  const [charts, light] = person.pictures === "light" ? (["light", "dark"] as const) : (["dark", "light"] as const);
  return card(
    [
      notice,
      bold(settings.title),
      "",
      labelled(settings.slippage, percent(formatBps(slippageBps), words)),
      slippageWarning(slippageBps, words),
      labelled(settings.presets, person.presets.map((preset) => figure(preset, words)).join("  ")),
      labelled(settings.language, words.languageName),
      labelled(settings.timeZone, person.timeZone),
      labelled(settings.charts, settings.chartsAs[charts]),
      labelled(settings.lists, settings.listsAs[lists]),
      lists === "table" && settings.tablesNeed,
      "",
      settings.appliesToNew,
    ],
    [
      [button(settings.slippage, buttons.setting, "slippage"), button(settings.presets, buttons.setting, "presets")],
      [button(settings.language, buttons.setting, "language"), button(settings.timeZone, buttons.setting, "timezone")],
      [
        button(settings.alerts, buttons.setting, "alerts"),
        button(`${settings.charts}: ${settings.chartsAs[light]}`, buttons.setting, "pictures"),
      ],
      [
        // It names what it sets, so two taps on an old card do no more than one.
        button(`${settings.lists}: ${settings.listsAs[other]}`, buttons.lists, other),
      ],
    ],
  );
}

const HIGH_SLIPPAGE_BPS = 500;

export function slippageWarning(bps: number, words: Messages): string | undefined {
  if (bps === 0) return words.security.slippageZero;
  return bps > HIGH_SLIPPAGE_BPS ? words.security.slippageHigh(percent(formatBps(bps), words)) : undefined;
}

export function slippageCard(person: Settings, operator: SlippageConfig): Card {
  const words = messagesIn(person.language);
  const { settings } = words;
  const slippageBps = slippageOf(person, operator);
  return card(
    [
      bold(settings.slippage),
      labelled(settings.slippage, percent(formatBps(slippageBps), words)),
      slippageWarning(slippageBps, words),
      "",
      settings.slippageExplain(percent(formatBps(operator.maxSlippageBps), words)),
    ],
    [
      slippageChoices(operator.maxSlippageBps).map((bps) =>
        button(marked(percent(formatBps(bps), words), bps === slippageBps), buttons.slippage, bps),
      ),
      [button(settings.custom, buttons.setting, "custom-slippage")],
      [back(words)],
    ],
  );
}

export function languageCard(person: Settings): Card {
  const [words, own] = [messagesIn(person.language), languageOf(person.language)];
  const choices = [...languages].map(([language, { languageName }]) => [
    button(marked(languageName, language === own), buttons.language, language),
  ]);
  return card([bold(words.settings.language)], [...choices, [back(words)]]);
}

export function alertSettingsCard(control: AlertControl | undefined, view: Pick<View, "words" | "timeZone">): Card {
  const { orders: words } = view.words;
  const { modes, quiet } = control ?? defaultControl;
  const quietButton = button(words.quietLabel, buttons.quietHours, "ask");
  return card(
    [
      bold(view.words.settings.alerts),
      words.settingsExplain,
      "",
      labelled(words.quietLabel, quiet ? `${quiet.from}–${quiet.to} (${view.timeZone})` : words.quietNone),
      words.quietExplain,
    ],
    [
      ...alertKinds.map((kind) => {
        const mode = modes[kind] ?? "on";
        // The button names the mode it sets, so two taps on an old card do no more than one.
        const next = alertModes[(alertModes.indexOf(mode) + 1) % alertModes.length] ?? "on";
        return [button(`${words.kind[kind]}: ${words.mode[mode]}`, buttons.alertMode, { kind, mode: next })];
      }),
      [quietButton, quiet && button(words.quietOff, buttons.quietHours, "none")],
      [button(words.testButton, buttons.testAlert, "now")],
      [back(view.words)],
    ],
  );
}

function back(words: Messages) {
  return button(words.common.back, buttons.setting, "menu");
}

function marked(text: string, isChosen: boolean): string {
  return isChosen ? `• ${text}` : text;
}
