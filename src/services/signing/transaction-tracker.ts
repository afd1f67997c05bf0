import type { StoreBasics } from "../../store/store.js";
import { pauseAfter, type Clock } from "../../clock.js";
import { isFault } from "../../fault.js";
import { isNeverSent } from "../base/http.js";
import type { IntentChange } from "../intent/change.js";
import { createIntentLoop } from "../intent/finish-call.js";
import { isSigned } from "../intent/intent.js";
import type { Intent, IntentOutcome, Reason, SignedIntent } from "../intent/intent.js";
import { isOnChain, isOpenRequest, isUnderWay, mayStillExecute, signatureOf } from "../intent/machine.js";
import type { Intents } from "../intent/intent-service.js";
import type { DueIntent } from "../intent/queries.js";
import { makeDue, noteDue } from "../intent/intent-row.js";
import type { ChainBlocks } from "../chain/blocks.js";
import { createCallsInBlocks } from "./calls-in-blocks.js";
import type { ChainNode } from "./chain-node.js";
import { createPace } from "./pace.js";
import { GONE_MS, nextStatus, REMEMBERED_MS, withheld, type Decision, type Moment, type Seen } from "./status.js";

interface TrackerParts extends StoreBasics {
  readonly node: ChainNode;
  readonly intents: Pick<Intents, "find" | "requests" | "rivals" | "settle">;
  readonly blocks: Pick<ChainBlocks, "look" | "state" | "wake">;
  /** Shows an intent's current state in the chat, now or later. Never throws. */
  readonly present: (intent: Intent) => Promise<void>;
}

/** `pace` limits the rate of requests to the node. */
type LookParts = TrackerParts & {
  readonly pace: ReturnType<typeof createPace>;
  readonly inBlocks: ReturnType<typeof createCallsInBlocks>;
};

/** What this run of the process has seen of an intent: an end takes two looks. */
interface Followed {
  seen: Seen;
  /** Since it was sent. */
  looks: number;
  /** Consecutive ones to reach the node. */
  failures: number;
  broadcastAt: number;
}

function unseen(): Followed {
  return { seen: {}, looks: 0, failures: 0, broadcastAt: Number.NEGATIVE_INFINITY };
}

/** The longest pause between two looks at a call in progress. */
const MAX_PAUSE_MS = 30_000;
const BACK_OFF = { first: 1000, longest: MAX_PAUSE_MS };
/** More than the node's limits allow at a time. */
const MAX_LOOKED_AT = 100;

/** Follows requests for a signature and transactions to their end, whether or not anybody taps. */
export interface TransactionTracker {
  /** Call it after an intent has changed. */
  readonly wakeAfter: (change: IntentChange) => void;
  /**
   * Whether the chain executed an intent's transaction, asked of the node now; undefined if it is in no block yet.
   * @throws Fault as `ChainNode.transaction`, and `store-…`.
   */
  readonly lookUp: (intent: Intent) => Promise<boolean | undefined>;
  /** Handles due intents until the signal is aborted, then resolves once those in progress are done. */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

export function createTransactionTracker(parts: TrackerParts): TransactionTracker {
  const { clock, log, store } = parts;
  const followed = new Map<string, Followed>();
  const lookNow = (id: string): void => {
    const made = store.write((tx) => makeDue(tx, id)).then(() => wake());
    made.catch((err: unknown) =>
      log.warn({ intent: id, err }, "What a block holds of a transaction can't be looked at"),
    );
  };
  const inBlocks = createCallsInBlocks(parts.blocks, lookNow);
  const looking: LookParts = { ...parts, pace: createPace(clock), inBlocks };

  async function run(due: DueIntent): Promise<void> {
    const { id } = due;
    const item = followed.get(id) ?? unseen();
    followed.set(id, item);
    const failures = item.failures + 1;
    item.failures = 0;
    const pause = await look(looking, due, item).catch((err: unknown) => {
      item.failures = failures;
      log.warn({ intent: id, err }, "A transaction could not be looked up");
      return pauseAfter(failures, BACK_OFF);
    });
    if (pause === undefined) {
      followed.delete(id);
      inBlocks.end(id);
    }
    const next = pause === undefined ? null : Math.ceil(clock.now() + pause);
    await store.write((tx) => noteDue(tx, due, next));
  }

  const loops = [
    createIntentLoop(parts, { name: "transactions underWay", horizon: MAX_PAUSE_MS + 1, run, width: MAX_LOOKED_AT }),
    // Ended ones that the chain may still contradict, one at a time; see `lookAtEnded` for the longest pause.
    createIntentLoop(parts, { name: "transactions ended", horizon: REMEMBERED_MS / 2 + 1, run }),
  ];
  const wake = (): void => loops.forEach((loop) => loop.wake());
  return {
    wakeAfter: ({ after }) => {
      if (!isUnderWay(after.state)) inBlocks.end(after.id);
      if (isSigned(after)) wake();
    },
    lookUp: async (intent) => {
      const found = isSigned(intent) ? await parts.node.transaction(intent) : undefined;
      if (found === undefined || found.block === 0n) return undefined;
      // The transaction has turned up on the chain: it is followed to its end now.
      if (mayStillExecute(intent)) await store.write((tx) => makeDue(tx, intent.id)).then(wake);
      return found.isOk;
    },
    run: (signal) => Promise.all(loops.map((loop) => loop.run(signal))),
  };
}

/** Even without a signature here, the wallet may have broadcast the transaction itself. */
const REQUEST_PAUSE_MS = 15_000;
const FRESH_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
/** A transaction in a block is looked up again about when the next block exists. */
const ON_CHAIN_PAUSE_MS = 2000;
/** While each block is read as it comes, polls are for what those don't tell. */
const BESIDE_BLOCKS = { first: 8000, onChain: 6000 };
/** The node takes a moment to pass on what it accepted. */
const BROADCAST_PAUSE_MS = 5000;

/** Moves an intent one step on. @returns milliseconds until the next look; undefined at its end. */
async function look(p: LookParts, { owner, id }: DueIntent, item: Followed): Promise<number | undefined> {
  const intent = await p.intents.find(owner, id);
  if (intent !== undefined) p.inBlocks.note(intent);
  if (intent === undefined || !isSigned(intent)) return undefined;
  if (intent.state === "SIGNING") return lookAtRequest(p, item, intent);
  if (intent.state === "SENT") return lookAtSent(p, item, intent);
  return mayStillExecute(intent) ? lookAtEnded(p, item, intent) : undefined;
}

/** Moves an intent to SENT if the chain has its transaction. Undefined if it doesn't. */
async function takeOver(p: LookParts, request: SignedIntent): Promise<Intent | undefined> {
  const found = await p.pace(() => p.node.transaction(request));
  // With its signature it can be broadcast again if it gets lost.
  return found && p.intents.requests.sentByWallet(request.owner, request.id, found.signature);
}

/** Waits for a signature, and ends a closed request unknown to the chain. @returns milliseconds until the next look. */
async function lookAtRequest(p: LookParts, item: Followed, request: SignedIntent): Promise<number | undefined> {
  const { owner, id, transaction } = request;
  const end = transaction.phase === "withdrawn" ? transaction.end : undefined;
  if (end === undefined && !isOpenRequest(request, p.clock.now())) {
    await p.intents.requests.close(owner, id, "EXPIRED");
    return 0;
  }
  if ((await takeOver(p, request)) !== undefined) return 0;
  if (end === undefined) return Math.min(REQUEST_PAUSE_MS, transaction.signUntil - p.clock.now());
  if (typeof end === "object" && end.code === "nonce-used") {
    // Its own nonce may be the used one: the node asked for the hash can lag behind the one that reported the nonce.
    const { goneSince = p.clock.monotonic() } = item.seen;
    item.seen = { goneSince };
    if (p.clock.monotonic() - goneSince < GONE_MS) return GONE_MS;
  }
  return settleCall(p, request);
}

/** Records an end and shows it. @param outcome if absent, the request ends as it was closed. */
async function settleCall(p: LookParts, { owner, id }: SignedIntent, outcome?: IntentOutcome): Promise<number> {
  const ended = await p.intents.settle(owner, id, outcome);
  if (ended !== undefined) await p.present(ended);
  return ended === undefined || isUnderWay(ended.state) ? 0 : REQUEST_PAUSE_MS;
}

/**
 * It ended otherwise, but the user may still approve it in a wallet that broadcasts itself, or a node may have lagged.
 * Looks again after twice the time, until another transaction has its nonce or a node would have forgotten it.
 */
async function lookAtEnded(p: LookParts, item: Followed, request: SignedIntent): Promise<number | undefined> {
  const found = await takeOver(p, request);
  if (found !== undefined) {
    Object.assign(item, { seen: {}, looks: 0 });
    return 0;
  }
  const endedFor = p.clock.now() - (request.times[request.state] ?? 0);
  const rivals = await p.intents.rivals(request);
  if (endedFor < REMEMBERED_MS && !rivals.some(isOnChain)) {
    return Math.min(Math.max(REQUEST_PAUSE_MS, endedFor), REMEMBERED_MS - endedFor);
  }
  await p.intents.requests.giveUp(request.owner, request.id);
  return undefined;
}

/**
 * Broadcasts the checked bytes, if they may leave.
 * @returns a decision if they were withheld or rejected; undefined if the chain will show the outcome.
 */
async function give(p: LookParts, item: Followed, sent: SignedIntent, isFresh: boolean): Promise<Decision | undefined> {
  const { id, transaction } = sent;
  const signature = signatureOf(sent) ?? "";
  const isFirst = transaction.phase === "signed";
  const attempt = async (): Promise<{ readonly reason: Reason } | { readonly refusal: string | undefined }> => {
    const reason = await p.intents.requests.mayLeave(sent, isFresh);
    if (reason !== undefined) return { reason };
    item.broadcastAt = p.clock.monotonic();
    const refusal = await p.node.broadcast(transaction, Buffer.from(signature, "hex")).catch(async (error: unknown) => {
      const isCertain = isFault(error) && (isNeverSent(error) || error.code === "service-rate-limited");
      if (isFirst && isCertain) await p.intents.requests.clearBroadcast(sent);
      throw error;
    });
    return { refusal };
  };
  // The first broadcast isn't a query, and doesn't wait behind any. Another one is checked when its turn has come.
  const answer = await (isFirst ? attempt() : p.pace(attempt));
  if ("reason" in answer) return withheld(sent, answer.reason, item.seen, momentNow(p.clock));
  const { refusal } = answer;
  if (refusal === undefined) return undefined;
  p.log.warn({ intent: id, words: refusal }, "Node rejected a transaction");
  // Rejected because of its nonce, it may have been executed already.
  if (/lowerNonceInTx: true/.test(refusal)) return undefined;
  if (isFirst) {
    // The wallet may have broadcast it first.
    const isKnown = (await p.pace(() => p.node.transaction(sent))) !== undefined;
    return isKnown ? undefined : { kind: "end", outcome: { kind: "failed", text: refusal } };
  }
  // An earlier attempt may have been accepted. The owner learns what the network says now.
  if (transaction.phase === "broadcast" && transaction.refusal === refusal) return undefined;
  const refused = await p.intents.requests.markRefused(sent, refusal);
  if (refused !== undefined) await p.present(refused);
  return undefined;
}

async function lookAtSent(p: LookParts, item: Followed, sent: SignedIntent): Promise<number | undefined> {
  // The card may keep asking for a signature while the network doesn't answer; the broadcast doesn't wait for the chat.
  if (item.looks === 0) void p.present(sent);
  // The price and the chain were checked a moment ago, with the signature, so it can be broadcast at once.
  const isNew = item.looks === 0 && sent.transaction.phase === "signed";
  const isFresh = isNew && Math.abs(p.clock.now() - (sent.times.SENT ?? 0)) < FRESH_MS;
  let decision: Decision = isFresh ? { kind: "give", seen: {} } : await decisionOn(p, item, sent);
  if (decision.kind !== "end") {
    item.seen = decision.seen;
    item.looks += 1;
  }
  if (decision.kind === "give" && p.clock.monotonic() - item.broadcastAt >= BROADCAST_PAUSE_MS) {
    decision = (await give(p, item, sent, isFresh)) ?? decision;
  }
  if (decision.kind === "end") return settleCall(p, sent, decision.outcome);
  item.seen = decision.seen;
  const isTold = p.blocks.state().isCurrent;
  if (item.seen.onChain !== undefined) return isTold ? BESIDE_BLOCKS.onChain : ON_CHAIN_PAUSE_MS;
  return Math.min(MAX_PAUSE_MS, (isTold ? BESIDE_BLOCKS.first : FIRST_PAUSE_MS) * 1.3 ** item.looks);
}

const momentNow = (clock: Clock): Moment => ({ now: clock.now(), monotonic: clock.monotonic() });

async function decisionOn(p: LookParts, item: Followed, sent: SignedIntent) {
  const { nonce } = await p.pace(() => p.node.nonce(sent.terms.payout));
  // Read before the transaction: a block on top of its own only counts if the transaction is still there afterwards.
  const height = item.seen.onChain === undefined ? undefined : await p.pace(p.node.height);
  const transaction = await p.pace(() => p.node.transaction(sent));
  const isReplaced = transaction === undefined && nonce > sent.transaction.nonce && (await wasReplaced(p, sent));
  return nextStatus(sent, { nonce, transaction, isReplaced, height }, item.seen, momentNow(p.clock));
}

/**
 * Whether another transaction with its nonce is in a block, from any source. The wallet may have broadcast one late,
 * after its request had closed; it is followed from here.
 */
async function wasReplaced(p: LookParts, sent: SignedIntent): Promise<boolean> {
  for (const rival of await p.intents.rivals(sent)) {
    if (isOnChain(rival)) return true;
    const found = await p.pace(() => p.node.transaction(rival));
    if (found === undefined) continue;
    if (rival.state !== "SENT") await takeOver(p, rival);
    if (found.block > 0n) return true;
  }
  return false;
}
