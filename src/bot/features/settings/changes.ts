import type { Card } from "../../../cards/card.js";
import { securityCard } from "../../../cards/security.js";
import { alertSettingsCard, settingsCard, type SettingsView } from "../../../cards/settings.js";
import type { Setting, SettingChange } from "../../../conversations/setting.js";
import { messagesIn } from "../../../locales/messages.js";
import type { Person } from "../../../model/person.js";
import { withChange } from "../../../model/security-change.js";
import type { Parts } from "../../context.js";
import { viewOf } from "../../person.js";
import { changePerson, slippageOf } from "../../../services/people.js";

export type SettingsParts = Pick<Parts, "clock" | "log" | "settings" | "store">;

/** Changes a setting and gives the page of the settings that it is on, as it is then. */
export async function saveSetting(
  parts: SettingsParts,
  userId: number,
  setting: Setting | "language",
  change: SettingChange,
): Promise<Card> {
  const now = parts.clock.now();
  const person = await changePerson(parts.store, userId, (before) => {
    const after = change(before, now);
    const guardsNothing = setting === "presets" || setting === "quiet" || setting === "language";
    return guardsNothing ? after : withChange(after, setting, now);
  });
  const view = viewOf(person, parts);
  const { saved } = view.words.settings;
  if (setting === "limit" || setting === "phrase") return securityCard(person, now, view, saved);
  if (setting === "quiet") return alertSettingsCard(person.alerts, view);
  return settingsCard(settingsViewOf(person, parts), saved);
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
