import { describe, expect, it } from "vitest";
import { insertIntent } from "../../../src/services/intent/intent-row.js";
import type { IntentState } from "../../../src/services/intent/intent.js";
import * as queries from "../../../src/services/standing/proposal-queries.js";
import { PRIVATE, type Proposal, type ProposalLink } from "../../../src/services/standing/proposal-queries.js";
import type { Transaction } from "../../../src/store/store.js";
import { intent, swapTerms } from "../../cards/arrange.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { DAY, MINUTE, NOW, OWNER } from "./standing-world.js";

const WEEK = 7 * DAY;
const link = (id: string, more: Partial<ProposalLink> = {}): ProposalLink => ({
  ...{ id, user_id: OWNER, name: id, secret: `secret of ${id}`, created_at: NOW, paused: null, last_at: null },
  ...{ day: "2027-01-03", came: 0, unread: 0, late: 0, unmade: 0, ...more },
});
const proposal = (id: string, more: Partial<Proposal> = {}): Proposal => ({
  ...{ id, link: "a", user_id: OWNER, key: null, words: "words", trade: "swap 1 KLV KFI", at: NOW },
  ...{ good_until: NOW + MINUTE, due_at: NOW, card: null, reason: null, ...more },
});

async function arrange(...proposals: readonly Proposal[]) {
  const { db, write } = createMemoryDisk().open();
  await write(async (tx) => {
    for (const id of ["a", "b"]) await tx.insertInto("proposal_links").values(link(id)).execute();
    for (const one of proposals) await tx.insertInto("proposals").values(one).execute();
  });
  return {
    ...{ db, write },
    rows: () => db.selectFrom("proposals").selectAll().orderBy("id").execute(),
    ids: async () => (await db.selectFrom("proposals").select("id").orderBy("id").execute()).map(({ id }) => id),
    card: (id: string, state: IntentState) => write((tx) => insertIntent(tx, { ...intent(swapTerms, state), id })),
  };
}

describe("a proposal", () => {
  it("is found by its own link's id for a week, the last one first", async () => {
    const { db } = await arrange(
      proposal("old", { key: "k", at: NOW - WEEK }),
      proposal("first", { key: "k", at: NOW - WEEK + 1 }),
      proposal("last", { key: "k" }),
      proposal("others", { key: "k", link: "b", at: NOW + 1 }),
    );
    const found = async (key: string, now: number) => (await queries.proposalByKey(db, "a", key, now))?.id;
    expect(await found("k", NOW)).toBe("last");
    expect(await found("other", NOW)).toBeUndefined();
    expect(await found("k", NOW + WEEK - 1)).toBe("last");
    expect(await found("k", NOW + WEEK)).toBeUndefined();
  });

  it("is found by its words without an id, near in time, and on its own link only", async () => {
    const { db } = await arrange(
      proposal("earlier", { at: NOW - 10 }),
      proposal("later", { at: NOW }),
      proposal("named", { at: NOW + 1, key: "k" }),
      proposal("others", { at: NOW + 1, link: "b" }),
      proposal("else", { at: NOW + 1, words: "else" }),
    );
    const found = async (now: number) => (await queries.proposalByWords(db, "a", "words", now, MINUTE))?.id;
    expect(await found(NOW)).toBe("later");
    expect([await found(NOW + MINUTE - 1), await found(NOW + MINUTE)]).toEqual(["later", undefined]);
    // The clock was set back since.
    expect([await found(NOW - MINUTE), await found(NOW - MINUTE - 10)]).toEqual(["earlier", undefined]);
  });

  it("is known by its own link for a week", async () => {
    const { db } = await arrange(proposal("p"));
    const known = async (by: string, now: number) => (await queries.knownProposal(db, by, "p", now))?.id;
    expect([await known("a", NOW + WEEK - 1), await known("a", NOW + WEEK), await known("b", NOW)]).toEqual([
      "p",
      undefined,
      undefined,
    ]);
  });

  it("counts as waiting until its card, or its reason, says otherwise, and while it is good", async () => {
    const { db, card } = await arrange(
      proposal("uncarded"),
      proposal("private", { reason: PRIVATE, due_at: null }),
      proposal("open", { card: "open" }),
      proposal("refused", { reason: "no-price", due_at: null }),
      proposal("done", { card: "done" }),
      proposal("gone", { card: "deleted" }),
      proposal("over", { good_until: NOW }),
      proposal("from before the clock was set back", { good_until: NOW + 2 * 10 * MINUTE }),
      proposal("theirs", { user_id: 1002 }),
    );
    await card("open", "QUOTED");
    await card("done", "OK");
    expect(await queries.countWaiting(db, OWNER, NOW)).toBe(3);
    expect(await queries.countWaiting(db, OWNER, NOW + MINUTE)).toBe(1);
    expect(await queries.countWaiting(db, 1002, NOW)).toBe(1);
    expect([await queries.countKept(db, OWNER), await queries.countKept(db, 1002)]).toEqual([8, 1]);
  });

  it("is kept for a week, after which each that is added takes ten old ones away, the oldest first", async () => {
    const old = Array.from({ length: 12 }, (_, index) => proposal(`old-${String(11 - index)}`, { at: NOW - index }));
    const { ids, write } = await arrange(...old, proposal("kept", { at: NOW + 1 }));
    const add = (id: string) =>
      write((tx) => queries.addProposal(tx, proposal(id, { at: NOW + WEEK, words: id }), NOW + WEEK));
    await add("x");
    expect(await ids()).toEqual(["kept", "old-10", "old-11", "x"]);
    await add("y");
    expect(await ids()).toEqual(["kept", "x", "y"]);
  });

  it("is changed alone", async () => {
    const { rows, write } = await arrange(proposal("p"), proposal("q"));
    await write((tx) => queries.changeProposal(tx, "p", { due_at: null }));
    expect((await rows()).map(({ due_at }) => due_at)).toEqual([null, NOW]);
  });

  it("that waits isn't offered any more in data that was restored, whether it has a card or not", async () => {
    const { rows, write } = await arrange(
      proposal("carded", { card: "c" }),
      proposal("refused", { due_at: null, reason: "no-price" }),
      proposal("uncarded"),
      proposal("without", { due_at: null }),
    );
    await write(queries.endAllProposals);
    expect((await rows()).map(({ due_at, reason }) => [due_at, reason])).toEqual([
      [null, null],
      [null, "no-price"],
      [null, "stale"],
      [null, null],
    ]);
  });
});

it("what comes by a link counts by day, each kind for itself, and only what was taken is the last that came", async () => {
  const { db, write } = await arrange();
  const linkNow = async () => (await queries.linkById(db, "a"))!;
  const count = (...[what, at, day]: [queries.PostCount, number, string]) =>
    write(async (tx: Transaction) => queries.countPost(tx, await linkNow(), what, at, day));
  await count("came", NOW, "2027-01-03");
  await count("came", NOW + 1, "2027-01-03");
  await count("late", NOW + 2, "2027-01-03");
  expect(await linkNow()).toMatchObject({ came: 2, late: 1, unread: 0, unmade: 0, last_at: NOW + 1 });
  await count("unread", NOW + DAY, "2027-01-04");
  expect(await linkNow()).toMatchObject({ came: 0, late: 0, unread: 1, day: "2027-01-04", last_at: NOW + 1 });
  expect(await queries.linkById(db, "b")).toEqual(link("b"));
});
