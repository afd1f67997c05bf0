import { expect } from "vitest";
import type { BotMessage, Person } from "./stub-telegram.js";

/** Gives a replacement card its extra confirmation, as soon as the card accepts taps. */
export async function looksAgain(person: Person, card: BotMessage): Promise<void> {
  const isOffered = () => card.buttons.some(({ text }) => text.startsWith("✅ Confirm"));
  const tries = () => {
    if (!isOffered()) person.taps(card, "Show the new quote");
    return isOffered();
  };
  await expect.poll(tries, { interval: 300 }).toBe(true);
}
