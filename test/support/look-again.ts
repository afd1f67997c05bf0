import { expect } from "vitest";
import type { BotMessage, Person } from "./stub-telegram.js";

/** Takes the second step of a card that replaced another, as soon as its button acts. */
export async function looksAgain(person: Person, card: BotMessage): Promise<void> {
  const isOffered = () => card.buttons.some(({ text }) => text.startsWith("✅ Confirm"));
  const tries = () => {
    if (!isOffered()) person.taps(card, "Show the new quote");
    return isOffered();
  };
  await expect.poll(tries, { interval: 300 }).toBe(true);
}
