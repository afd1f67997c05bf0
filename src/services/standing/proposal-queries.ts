import { DAY_MS } from "../../clock.js";
import { MAX_CARD_MS } from "../intent/trade-kind.js";
import { countRows, dueFrom, type Reader, type Tables, type Transaction } from "../../store/store.js";

/** The topic of a proposal's card. */
export const PROPOSAL = "proposal";

export type ProposalLink = Tables["proposal_links"];
export type Proposal = Tables["proposals"];

/** For how long an id stands for what it was given for, and what became of a proposal is told. */
const KEPT_MS = 7 * DAY_MS;
/** Rows deleted for each that is added. */
const OLD_AT_ONCE = 10;

export const linksOf = (db: Reader, userId: number) =>
  db.selectFrom("proposal_links").selectAll().where("user_id", "=", userId).orderBy("created_at").execute();

export const linkBySecret = (db: Reader, secret: string) =>
  db.selectFrom("proposal_links").selectAll().where("secret", "=", secret).executeTakeFirst();

export const linkById = (db: Reader, id: string) =>
  db.selectFrom("proposal_links").selectAll().where("id", "=", id).executeTakeFirst();

export const proposalById = (db: Reader, id: string) =>
  db.selectFrom("proposals").selectAll().where("id", "=", id).executeTakeFirst();

/** Those whose cards are to be made, or looked after. */
export const toOffer = (db: Reader, horizon: number) =>
  dueFrom(db.selectFrom("proposals").select(["id", "user_id"]).orderBy("due_at"), "user_id", { horizon });

/** A link's proposal with an id, as its program named it, of the last week. */
export function proposalByKey(db: Reader, link: string, key: string, now: number) {
  const own = db.selectFrom("proposals").selectAll().where("link", "=", link).where("key", "=", key);
  return own
    .where("at", ">", now - KEPT_MS)
    .orderBy("at", "desc")
    .executeTakeFirst();
}

/** A link's last proposal without an id that said the same, so long ago at most. The clock may have been set back since. */
export function proposalByWords(db: Reader, link: string, words: string, now: number, milliseconds: number) {
  const own = db.selectFrom("proposals").selectAll().where("link", "=", link).where("words", "=", words);
  const lately = own.where("at", ">", now - milliseconds).where("at", "<", now + milliseconds);
  return lately.where("key", "is", null).orderBy("at", "desc").executeTakeFirst();
}

/** A link's proposal of the last week. */
export async function knownProposal(db: Reader, link: string, id: string, now: number): Promise<Proposal | undefined> {
  const found = await proposalById(db, id);
  return found?.link === link && found.at > now - KEPT_MS ? found : undefined;
}

/**
 * Of a user's proposals, how many wait: for their card, or for a tap on it. One whose card couldn't be made for a reason
 * that is nobody else's business counts as if it waited, so that its link's holder can't tell the two apart.
 */
export async function countWaiting(db: Reader, userId: number, now: number): Promise<number> {
  const own = db
    .selectFrom("proposals")
    .where("proposals.user_id", "=", userId)
    .where("proposals.good_until", ">", now)
    // Not those from before the clock was set back.
    .where("proposals.good_until", "<", now + 2 * MAX_CARD_MS);
  const open = own.innerJoin("intents", "intents.id", "proposals.card").where("intents.state", "=", "QUOTED");
  const uncarded = own.where("card", "is", null);
  return (
    (await countRows(uncarded.where((of) => of.or([of("reason", "is", null), of("reason", "=", PRIVATE)])))) +
    (await countRows(open))
  );
}

/** In place of a reason that would tell about the owner's account: see {@link countWaiting}. */
export const PRIVATE = "private";

export const countKept = (db: Reader, userId: number) =>
  countRows(db.selectFrom("proposals").where("user_id", "=", userId));

/** Adds one, and deletes some that are too old to be known. */
export async function addProposal(tx: Transaction, proposal: Proposal, now: number): Promise<void> {
  const old = tx
    .selectFrom("proposals")
    .select("id")
    .where("at", "<=", now - KEPT_MS)
    .orderBy("at")
    .limit(OLD_AT_ONCE);
  await tx.deleteFrom("proposals").where("id", "in", old).execute();
  await tx.insertInto("proposals").values(proposal).execute();
}

export const changeProposal = (tx: Transaction, id: string, set: Partial<Proposal>) =>
  tx.updateTable("proposals").set(set).where("id", "=", id).execute();

/** In data that was restored, nobody knows which of them has been taken since: none is offered any more. */
export async function endAllProposals(tx: Transaction): Promise<void> {
  const waiting = tx.updateTable("proposals").where("due_at", "is not", null);
  await waiting.where("card", "is", null).set({ due_at: null, reason: "stale" }).execute();
  await waiting.set({ due_at: null }).execute();
}

const dayCounts = ["came", "unread", "late", "unmade"] as const;
export type PostCount = (typeof dayCounts)[number];

/** Counts what came by a link on a day of its owner's. */
export async function countPost(tx: Transaction, link: ProposalLink, what: PostCount, at: number, day: string) {
  const isSame = link.day === day;
  const counts = dayCounts.map((each) => [each, (isSame ? link[each] : 0) + (each === what ? 1 : 0)] as const);
  const set = {
    ...(Object.fromEntries(counts) as Record<PostCount, number>),
    day,
    ...(what === "came" && { last_at: at }),
  };
  await tx.updateTable("proposal_links").set(set).where("id", "=", link.id).execute();
}
