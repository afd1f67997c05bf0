import type { Intent } from "../services/intents/intent.js";
import type { Card } from "./card.js";
import { swapCard } from "./swap.js";
import type { View } from "./view.js";

/** The card of an intent of any kind, in the state that it is in. */
export function intentCard(intent: Intent, view: View, notice?: string): Card {
  return swapCard(intent, intent.terms, view, notice);
}
