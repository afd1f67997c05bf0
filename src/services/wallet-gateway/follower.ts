import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import {
  isLookedFor,
  isUnderWay,
  type Intent,
  type IntentOutcome,
  type Reason,
  type SignedIntent,
} from "../../model/intent.js";
import { createTurns } from "../../store/turns.js";
import { pauseAfter, type BackOff } from "../back-off.js";
import { isNeverSent } from "../clients/http.js";
import type { Recheck } from "../intents/draft.js";
import type { Intents } from "../intents/intents.js";
import { isSigned } from "../intents/requests.js";
import { decide, GONE_MILLISECONDS, REMEMBERED_MILLISECONDS, withheld, type Seen } from "./decide.js";
import type { ChainNode } from "./node.js";
import { createPace } from "./paced.js";

interface Followed {
  readonly owner: number;
  readonly id: string;
  /** Whether its price was asked a moment ago, when its signature was taken. */
  isFresh: boolean;
  /** Once the chat was told that it is signed. */
  shown?: Promise<void> | undefined;
  seen: Seen;
  /** Looks since it was sent, and looks in a row at which the node could not be reached. */
  looks: number;
  failures: number;
  broadcastAt: number;
  wake: AbortController;
}

/** While nobody has signed, the wallet may still have sent it by itself. */
const REQUEST_PAUSE_MILLISECONDS = 15_000;
/** So long after an end that the chain can still contradict it is looked for. */
const LATE_MILLISECONDS = REMEMBERED_MILLISECONDS;
const FIRST_PAUSE_MILLISECONDS = 1000;
const LONGEST_PAUSE_MILLISECONDS = 30_000;
/** What is in a block is looked at again about when the next one is there. */
const ON_CHAIN_PAUSE_MILLISECONDS = 2000;
/** The node takes a moment to hand on what it took. */
const BROADCAST_PAUSE_MILLISECONDS = 5000;
const BACK_OFF: BackOff = { first: 1000, longest: 30_000 };

export type Follower = ReturnType<typeof createFollower>;

/** Brings requests for a signature and transactions to their end, whether or not anybody taps. */
export function createFollower(parts: {
  readonly node: ChainNode;
  readonly intents: Pick<Intents, "find" | "requests" | "rivals" | "settle">;
  /** Whether what the card shows can still be had. @throws Fault */
  readonly recheck: (intent: Intent) => Promise<Recheck>;
  /** Makes the chat show an intent as it is, now or later; never throws. */
  readonly present: (intent: Intent) => Promise<void>;
  /** Tells the owner that the chain has what had ended otherwise; never throws. */
  readonly tellFound: (intent: Intent) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { node, intents, clock, log } = parts;
  const pace = createPace(clock);
  /** What is over unless the chain contradicts it waits for everything else: only one of them asks at a time. */
  const late = createTurns();
  const followed = new Map<string, Followed>();
  const running = createTurns();
  let isStopped = false;

  const present = async (intent: Intent | undefined): Promise<void> => {
    if (intent !== undefined) await parts.present(intent);
  };

  /** Takes over what the chain knows although the bot did not give it to it. Undefined where it knows nothing. */
  const takeOver = async (request: SignedIntent): Promise<Intent | undefined> => {
    const found = await pace(() => node.transaction(request));
    // With its signature it can be given to the network again, should it get lost.
    return found && intents.requests.sentByWallet(request.owner, request.id, found.signature);
  };

  /** Waits for a signature, and closes once the chain does not know it. @returns when to look again; undefined at its end. */
  const lookAtRequest = async (item: Followed, request: SignedIntent): Promise<number | undefined> => {
    const { owner, id, transaction } = request;
    const { closing, signUntil } = transaction;
    if (closing === undefined && clock.now() >= signUntil) {
      await intents.requests.close(owner, id, { state: "EXPIRED" });
      return 0;
    }
    // Where the node is not to be had, the card says at least what is being waited for.
    if (closing !== undefined && item.failures === 1) await present(request);
    if ((await takeOver(request)) !== undefined) return 0;
    if (closing === undefined) return Math.min(REQUEST_PAUSE_MILLISECONDS, signUntil - clock.now());
    if (closing.state === "FAILED" && closing.code === "nonce-used") {
      // Its own number may be the one that was used: the node that is asked for the hash can be behind the one that said so.
      const { goneSince = clock.now() } = item.seen;
      item.seen = { goneSince };
      if (clock.now() - goneSince < GONE_MILLISECONDS) return GONE_MILLISECONDS;
    }
    const ended = await intents.requests.end(owner, id);
    await present(ended);
    return ended === undefined || isUnderWay(ended.state) ? 0 : REQUEST_PAUSE_MILLISECONDS;
  };

  /**
   * It ended otherwise, but a person may still agree in a wallet that broadcasts by itself, or a node have been behind. Looks after twice
   * the time, until another has its number, or a node would have forgotten it.
   */
  const lookAtEnded = async (item: Followed, request: SignedIntent): Promise<number | undefined> => {
    const found = await late.take("", () => takeOver(request));
    if (found !== undefined) {
      Object.assign(item, { seen: {}, looks: 0, shown: undefined });
      // The network and the chat are not waited for.
      void parts.tellFound(found);
      return 0;
    }
    const endedFor = clock.now() - (request.times[request.state] ?? 0);
    const rivals = await intents.rivals(request);
    if (endedFor < LATE_MILLISECONDS && !rivals.some(isOnChain)) {
      return Math.min(Math.max(REQUEST_PAUSE_MILLISECONDS, endedFor), LATE_MILLISECONDS - endedFor);
    }
    await intents.requests.giveUp(request.owner, request.id);
    return undefined;
  };

  /** The card that says so never comes before the one that says it is signed. */
  const end = async (item: Followed, { owner, id }: SignedIntent, outcome: IntentOutcome): Promise<void> => {
    const ended = await intents.settle(owner, id, outcome);
    await item.shown;
    await present(ended);
  };

  /**
   * Gives the bytes that were checked to the network, if they may leave.
   * @returns why they stay, or how it ended; undefined where the chain will say.
   */
  const give = async (item: Followed, sent: SignedIntent): Promise<Reason | IntentOutcome | undefined> => {
    const { owner, id, transaction } = sent;
    const { signature = "", givenAt } = transaction;
    const isFirst = givenAt === undefined;
    const { isFresh } = item;
    item.isFresh = false;
    const reason = await intents.requests.mayLeave(sent, isFresh ? undefined : parts.recheck);
    if (reason !== undefined) return reason;
    item.broadcastAt = clock.monotonic();
    const broadcast = () => node.broadcast(transaction, Buffer.from(signature, "hex"));
    // The first time is no question, and waits for none.
    const answer = await (isFirst ? broadcast() : pace(broadcast)).catch(async (error: unknown) => {
      const isCertain = isFault(error) && (isNeverSent(error) || error.code === "service-rate-limited");
      if (isFirst && isCertain) await intents.requests.markNotGiven(owner, id);
      throw error;
    });
    if (answer.kind === "taken") return undefined;
    log.warn({ intent: id, reason: answer.text }, "The node refused a transaction");
    // Refused for its number, it may have been carried out already.
    if (/lowerNonceInTx: true/.test(answer.text)) return undefined;
    if (isFirst) {
      // Its wallet may have been faster.
      const isKnown = (await pace(() => node.transaction(sent))) !== undefined;
      return isKnown ? undefined : { kind: "failed", text: answer.text };
    }
    // An earlier try may have been taken. Its owner learns what the network says now.
    if (transaction.refusal !== answer.text) await present(await intents.requests.markRefused(owner, id, answer.text));
    return undefined;
  };

  const lookAtSent = async (item: Followed, sent: SignedIntent): Promise<number | undefined> => {
    // Its card still asks for a signature and may go on so while the network does not answer; the network does not wait for the chat.
    if (sent.shownState !== "SENT") item.shown ??= present(sent);
    const decision = item.isFresh ? ({ kind: "give", seen: {} } as const) : await decisionOn(item, sent);
    if (decision.kind === "end") return ending(item, sent, decision.outcome);
    item.seen = decision.seen;
    item.looks += 1;
    if (decision.kind === "give" && clock.monotonic() - item.broadcastAt >= BROADCAST_PAUSE_MILLISECONDS) {
      const given = await give(item, sent);
      if (given !== undefined) {
        const then =
          "kind" in given ? { kind: "end" as const, outcome: given } : withheld(sent, given, item.seen, clock.now());
        if (then.kind === "end") return ending(item, sent, then.outcome);
        item.seen = then.seen;
      }
    }
    return item.seen.onChain === undefined
      ? Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 1.3 ** item.looks)
      : ON_CHAIN_PAUSE_MILLISECONDS;
  };

  const decisionOn = async (item: Followed, sent: SignedIntent) => {
    const { nonce } = await pace(() => node.nonce(sent.terms.payout));
    // Asked before the transaction: a block on top of its own counts only if the transaction is still in it afterwards.
    const height = item.seen.onChain === undefined ? undefined : await pace(node.height);
    const transaction = await pace(() => node.transaction(sent));
    const isReplaced = transaction === undefined && nonce > sent.transaction.nonce && (await wasReplaced(sent));
    const reading = { nonce, transaction, isReplaced, ...(height !== undefined && { height }) };
    return decide(sent, reading, item.seen, clock.now());
  };

  const ending = async (item: Followed, sent: SignedIntent, outcome: IntentOutcome): Promise<number | undefined> => {
    await end(item, sent, outcome);
    return REQUEST_PAUSE_MILLISECONDS;
  };

  /** Whether another transaction with its number is in a block, whoever's it is. One whose request had closed may have been sent late by the wallet; it is followed then. */
  const wasReplaced = async (sent: SignedIntent): Promise<boolean> => {
    for (const rival of await intents.rivals(sent)) {
      if (isOnChain(rival)) return true;
      const found = await pace(() => node.transaction(rival));
      if (found === undefined) continue;
      if (rival.state !== "SENT" && (await takeOver(rival)) !== undefined) follow(rival);
      if (found.block > 0n) return true;
    }
    return false;
  };

  const look = async (item: Followed): Promise<number | undefined> => {
    const intent = await intents.find(item.owner, item.id);
    if (intent === undefined || !isSigned(intent)) return undefined;
    if (intent.state === "SIGNING") return lookAtRequest(item, intent);
    if (intent.state === "SENT") return lookAtSent(item, intent);
    return isLookedFor(intent) ? lookAtEnded(item, intent) : undefined;
  };

  const run = async (item: Followed): Promise<void> => {
    while (!isStopped) {
      let pause: number | undefined;
      try {
        pause = await look(item);
        item.failures = 0;
      } catch (error) {
        item.failures += 1;
        pause = pauseAfter(item.failures, BACK_OFF);
        log.warn({ intent: item.id, err: error }, "A transaction could not be looked up");
      }
      const { signal } = item.wake;
      // What it was told of during its last look is looked at again.
      if (pause === undefined && !signal.aborted) break;
      await clock.sleep(Math.max(1, pause ?? 0), signal).catch(() => undefined);
      if (signal.aborted) item.wake = new AbortController();
    }
    followed.delete(item.id);
  };

  /**
   * Follows an intent from now on, or looks at it at once. `isFresh`: its price and the chain were asked a moment ago, so that it
   * can be given to the network without asking again.
   */
  const follow = (intent: SignedIntent, isFresh = false): void => {
    if (isStopped) return;
    const known = followed.get(intent.id);
    if (known !== undefined) {
      known.isFresh ||= isFresh;
      known.wake.abort();
      return;
    }
    const item: Followed = {
      owner: intent.owner,
      id: intent.id,
      isFresh,
      seen: {},
      looks: 0,
      failures: 0,
      broadcastAt: Number.NEGATIVE_INFINITY,
      wake: new AbortController(),
    };
    followed.set(intent.id, item);
    void running.take(intent.id, () => run(item));
  };

  return {
    follow,
    /** Looks at nothing any more, once what is under way has ended. */
    stop: async (): Promise<void> => {
      isStopped = true;
      for (const { wake } of followed.values()) wake.abort();
      await running.settled();
    },
  };
}

/** Whether it is certain that the chain carried it out, or tried to: its number is used. */
function isOnChain({ state, outcome }: Intent): boolean {
  return state === "OK" || (outcome?.kind === "failed" && outcome.costsFee === true);
}
