import type { LoopRunner } from "../../loop.js";
import { isFault } from "../../fault.js";
import type { Transaction } from "../../store/store.js";
import { createUserRateLimit } from "../base/rate.js";
import { isProven, type Intent } from "../intent/intent.js";
import { findIntent } from "../intent/queries.js";
import type { Topic } from "../telegram/outbox.js";
import { createProposalLinks, digest, type ProposalLinks } from "./proposal-links.js";
import { createProposalLoop, ownDay, mayCome, proposalTopic, type ProposalOfferParts } from "./proposal-offer.js";
import * as rows from "./proposal-queries.js";
import { PRIVATE, type Proposal, type ProposalLink } from "./proposal-queries.js";
import { readProposal } from "./proposal-request.js";

/** What a program posts. `at`: when it was decided, in milliseconds since 1970; `goodSeconds`: for how long from then. */
export interface Posted {
  readonly trade: string;
  readonly key?: string | undefined;
  readonly at?: number | undefined;
  readonly goodSeconds?: number | undefined;
}

/** `unknown`: no link of somebody with access. `waitSeconds`: when to try again. */
export type PostAnswer =
  | { readonly kind: "taken" | "repeated"; readonly id: string }
  | { readonly kind: "unclear"; readonly lines: readonly string[] }
  | { readonly kind: "no-trade"; readonly faults: readonly string[] }
  | { readonly kind: "id-used" | "not-now" | "stale" | "unknown" }
  | { readonly kind: "too-many-waiting" | "too-often"; readonly waitSeconds: number };

/** What became of a proposal, in a word. `reason`: a code, if no card can be made of it. */
export interface ProposalState {
  readonly state: ProposalWord;
  readonly reason?: string;
}

const words = {
  QUOTED: "waiting",
  CLAIMED: "confirmed",
  SIGNING: "signing",
  SENT: "sent",
  OK: "done",
  FAILED: "failed",
  UNKNOWN: "unknown",
  EXPIRED: "expired",
  CANCELED: "canceled",
  SUPERSEDED: "replaced",
} as const satisfies Record<Intent["state"], string>;
export const proposalWords = ["preparing", ...Object.values(words), "refused"] as const;
export type ProposalWord = (typeof proposalWords)[number];

/** Trades that programs propose by links, each of which becomes a card that only its owner can confirm. */
export interface Proposals {
  readonly links: ProposalLinks;
  /** Answers from memory and the store; the card is made afterwards. @throws Fault `store-…`: nothing was kept. */
  readonly receive: (secret: string, posted: Posted) => Promise<PostAnswer>;
  /** Undefined for what isn't a proposal of this link of the last week. */
  readonly state: (secret: string, id: string) => Promise<ProposalState | undefined>;
  readonly topic: Topic<Intent>;
  readonly run: LoopRunner["run"];
}

interface ProposalParts extends ProposalOfferParts {
  readonly newId: () => string;
}

/** Of a person's links together: so many at once, then one each ten seconds. */
const ALLOWED = { burst: 6, refillSeconds: 10 };
const MAX_WAITING = 5;
/** How soon one of those that wait may be over. */
const WAIT_SECONDS = 60;
/** Of a person. A week of more would only fill the disk. */
const MAX_OF_A_WEEK = 1_000;
const LONG_WAIT_SECONDS = 3_600;
/** Without an id, the same words so soon are a repetition: programs repeat what they think got lost. */
const SAME_WORDS_MS = 60_000;
const GOOD_SECONDS = 300;

export function createProposals(parts: ProposalParts): Proposals {
  const { store, clock, intents } = parts;
  const links = createProposalLinks(parts);
  const loop = createProposalLoop(parts);
  const allowance = createUserRateLimit({ clock, ...ALLOWED });
  const linkOf = async (secret: string) => {
    const link = await links.find(secret);
    return link !== undefined && (await parts.isIn(link.user_id)) ? link : undefined;
  };
  return {
    links,
    receive: async (secret, posted) => {
      const link = await linkOf(secret);
      if (link === undefined) return { kind: "unknown" };
      const post = { ...posted, link, words: digest(posted.trade), key: posted.key && digest(posted.key) };
      // A repetition costs nothing, and is never one too many.
      const before = await repeatedBy(store.db, post, clock.now());
      if (before !== undefined) return before;
      try {
        const answer = await keepProposal(parts, post, () => allowance.take(link.user_id));
        loop.wake();
        return answer;
      } catch (error) {
        if (!isFault(error, "too-often")) throw error;
        return { kind: "too-often", waitSeconds: error.parameters.retryAfterSeconds };
      }
    },
    state: async (secret, id) => {
      const link = await linkOf(secret);
      const proposal = link && (await rows.knownProposal(store.db, link.id, id, clock.now()));
      return proposal && proposalState(proposal, await cardOf(parts, proposal), clock.now());
    },
    topic: proposalTopic({ clock, noteCardSending: intents.noteCardSending }),
    run: loop.run,
  };
}

type Post = Posted & { readonly link: ProposalLink; readonly words: string };

/** What was answered to the same before. */
async function repeatedBy(
  db: Pick<Transaction, "selectFrom">,
  { key, link, words: said }: Post,
  now: number,
): Promise<PostAnswer | undefined> {
  const before =
    key === undefined
      ? await rows.proposalByWords(db, link.id, said, now, SAME_WORDS_MS)
      : await rows.proposalByKey(db, link.id, key, now);
  if (before === undefined) return undefined;
  return before.words === said ? { kind: "repeated", id: before.id } : { kind: "id-used" };
}

/**
 * Keeps a proposal that can become a card, and counts what can't. @param takeTurn throws if there were too many: not of
 * one that came twice at once.
 */
async function keepProposal(parts: ProposalParts, post: Post, takeTurn: () => void): Promise<PostAnswer> {
  const { store, clock, tokens, newId } = parts;
  const { at, goodSeconds = GOOD_SECONDS, key = null, link, trade, words: said } = post;
  const { user_id: userId } = link;
  const read = readProposal(trade, tokens);
  return store.write(async (tx): Promise<PostAnswer> => {
    const now = clock.now();
    const until = Math.min(at ?? now, now) + 1000 * goodSeconds;
    const repeated = await repeatedBy(tx, post, now);
    if (repeated !== undefined) return repeated;
    takeTurn();
    if (!(await mayCome(tx, link))) return { kind: "not-now" };
    const fresh = await rows.linkById(tx, link.id);
    if (fresh === undefined) return { kind: "unknown" };
    const count = async (what: rows.PostCount) => rows.countPost(tx, fresh, what, now, await ownDay(tx, userId, now));
    if (read.kind !== "read") {
      await count("unread");
      return read.kind === "unclear" ? read : { kind: "no-trade", faults: read.faults };
    }
    if (now >= until) {
      await count("late");
      return { kind: "stale" };
    }
    if ((await rows.countWaiting(tx, userId, now)) >= MAX_WAITING)
      return { kind: "too-many-waiting", waitSeconds: WAIT_SECONDS };
    if ((await rows.countKept(tx, userId)) >= MAX_OF_A_WEEK)
      return { kind: "too-often", waitSeconds: LONG_WAIT_SECONDS };
    const proposal = { id: newId(), link: link.id, user_id: userId, key, words: said, trade: read.command };
    const life = { at: now, good_until: until, due_at: now, card: null, reason: null };
    await rows.addProposal(tx, { ...proposal, ...life }, now);
    await count("came");
    return { kind: "taken", id: proposal.id };
  });
}

const cardOf = ({ store }: ProposalParts, { card, user_id }: Proposal) =>
  card === null ? undefined : findIntent(store.db, user_id, card);

function proposalState({ card, good_until, reason }: Proposal, intent: Intent | undefined, now: number): ProposalState {
  if (reason === "stale") return { state: "expired" };
  if (reason === PRIVATE) return { state: now < good_until ? "waiting" : "expired" };
  if (reason !== null) return { state: "refused", reason };
  // Of many cards that spent nothing, the oldest are deleted.
  if (intent === undefined) return { state: card === null ? "preparing" : "expired" };
  // One that hasn't arrived is made again.
  if (intent.state === "EXPIRED" && intent.arrived === undefined && now < good_until) return { state: "preparing" };
  return { state: isProven(intent) ? "done" : words[intent.state] };
}
