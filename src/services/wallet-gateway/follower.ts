import type { Logger } from "pino";
import type { Clock } from "../../clock.js";
import { readRawData } from "../../encoding/transaction.js";
import { isUnderWay, type Intent, type IntentOutcome, type SignedIntent } from "../../model/intent.js";
import { createTurns } from "../../store/turns.js";
import { pauseAfter, type BackOff } from "../back-off.js";
import type { Intents } from "../intents/intents.js";
import { isSigned, isUnsent } from "../intents/requests.js";
import { decide, type Seen } from "./decide.js";
import type { ChainNode } from "./node.js";
import { createPace } from "./paced.js";

interface Followed {
  readonly owner: number;
  readonly id: string;
  isFresh: boolean;
  /** Once the chat was told that it is signed. */
  shown?: Promise<void>;
  seen: Seen;
  /** Looks since it was sent, and looks in a row at which the node could not be reached. */
  looks: number;
  failures: number;
  broadcastAt: number;
  wake: AbortController;
}

/** While nobody has signed, the wallet may still have sent it by itself. */
const REQUEST_PAUSE_MILLISECONDS = 15_000;
/** So long after its end a request is still looked up. */
const LATE_MILLISECONDS = 600_000;
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
  readonly intents: Pick<Intents, "find" | "list" | "requests" | "settle">;
  /** Makes the chat show an intent as it is, now or later; never throws. */
  readonly present: (intent: Intent) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { node, intents, clock, log } = parts;
  const pace = createPace(clock);
  const followed = new Map<string, Followed>();
  const running = createTurns();
  let isStopped = false;

  const present = async (intent: Intent | undefined): Promise<void> => {
    if (intent !== undefined) await parts.present(intent);
  };

  /** Takes over what the chain knows though nobody brought a signature. Undefined where it knows nothing. */
  const takeOver = async (request: SignedIntent): Promise<Intent | undefined> => {
    const found = await pace(() => node.transaction(request));
    // With its signature it can be given to the network again, should it get lost.
    return found && intents.requests.sentByWallet(request.owner, request.id, found.signature);
  };

  /** Waits for a signature, and closes once nobody can have sent it. @returns when to look again; undefined at its end. */
  const lookAtRequest = async (item: Followed, request: SignedIntent): Promise<number | undefined> => {
    const { owner, id, transaction } = request;
    if (transaction.closing === undefined && clock.now() >= transaction.signUntil) {
      await intents.requests.close(owner, id, { state: "EXPIRED" });
      return 0;
    }
    // Where the node is not to be had, the card says at least what is being waited for.
    if (transaction.closing !== undefined && item.failures === 1) await present(request);
    if ((await takeOver(request)) !== undefined) return 0;
    if (transaction.closing === undefined)
      return Math.min(REQUEST_PAUSE_MILLISECONDS, transaction.signUntil - clock.now());
    const ended = await intents.requests.end(owner, id);
    await present(ended);
    return ended === undefined || isUnderWay(ended.state) ? 0 : REQUEST_PAUSE_MILLISECONDS;
  };

  /** A person may still agree in a wallet that broadcasts by itself. Looks after twice the time, until that is too unlikely. */
  const lookAtClosed = async (request: SignedIntent): Promise<number | undefined> => {
    const closedFor = clock.now() - (request.times[request.state] ?? 0);
    if (closedFor > LATE_MILLISECONDS) return undefined;
    return (await takeOver(request)) === undefined ? Math.max(REQUEST_PAUSE_MILLISECONDS, closedFor) : 0;
  };

  /** The card that says so never comes before the one that says it is signed. */
  const end = async (item: Followed, { owner, id }: SignedIntent, outcome: IntentOutcome): Promise<void> => {
    const ended = await intents.settle(owner, id, outcome);
    await item.shown;
    await present(ended);
  };

  /** Gives the bytes that were checked to the network. @returns whether they were refused for good. */
  const broadcast = async (item: Followed, sent: SignedIntent): Promise<boolean> => {
    const { bytes, signature } = sent.transaction;
    if (signature === undefined) return false;
    const isFirst = item.isFresh;
    item.isFresh = false;
    item.broadcastAt = clock.monotonic();
    const raw = readRawData(Buffer.from(bytes, "hex"));
    const give = () => node.broadcast(raw, Buffer.from(signature, "hex"));
    // The first time is no question, and waits for none.
    const answer = await (isFirst ? give() : pace(give));
    if (answer.kind === "taken") return false;
    log.warn({ intent: sent.id, reason: answer.text }, "The node refused a transaction");
    // Refused again, or for its number, it may have been carried out meanwhile; only the chain can say.
    if (!isFirst || /lowerNonceInTx: true/.test(answer.text)) return false;
    await end(item, sent, { kind: "failed", text: answer.text });
    return true;
  };

  const lookAtSent = async (item: Followed, sent: SignedIntent): Promise<number | undefined> => {
    // Its card still asks for a signature and may go on so while the network does not answer; the network does not wait for the chat.
    if (sent.shownState !== "SENT") item.shown ??= present(sent);
    if (item.isFresh && (await broadcast(item, sent))) return undefined;
    const { nonce } = await pace(() => node.nonce(sent.terms.payout));
    // Asked before the transaction: a block on top of its own counts only if the transaction is still in it afterwards.
    const height = item.seen.onChain === undefined ? undefined : await pace(node.height);
    const found = await pace(() => node.transaction(sent));
    const reading = { nonce, transaction: found, ...(height !== undefined && { height }) };
    const decision = decide(sent, reading, item.seen, clock.now());
    if (decision.kind === "end") {
      const { outcome } = decision;
      if (outcome.kind === "not-sent") await lookAtEarlier(sent);
      await end(item, sent, outcome);
      return undefined;
    }
    item.seen = decision.seen;
    item.looks += 1;
    if (decision.kind === "broadcast" && clock.monotonic() - item.broadcastAt >= BROADCAST_PAUSE_MILLISECONDS) {
      await broadcast(item, sent);
    }
    return item.seen.onChain === undefined
      ? Math.min(LONGEST_PAUSE_MILLISECONDS, FIRST_PAUSE_MILLISECONDS * 1.3 ** item.looks)
      : ON_CHAIN_PAUSE_MILLISECONDS;
  };

  /** A transaction whose number was used by another: perhaps by one whose request had closed, which a wallet sent late. */
  const lookAtEarlier = async ({ owner, id, terms, transaction: { nonce } }: SignedIntent): Promise<void> => {
    for (const other of await intents.list(owner)) {
      const isRival = isSigned(other) && other.id !== id && other.terms.payout === terms.payout;
      if (!isRival || other.transaction.nonce !== nonce) continue;
      if ((await takeOver(other)) !== undefined) follow(other);
    }
  };

  const look = async (item: Followed): Promise<number | undefined> => {
    const intent = await intents.find(item.owner, item.id);
    if (intent === undefined || !isSigned(intent)) return undefined;
    if (intent.state === "SIGNING") return lookAtRequest(item, intent);
    if (intent.state === "SENT") return lookAtSent(item, intent);
    return isUnsent(intent.state) ? lookAtClosed(intent) : undefined;
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
   * Follows an intent from now on, or looks at it at once. `isFresh`: its transaction has never been given to the network,
   * so that a refusal is the answer to it.
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
