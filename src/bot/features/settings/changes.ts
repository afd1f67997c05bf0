import { alertSettingsCard } from "../../../cards/alert-settings.js";
import type { Card } from "../../../cards/card.js";
import { securityCard } from "../../../cards/security.js";
import { settingsCard, type SettingsView } from "../../../cards/settings.js";
import type { Setting } from "../../../conversations/setting.js";
import { messagesIn } from "../../../locales/messages.js";
import { defaultControl } from "../../../model/alert-control.js";
import type { Person } from "../../../model/person.js";
import { withChange } from "../../../model/security-change.js";
import { withLimit } from "../../../services/intents/within-limits.js";
import { slippageOf } from "../../../services/slippage.js";
import type { Parts } from "../../context.js";
import { viewOf } from "../../person.js";
import { changePerson } from "../../../services/people.js";

export type SettingsParts = Pick<Parts, "clock" | "log" | "settings" | "store" | "tokens">;

/** A setting that is typed, or the language, which is chosen. */
export type SettingChange = Setting | { readonly kind: "language"; readonly language: string };

/** Saves a setting and gives the page of the settings that it is on, as it is then. */
export async function saveSetting(parts: SettingsParts, userId: number, change: SettingChange): Promise<Card> {
  const now = parts.clock.now();
  const person = await changePerson(parts.store, userId, (before) => changed(parts, before, change, now));
  const view = viewOf(person, parts);
  const { saved } = view.words.settings;
  if (change.kind === "limit" || change.kind === "phrase") return securityCard(person, now, view, saved);
  if (change.kind === "quiet") return alertSettingsCard(person.alerts, view);
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

function changed({ tokens }: SettingsParts, before: Person, change: SettingChange, now: number): Person {
  switch (change.kind) {
    case "slippage":
      return withChange({ ...before, slippageBps: change.bps }, change.kind, now);
    case "presets":
      return { ...before, presets: change.presets };
    case "timezone":
      return withChange({ ...before, timeZone: change.timeZone, timeZoneSince: now }, change.kind, now);
    case "quiet":
      return { ...before, alerts: { ...(before.alerts ?? defaultControl), quiet: change.quiet } };
    case "language":
      return { ...before, language: change.language };
    case "limit":
      return withChange(withLimit(before, change.typed, tokens, now), change.kind, now);
    case "phrase":
      return withChange({ ...before, phrase: change.phrase }, change.kind, now);
  }
}
