import { alertSettingsCard } from "../../../cards/alert-settings.js";
import type { Card } from "../../../cards/card.js";
import { settingsCard, type SettingsView } from "../../../cards/settings.js";
import type { Setting } from "../../../conversations/setting.js";
import { messagesIn } from "../../../locales/messages.js";
import { defaultControl } from "../../../model/alert-control.js";
import type { Person } from "../../../model/person.js";
import { slippageOf } from "../../../services/slippage.js";
import type { Parts } from "../../context.js";
import { viewOf } from "../../person.js";
import { changePerson } from "../../../services/people.js";

export type SettingsParts = Pick<Parts, "log" | "settings" | "store">;

/** A setting that is typed, or the language, which is chosen. */
export type SettingChange = Setting | { readonly kind: "language"; readonly language: string };

/** Saves a setting and gives the page of the settings that it is on, as it is then. */
export async function saveSetting(parts: SettingsParts, userId: number, change: SettingChange): Promise<Card> {
  const person = await changePerson(parts.store, userId, (before) => ({ ...before, ...changed(before, change) }));
  if (change.kind === "quiet") return alertSettingsCard(person.alerts ?? defaultControl, viewOf(person, parts));
  const view = settingsViewOf(person, parts);
  return settingsCard(view, view.words.settings.saved);
}

/** The person's settings with what holds where they set nothing. */
export function settingsViewOf(person: Person, parts: Pick<Parts, "settings">): SettingsView {
  return {
    words: messagesIn(person.language),
    person,
    slippageBps: slippageOf(person, parts.settings),
    maxSlippageBps: parts.settings.maxSlippageBps,
  };
}

function changed(before: Person, change: SettingChange): Partial<Person> {
  switch (change.kind) {
    case "slippage":
      return { slippageBps: change.bps };
    case "presets":
      return { presets: change.presets };
    case "timezone":
      return { timeZone: change.timeZone };
    case "quiet":
      return { alerts: { ...(before.alerts ?? defaultControl), quiet: change.quiet } };
    case "language":
      return { language: change.language };
  }
}
