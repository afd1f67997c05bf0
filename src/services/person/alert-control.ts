/** The kinds of event that a person can switch: a part was filled, all was, cancelled, anything else, a service's outage. */
export const alertKinds = ["fill", "done", "canceled", "other", "service"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** With a sound, without one, or not at all. */
export const alertModes = ["on", "silent", "off"] as const;
export type AlertMode = (typeof alertModes)[number];

/** From when to when alerts make no sound, `HH:MM` in the person's time zone; it may go over midnight. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
}

/** How a person wants to be told. What is left out is on. */
export interface AlertControl {
  readonly modes: Readonly<Partial<Record<AlertKind, AlertMode>>>;
  readonly quiet?: QuietHours;
}

export const defaultControl: AlertControl = { modes: {} };
