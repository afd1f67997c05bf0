import type { Amount } from "../encoding/amount.js";
import { activeLimit } from "../services/intent/limits.js";
import type { Messages } from "../locales/messages.js";
import type { GuardChange, Later, Limit, LimitAmounts, Person } from "../services/person/person.js";
import { buttons } from "./buttons.js";
import { bold, button, card, type Card, code, labelled, line, type Lines, say, type View, giving } from "./card.js";
import { exactWithToken } from "./amount.js";
import { momentOf } from "./time.js";

/** `now` in milliseconds since 1970. */
export function securityCard(person: Person, now: number, view: View, notice?: string): Card {
  const words = view.words.security;
  const { limits = {}, phrase, frozenSince, changes = [], later = [] } = person;
  return card(
    [
      notice,
      bold(words.title),
      frozenSince === undefined ? words.notFrozen : say(words.frozen, momentOf(frozenSince, view)),
      later.map((one) => laterLines(one, view)),
      phrase === undefined ? words.noPhrase : labelled(words.phrase, phrase),
      "",
      bold(words.limits),
      Object.keys(limits).length === 0 && words.noLimits,
      Object.entries(limits).map(([token, limit]) => limitLines(token, limit, now, view)),
      "",
      bold(words.changes),
      changes.length === 0 && words.noChanges,
      changes.map(({ at, guard }) => line(momentOf(at, view), ` · ${words.guards[guard]}`)),
    ],
    [
      [button(words.setLimit, buttons.guard, "limit"), button(words.setPhrase, buttons.guard, "phrase")],
      ...later.map(({ guard }) => [button(words.undo[guard], buttons.undo, guard)]),
      [frozenSince === undefined && giving(button(words.freeze, buttons.freeze, "now"))],
    ],
  );
}

/** A message of its own, so that it notifies. */
export function laterCard(later: Later, view: Pick<View, "words" | "now">): Card {
  const { security: words } = view.words;
  return card(laterLines(later, view), [[button(words.undo[later.guard], buttons.undo, later.guard)]]);
}

export function inEffectCard(change: GuardChange, { security, common, wallet }: Messages): Card {
  return change.guard === "unfreeze"
    ? card([common.unfroze])
    : card([bold(security.walletInEffect), code(change.address), wallet.change]);
}

export function laterLines(later: Later, view: Pick<View, "words" | "now">): Lines {
  const { security } = view.words;
  const from = momentOf(later.from, view);
  if (later.guard === "unfreeze") return [bold(say(security.unfreezeLater, from))];
  if (later.guard === "forget") return [bold(say(security.forgetLater, from)), security.forgetWaits];
  return [bold(say(security.walletLater, from)), code(later.address)];
}

/** @param at in seconds since 1970. */
export function forgetCard(unknown: number, at: number, { words: { security: words, history } }: View): Card {
  const ask = button(words.forgetAsk, buttons.forget, { step: "ask", at });
  return card(
    [
      bold(words.forgetTitle),
      "",
      words.forgetKept,
      words.forgetFile,
      unknown > 0 && words.forgetUnknown(unknown),
      "",
      words.forgetTokens,
      words.forgetStays,
    ],
    [[button(history.file, buttons.historyFile, "csv")], [ask]],
  );
}

/** @param from when it would take effect, in milliseconds since 1970; absent: at once. */
export function reallyForgetCard(from: number | undefined, at: number, view: View): Card {
  const { security } = view.words;
  const since = from === undefined ? security.forgetAtOnce : say(security.forgetFrom, momentOf(from, view));
  const keep = button(security.forgetKeep, buttons.forget, { step: "keep", at });
  const now = giving(button(security.forgetConfirm, buttons.forget, { step: "now", at }));
  return card([bold(security.forgetReally), "", security.forgetGuards, since, security.forgetWaits], [[keep], [now]]);
}

export function forgottenCard({ security }: Messages): Card {
  return card([security.forgotten]);
}

function limitLines(token: string, limit: Limit, now: number, view: View): Lines {
  const words = view.words.security;
  const figure = (amount?: Amount) => (amount === undefined ? words.unlimited : exactWithToken(amount, view.words));
  const figures = ({ perTransaction, perDay }: LimitAmounts) =>
    perTransaction === undefined && perDay === undefined
      ? words.unlimited
      : words.most(figure(perTransaction), figure(perDay));
  const { later } = limit;
  const line = `${token}: ${figures(activeLimit(limit, now))}`;
  if (later === undefined || now >= later.from) return [line];
  return [line, say((from) => `     ${words.later(from, figures(later.most))}`, momentOf(later.from, view))];
}
