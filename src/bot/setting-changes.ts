import type { Card } from "../cards/card.js";
import { settingsCard, type SettingsView } from "../cards/settings.js";
import type { Setting } from "../conversations/setting.js";
import { messages } from "../locales/messages.js";
import type { Language, Person } from "../services/people.js";
import type { Parts } from "./context.js";
import { changePerson } from "./person.js";

/** A setting that is typed, or the language, which is chosen. */
export type SettingChange = Setting | { readonly kind: "language"; readonly language: Language };

/** Saves a setting and gives the settings card as it is then. */
export async function saveSetting(parts: Parts, userId: number, change: SettingChange): Promise<Card> {
  const person = await changePerson(parts.store, userId, (before) => ({ ...before, ...changed(change) }));
  const view = settingsViewOf(person, parts);
  return settingsCard(view, view.words.settings.saved);
}

/** The person's settings with what holds where they set nothing. */
export function settingsViewOf(person: Person, parts: Pick<Parts, "settings">): SettingsView {
  const { defaultSlippageBps, maxSlippageBps } = parts.settings;
  return {
    words: messages[person.language],
    person,
    slippageBps: person.slippageBps ?? defaultSlippageBps,
    maxSlippageBps,
  };
}

function changed(change: SettingChange): Partial<Person> {
  switch (change.kind) {
    case "slippage":
      return { slippageBps: change.bps };
    case "presets":
      return { presets: change.presets };
    case "timezone":
      return { timeZone: change.timeZone };
    case "language":
      return { language: change.language };
  }
}
