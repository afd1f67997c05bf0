import type { Person } from "../services/person/person.js";
import { button, buttons, commandButton, giving } from "./buttons.js";
import { bold, card, momentOf, say, type Card, type Lines, type ButtonRows, type View } from "./card.js";
import { durationOf } from "./duration.js";

/** Asks before a freeze that a tap began: its button is close to others, and lifting it takes time. */
export function freezeCard(view: View): Card {
  const { security: words } = view.words;
  const rows: ButtonRows = [
    [button(words.keepTrading, buttons.freeze, "keep")],
    [giving(button(words.freezeNow, buttons.freeze, "now"))],
  ];
  return card([bold(words.freezeQuestion), words.freezeExplain, liftingLine(view)], rows);
}

/** How long it takes to lift a freeze. */
export function liftingLine(view: View): string {
  const { guardDelaySeconds, words } = view;
  const { lifting, liftingAtOnce } = words.security;
  if (guardDelaySeconds === 0) return liftingAtOnce;
  return lifting(guardDelaySeconds === 3600 ? words.lock.hours(1) : durationOf(guardDelaySeconds * 1000, view));
}

/** Whether a user has frozen trading, since when, and from when they can trade again; empty if they haven't. */
export function frozenLines({ frozenSince, later = [] }: Pick<Person, "frozenSince" | "later">, view: View): Lines {
  const { security: words } = view.words;
  if (frozenSince === undefined) return [];
  const lifted = later.find(({ guard }) => guard === "unfreeze");
  return [
    bold(say(words.frozen, momentOf(frozenSince, view))),
    lifted === undefined ? liftingLine(view) : say(words.unfreezeLater, momentOf(lifted.from, view)),
  ];
}

/** The button that asks for trading to be open again, unless that is already on its way. */
export function unfreezeRow({ frozenSince, later = [] }: Pick<Person, "frozenSince" | "later">): ButtonRows[number] {
  const isAsked = later.some(({ guard }) => guard === "unfreeze");
  return [frozenSince !== undefined && !isAsked && commandButton("/unfreeze", "unfreeze")];
}
