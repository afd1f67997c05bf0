import type { View } from "./card.js";

/** `25 hours`, rounded, in the largest unit that is precise enough. */
export function durationOf(milliseconds: number, { words: { lock: words } }: View): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 120) return words.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 72 ? words.hours(hours) : words.days(Math.round(hours / 24));
}
