import { grouped } from "../encoding/decimal-text.js";
import { buttons } from "./buttons.js";
import { formatBps } from "../encoding/percent.js";
import { languageOf, languages, messagesIn, type Messages } from "../locales/messages.js";
import { alertKinds, alertModes, defaultControl, type AlertControl, type AlertMode } from "../model/alert-control.js";
import type { Person } from "../model/person.js";
import { bold, button, card, labelled, type Card, type View } from "./card.js";

/** The slippages offered as buttons, in hundredths of a percent: none above the operator's ceiling. */
export function slippageChoices(maxSlippageBps: number): readonly number[] {
  return [50, 100, 200, 500].filter((bps) => bps <= maxSlippageBps);
}

/** What the person's settings are, with the operator's bounds. */
export interface SettingsView {
  readonly words: Messages;
  readonly person: Pick<Person, "presets" | "language" | "timeZone">;
  /** In force for this person, in hundredths of a percent. */
  readonly slippageBps: number;
  readonly maxSlippageBps: number;
}

/** All settings, each with a button that opens it. */
export function settingsCard(view: SettingsView, notice?: string): Card {
  const { settings } = view.words;
  return card(
    [
      notice,
      bold(settings.title),
      "",
      labelled(settings.slippage, `${formatBps(view.slippageBps)} %`),
      slippageWarning(view.slippageBps, view.words),
      labelled(settings.presets, view.person.presets.map(grouped).join("  ")),
      labelled(settings.language, messagesIn(view.person.language).languageName),
      labelled(settings.timeZone, view.person.timeZone),
      "",
      settings.appliesToNew,
    ],
    [
      [button(settings.slippage, buttons.setting, "slippage"), button(settings.presets, buttons.setting, "presets")],
      [button(settings.language, buttons.setting, "language"), button(settings.timeZone, buttons.setting, "timezone")],
      [button(settings.alerts, buttons.setting, "alerts")],
    ],
  );
}

/** Beyond this many hundredths of a percent a slippage is warned about. */
const HIGH_SLIPPAGE_BPS = 500;

/** What speaks against a slippage; undefined where nothing does. */
export function slippageWarning(bps: number, { security }: Messages): string | undefined {
  if (bps === 0) return security.slippageZero;
  return bps > HIGH_SLIPPAGE_BPS ? security.slippageHigh(formatBps(bps)) : undefined;
}

/** The choices for slippage, what it means, and the ceiling. */
export function slippageCard(view: SettingsView): Card {
  const { settings } = view.words;
  const choices = slippageChoices(view.maxSlippageBps);
  return card(
    [
      bold(settings.slippage),
      labelled(settings.slippage, `${formatBps(view.slippageBps)} %`),
      slippageWarning(view.slippageBps, view.words),
      "",
      settings.slippageExplain(formatBps(view.maxSlippageBps)),
    ],
    [
      choices.map((bps) => button(marked(`${formatBps(bps)} %`, bps === view.slippageBps), buttons.slippage, bps)),
      [button(settings.custom, buttons.setting, "custom-slippage")],
      [back(view.words)],
    ],
  );
}

/** The choices for the language, each in its own name. */
export function languageCard(view: SettingsView): Card {
  const own = languageOf(view.person.language);
  const choices = [...languages].map(([language, { languageName }]) => [
    button(marked(languageName, language === own), buttons.language, language),
  ]);
  return card([bold(view.words.settings.language)], [...choices, [back(view.words)]]);
}

/** How alerts reach the person: a button for each kind that switches it on, and the quiet hours. */
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
        return [button(`${words.kind[kind]}: ${words.mode[mode]}`, buttons.alertMode, { kind, mode: nextMode(mode) })];
      }),
      [quietButton, quiet && button(words.quietOff, buttons.quietHours, "none")],
      [button(words.testButton, buttons.testAlert, "now")],
      [back(view.words)],
    ],
  );
}

/** On, silent, off, and on again. The button names the mode it sets, so two taps on an old card do no more than one. */
function nextMode(mode: AlertMode): AlertMode {
  return alertModes[(alertModes.indexOf(mode) + 1) % alertModes.length] ?? "on";
}

function back(words: Messages) {
  return button(words.common.back, buttons.setting, "menu");
}

function marked(text: string, isChosen: boolean): string {
  return isChosen ? `• ${text}` : text;
}
