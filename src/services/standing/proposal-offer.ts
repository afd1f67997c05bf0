import type { Clock } from "../../clock.js";
import { Fault, isFault, OUTAGES, type FaultCode } from "../../fault.js";
import { createLoop, type LoopRunner } from "../../loop.js";
import type { Reader, StoreBasics, Transaction } from "../../store/store.js";
import { endOf, UNSENT_MS, unsentCard, type CardSending } from "../intent/card-sending.js";
import type { Intent } from "../intent/intent.js";
import type { Intents } from "../intent/intent-service.js";
import { EXPIRY_GRACE_MS } from "../intent/machine.js";
import { findIntent } from "../intent/queries.js";
import { MAX_CARD_MS, type Draft } from "../intent/trade-kind.js";
import type { TokenList } from "../market/token-list.js";
import { pauseIn } from "../person/pause.js";
import { personIn, type Person } from "../person/person.js";
import { quietUntil } from "../person/quiet-hours.js";
import { localTime, zoneOf } from "../person/zone.js";
import type { PriceWatches } from "../price-watches/price-watches.js";
import { enqueue, type Topic } from "../telegram/outbox.js";
import type { Kinds } from "../trade/kinds.js";
import { prepareDraft, type DraftParts } from "../trade/prepare-draft.js";
import type { Swaps } from "../trade/swap.js";
import { amountPaid, type PayParts } from "../trade/swap-request.js";
import { assertResalable } from "../trade/trade-cost.js";
import * as rows from "./proposal-queries.js";
import { PRIVATE, PROPOSAL, type Proposal, type ProposalLink } from "./proposal-queries.js";
import { readProposal } from "./proposal-request.js";
import { offerRefusal } from "./refusal.js";

export interface ProposalOfferParts extends StoreBasics, Omit<DraftParts, "balances" | "settings" | "trades"> {
  readonly balances: PayParts["balances"];
  readonly settings: DraftParts["settings"] & PayParts["settings"];
  /** Whether somebody has access. */
  readonly isIn: (userId: number) => boolean | Promise<boolean>;
  readonly intents: Pick<Intents, "noteCardSending" | "offer" | "spentLately">;
  readonly tokens: TokenList;
  readonly trades: Pick<Kinds, "draft">;
  /** Quotes within the budget of watched prices, so that proposals slow nobody's own trades. */
  readonly polled: Swaps;
  readonly watches: Pick<PriceWatches, "turn">;
  readonly outbox: { readonly wake: () => void };
}

/** People whose cards are made at a time. */
const CARDS_AT_ONCE = 8;
/** How soon a service that doesn't answer is asked again. */
const AFTER_OUTAGE_MS = 10_000;
/** How soon a card is looked after whose end, or its sending, isn't noted yet. */
const LOOKED_AGAIN_MS = 1_000;

/** Makes the cards of proposals, as long as they are good: again if Telegram certainly hasn't taken one. */
export function createProposalLoop(p: ProposalOfferParts): LoopRunner {
  return createLoop(p, {
    name: "proposals",
    width: CARDS_AT_ONCE,
    ...rows.toOffer(p.store.db, MAX_CARD_MS + EXPIRY_GRACE_MS),
    run: ({ id }) => lookAtProposal(p, id),
  });
}

async function lookAtProposal(p: ProposalOfferParts, id: string): Promise<void> {
  const proposal = await rows.proposalById(p.store.db, id);
  const link = proposal && (await rows.linkById(p.store.db, proposal.link));
  if (proposal === undefined || link === undefined) return;
  const now = p.clock.now();
  const last = proposal.card === null ? undefined : await findIntent(p.store.db, proposal.user_id, proposal.card);
  if (last?.state === "QUOTED" && last.arrived === undefined)
    return lookLater(p, id, Math.max(last.expiresAt + EXPIRY_GRACE_MS, now + LOOKED_AGAIN_MS));
  // Whatever became of a card that may have arrived, there is no other.
  const isUnseen = last?.state === "EXPIRED" && last.arrived === undefined && last.messageId === undefined;
  if (proposal.card !== null && !isUnseen) return lookLater(p, id, null);
  if (now >= proposal.good_until) return refuse(p, proposal, "stale");
  if (!(await p.isIn(link.user_id))) return refuse(p, proposal, "not-now");
  const person = await personIn(p.store.db, link.user_id);
  const made = await proposedDraft(p, proposal, person);
  if (!isFault(made)) return offerProposal(p, proposal, link, person, made);
  if (!isFault(made, ...OUTAGES)) return refuse(p, proposal, made.code);
  return lookLater(p, id, Math.min(p.clock.now() + AFTER_OUTAGE_MS, proposal.good_until));
}

async function lookLater({ store }: ProposalOfferParts, id: string, due_at: number | null): Promise<void> {
  await store.write((tx) => rows.changeProposal(tx, id, { due_at }));
}

async function proposedDraft(p: ProposalOfferParts, { id, trade, user_id }: Proposal, person: Person) {
  await p.watches.turn();
  try {
    const read = readProposal(trade, p.tokens);
    // The list of tokens has changed since it was read.
    if (read.kind !== "read") return new Fault("standing-over", {});
    return await prepareDraft({ ...p, trades: draftingOnly(p) }, read.request, { userId: user_id, person });
  } catch (fault) {
    // What the store says is tried again as it is.
    if (!isFault(fault) || fault.code.startsWith("store-")) throw fault;
    // Its parameters would repeat what was proposed.
    p.log.info({ proposal: id, code: fault.code }, "A proposal can't be offered now");
    return fault;
  }
}

/** Drafts that write nothing: what a program proposes isn't what its owner traded last. */
function draftingOnly(p: ProposalOfferParts): DraftParts["trades"] {
  return {
    draft: async (request, owner) => {
      if (request.kind !== "swap") return p.trades.draft(request, owner, p.polled);
      const pay = await amountPaid(p, owner.person, request.pay, request.from);
      const draft = await p.polled.prepare(owner.person, { ...request, pay });
      assertResalable(draft.terms);
      return draft;
    },
  };
}

/** Makes the card of one that may still come: a freeze, a pause or a deletion may have come in between. */
async function offerProposal(
  p: ProposalOfferParts,
  proposal: Proposal,
  link: ProposalLink,
  person: Person,
  draft: Draft,
) {
  const { id, user_id: owner, good_until: until } = proposal;
  const proposed = { link: link.id, by: link.name, until };
  const expiresAt = endOf({ proposed }, p.clock.now(), UNSENT_MS);
  await p.intents.offer({ owner, chatId: person.chatId }, { ...draft, proposed, expiresAt }, null, async (tx, card) => {
    const again = await rows.proposalById(tx, id);
    if (again === undefined || again.due_at === null || again.card !== proposal.card) return false;
    const isOver = p.clock.now() >= until ? "stale" : (await mayCome(tx, link)) ? undefined : "not-now";
    if (isOver !== undefined) {
      await putAside(tx, again, isOver, p.clock.now());
      return false;
    }
    await rows.changeProposal(tx, id, { card, due_at: expiresAt + EXPIRY_GRACE_MS });
    await enqueue(tx, { user_id: owner, topic: PROPOSAL, subject: id }, null, p.clock.now());
    return true;
  });
  p.outbox.wake();
}

/** Whether a link's owner, the link and the operators let anything come now. */
export async function mayCome(tx: Reader, { id, user_id }: Pick<ProposalLink, "id" | "user_id">): Promise<boolean> {
  const link = await rows.linkById(tx, id);
  const { frozenSince, restingSince, wallet } = await personIn(tx, user_id);
  const isOpen = frozenSince === undefined && restingSince === undefined && wallet !== undefined;
  return isOpen && link?.paused === null && (await pauseIn(tx)) === undefined;
}

/** The markets' reasons, which anybody may know. By others, a link's holder would learn of its owner's account. */
const PUBLIC: readonly string[] = ["no-price", "one-way", "royalties"];

async function refuse(p: ProposalOfferParts, proposal: Proposal, code: FaultCode | "not-now" | "stale"): Promise<void> {
  await p.store.write((tx) => putAside(tx, proposal, code, p.clock.now()));
}

async function putAside(tx: Transaction, { id, link }: Proposal, code: FaultCode | "not-now" | "stale", now: number) {
  const isPublic = code === "stale" || code === "not-now" || PUBLIC.includes(offerRefusal(code));
  await rows.changeProposal(tx, id, { due_at: null, card: null, reason: isPublic ? code : PRIVATE });
  const of = await rows.linkById(tx, link);
  if (of === undefined) return;
  const day = await ownDay(tx, of.user_id, now);
  await rows.countPost(tx, of, code === "stale" ? "late" : "unmade", now, day);
}

/** The date in an owner's time zone. */
export async function ownDay(db: Reader, userId: number, now: number): Promise<string> {
  return localTime(zoneOf(await personIn(db, userId)), now).date;
}

interface ProposalTopicParts {
  readonly clock: Clock;
  readonly noteCardSending: Intents["noteCardSending"];
}

/** Sends a proposal's card: silently in quiet hours, since it would be too old when they end. */
export function proposalTopic({ clock, noteCardSending }: ProposalTopicParts): Topic<Intent> {
  return {
    name: PROPOSAL,
    render: async (db, { userId, subject }, person) => {
      const now = clock.now();
      const card = await unsentCard(db, userId, await rows.proposalById(db, subject), now);
      if (card === undefined) return undefined;
      const note = (tx: Transaction, sending: CardSending) => noteCardSending(tx, card, sending);
      // Once nobody knows whether it has arrived, only an answer says more.
      const attempt = card.arrived === undefined && {
        onBegin: async (tx: Transaction) => {
          // It may have ended since it was read.
          const again = await unsentCard(tx, userId, await rows.proposalById(tx, subject), clock.now());
          if (again?.id === card.id) await note(tx, { kind: "begun" });
          return again?.id === card.id;
        },
        onNotSent: async (tx: Transaction) => {
          await note(tx, { kind: "not-sent" });
          await rows.changeProposal(tx, subject, { due_at: clock.now() + LOOKED_AGAIN_MS });
        },
      };
      return {
        message: { ...card, expiresAt: endOf(card, now) },
        isMuted: quietUntil(person, now) !== undefined,
        ...attempt,
        onSent: async (tx, _now, messageId) => {
          await note(tx, { kind: "sent", messageId });
          await rows.changeProposal(tx, subject, { due_at: null });
        },
      };
    },
  };
}
