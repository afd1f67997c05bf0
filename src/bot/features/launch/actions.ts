import { launchCard } from "../../../cards/launch.js";
import type { Opened, Shown } from "../../../conversations/opened.js";
import type { LockTold } from "../../../conversations/launch.js";
import { parseContractAddress } from "../../../encoding/address.js";
import { unlistedToken } from "../../../encoding/token.js";
import { messages } from "../../../locales/messages.js";
import type { CallStep, Launch, LaunchStep } from "../../../model/launch.js";
import { launchOf, withDone, withLaunch, withLiquidity, withOpen } from "../../../services/launch/launch.js";
import { wordsOf } from "../../../services/typed-line.js";
import { withLockTold } from "../../../services/locks/book.js";
import { tokenOf } from "../../../services/tokens.js";
import { swappable } from "../../../services/swap/request.js";
import type { Parts } from "../../context.js";
import { stepWords } from "./kind.js";
import { openCard, openPrepared } from "../../intents/open.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";
import { changePerson, personOf } from "../../../services/people.js";

/** Opens the card of a step that is one call. */
export function openLaunchStep(parts: Parts, userId: number, launchId: string, step: CallStep): Promise<Opened> {
  return openCard(parts, "launch", userId, stepWords({ launchId, step }));
}

/** Opens the card of the lock for the words behind `/lock`. */
export function openLaunchLock(parts: Parts, userId: number, launchId: string, typed: string): Promise<Opened> {
  const [amount = "", token = "", until = ""] = wordsOf(typed);
  return openPrepared(parts, userId, async () => {
    const person = await keepLpToken(parts, userId, launchId, token);
    return { draft: await parts.launching.prepareLock(person, userId, launchId, { amount, token, until }) };
  });
}

/** Enters a lock that the person tells of. */
export function tellLock(parts: Parts, userId: number, launchId: string, told: LockTold): Promise<Shown> {
  return checklistCard(parts, userId, launchId, async () => {
    const status = await parts.locking.epochStatus();
    await keepLpToken(parts, userId, launchId, told.lpToken);
    await changePerson(parts.store, userId, (person) => {
      const before = withLaunch(person, withOpen(launchOf(person, launchId), "lock"));
      const token = tokenOf(person, told.lpToken, parts.tokens) ?? unlistedToken(told.lpToken);
      return withLockTold(before, token, told, status, parts.clock.now());
    });
    parts.reminders.note(userId);
  });
}

/** Keeps the LP token that a person names, where no view and no answer told it. */
function keepLpToken(parts: Parts, userId: number, launchId: string, id: string) {
  return changeLaunch(parts, userId, launchId, (launch) => ({ ...launch, lpTokenId: launch.lpTokenId ?? id }));
}

/** The checklist as the chain shows it now, after `before` was done. */
export async function checklistCard(
  parts: Parts,
  userId: number,
  launchId: string,
  before: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Shown> {
  const person = await personOf(parts.store, userId);
  const shown = await orSentence(messages[person.language], async () => {
    await before();
    return launchCard(await parts.launching.check(userId, launchId), viewOf(person, parts));
  });
  return shown.ok ? { ok: true, card: shown.value } : shown;
}

/** Begins a launch from the words behind `/launch`: two tokens, and if wanted the LP token's ticker and name. */
export async function startLaunch(parts: Parts, userId: number, typed: string): Promise<Shown> {
  const person = await personOf(parts.store, userId);
  const words = messages[person.language];
  const [first, second, lpTicker, lpName, ...rest] = wordsOf(typed);
  if (first === undefined || second === undefined || rest.length > 0) {
    return { ok: false, sentence: `${words.launch.usage} /launch KLV DVK-34ZH` };
  }
  if (person.wallet === undefined)
    return { ok: false, sentence: words.faults["wallet-missing"]({}), needsWallet: true };
  const started = await orSentence(words, () =>
    parts.launching.start(userId, {
      first: swappable(first, parts.tokens),
      second: swappable(second, parts.tokens),
      ...(lpTicker !== undefined && { lpTicker }),
      ...(lpName !== undefined && { lpName }),
    }),
  );
  return started.ok ? checklistCard(parts, userId, started.value) : started;
}

/** Keeps the amounts of the first deposit, and opens its card, or shows what to enter in a wallet. */
export async function planLiquidity(
  parts: Parts,
  userId: number,
  launchId: string,
  first: string,
  second: string,
): Promise<Shown> {
  const plan = () => changeLaunch(parts, userId, launchId, (launch) => withLiquidity(launch, first, second));
  if (!parts.settings.launchExtended) return checklistCard(parts, userId, launchId, plan);
  return openPrepared(parts, userId, async ({ person }) => {
    await plan();
    return { draft: await parts.launching.prepareStep(person, userId, launchId, "add-liquidity") };
  });
}

/** Takes the person's word that a step is done. `pair`: the address that creating the pair gave. */
export function acknowledge(parts: Parts, userId: number, launchId: string, step: LaunchStep, pair?: string) {
  return checklistCard(parts, userId, launchId, () =>
    changeLaunch(parts, userId, launchId, (launch) => ({
      ...withDone(launch, step, "word"),
      ...(pair !== undefined && { pair: parseContractAddress(pair) }),
    })),
  );
}

/** Takes the person's word that a step is not done. */
export function takeBack(parts: Parts, userId: number, launchId: string, step: LaunchStep) {
  return checklistCard(parts, userId, launchId, () =>
    changeLaunch(parts, userId, launchId, (launch) => withOpen(launch, step)),
  );
}

/** Changes one launch. @throws Fault `launch-unknown`. */
export function changeLaunch(parts: Parts, userId: number, launchId: string, change: (launch: Launch) => Launch) {
  return changePerson(parts.store, userId, (person) => withLaunch(person, change(launchOf(person, launchId))));
}
