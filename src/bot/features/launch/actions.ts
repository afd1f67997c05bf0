import { launchCard } from "../../../cards/launch.js";
import type { CardDialogParts } from "../../../conversations/card-dialog.js";
import type { MessageNotes } from "../../../conversations/interview.js";
import type { LaunchDialogParts } from "../../../conversations/launch.js";
import type { Opened, Shown } from "../../../conversations/opened.js";
import { parseContractAddress } from "../../../encoding/address.js";
import { unlistedToken } from "../../../encoding/token.js";
import { messagesIn } from "../../../locales/messages.js";
import type { CallStep, Launch, LaunchStep } from "../../../model/launch.js";
import {
  findLaunch,
  launchOf,
  withDone,
  withLaunch,
  withLiquidity,
  withOpen,
} from "../../../services/launch/launch.js";
import { withLockTold } from "../../../services/locks/record.js";
import { changePerson, personOf } from "../../../services/people.js";
import { swappable } from "../../../services/swap/request.js";
import { tokenOf } from "../../../services/tokens.js";
import { wordsOf } from "../../../services/typed-line.js";
import type { Parts } from "../../context.js";
import { openPrepared, replaceChecklist, type OpenCardParts } from "../../intents/open.js";
import { orSentence } from "../../or-sentence.js";
import { viewOf } from "../../person.js";
import { launchKind, stepWords } from "./kind.js";
import { adviseLock } from "./lock-advice.js";

export type LaunchActionParts = OpenCardParts &
  Pick<Parts, "clock" | "launching" | "locking" | "reminders" | "settings" | "store" | "tokens">;

/** What a person can do about their launches, by buttons and at the end of dialogs. */
export interface LaunchActions
  extends Omit<LaunchDialogParts, keyof CardDialogParts>,
    Pick<MessageNotes, "replaceChecklist"> {
  /** The checklist as the chain shows it now. */
  readonly check: (userId: number, launchId: string) => Promise<Shown>;
  /** Opens the card of a step that is one call. */
  readonly openStep: (userId: number, launchId: string, step: CallStep) => Promise<Opened>;
  /** Takes the person's word that a step is not done. */
  readonly takeBack: (userId: number, launchId: string, step: LaunchStep) => Promise<Shown>;
}

export function launchActions(parts: LaunchActionParts): LaunchActions {
  const { store, launching, tokens } = parts;

  /** The checklist after `before` was done. */
  const checkAfter = async (userId: number, launchId: string, before: () => Promise<unknown>): Promise<Shown> => {
    const person = await personOf(store, userId);
    const shown = await orSentence(messagesIn(person.language), async () => {
      await before();
      return launchCard(await launching.check(userId, launchId), viewOf(person, parts));
    });
    return shown.ok ? { ok: true, card: shown.value, launchId } : shown;
  };
  const check = (userId: number, launchId: string) => checkAfter(userId, launchId, () => Promise.resolve());

  /** Changes one launch. @throws Fault `launch-unknown`. */
  const change = (userId: number, launchId: string, next: (launch: Launch) => Launch) =>
    changePerson(store, userId, (person) => withLaunch(person, next(launchOf(person, launchId))));

  /** Keeps the LP token that a person names, where no view and no answer gave it. */
  const keepLpToken = (userId: number, launchId: string, id: string) =>
    change(userId, launchId, (launch) => ({ ...launch, lpTokenId: launch.lpTokenId ?? id }));

  return {
    check,
    replaceChecklist: (userId, launchId, messageId) => replaceChecklist(parts, userId, launchId, messageId),

    start: async (userId, typed) => {
      const words = messagesIn((await personOf(store, userId)).language);
      const [first, second, lpTicker, lpName, ...rest] = wordsOf(typed);
      if (first === undefined || second === undefined || rest.length > 0) {
        return { ok: false, sentence: `${words.launch.usage} /launch KLV DVK-34ZH` };
      }
      const started = await orSentence(words, () =>
        launching.start(userId, {
          first: swappable(first, tokens),
          second: swappable(second, tokens),
          ...(lpTicker !== undefined && { lpTicker }),
          ...(lpName !== undefined && { lpName }),
        }),
      );
      return started.ok ? check(userId, started.value) : started;
    },

    tokensOf: async (userId, launchId) => {
      const launch = findLaunch(await personOf(store, userId), launchId);
      return launch === undefined ? [] : [launch.firstToken, launch.secondToken];
    },

    openStep: (userId, launchId, step) =>
      openPrepared(parts, userId, (owner) => launchKind.prepare(parts, owner, stepWords({ launchId, step }))),

    planLiquidity: async (userId, launchId, first, second) => {
      const plan = () => change(userId, launchId, (launch) => withLiquidity(launch, first, second));
      if (!parts.settings.launchExtended) return checkAfter(userId, launchId, plan);
      return openPrepared(parts, userId, async () => ({
        draft: await launching.prepareStep(await plan(), userId, launchId, "add-liquidity"),
      }));
    },

    adviseLock: async (userId, launchId) => adviseLock(await launching.check(userId, launchId)),

    openLock: (userId, launchId, typed) => {
      const [amount = "", token = "", until = ""] = wordsOf(typed);
      return openPrepared(parts, userId, async () => {
        const person = await keepLpToken(userId, launchId, token);
        return { draft: await launching.prepareLock(person, userId, launchId, { amount, token, until }) };
      });
    },

    tellLock: (userId, launchId, told) =>
      checkAfter(userId, launchId, async () => {
        const status = await parts.locking.epochStatus();
        await keepLpToken(userId, launchId, told.lpToken);
        await changePerson(store, userId, (person) => {
          const before = withLaunch(person, withOpen(launchOf(person, launchId), "lock"));
          const token = tokenOf(person, told.lpToken, tokens) ?? unlistedToken(told.lpToken);
          return withLockTold(before, token, told, status, parts.clock.now());
        });
        parts.reminders.note(userId);
      }),

    acknowledge: (userId, launchId, step, pair) =>
      checkAfter(userId, launchId, () =>
        change(userId, launchId, (launch) => ({
          ...withDone(launch, step, "word"),
          ...(pair !== undefined && { pair: parseContractAddress(pair) }),
        })),
      ),

    takeBack: (userId, launchId, step) =>
      checkAfter(userId, launchId, () => change(userId, launchId, (launch) => withOpen(launch, step))),
  };
}
