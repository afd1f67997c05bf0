import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import type { Intent, IntentState } from "../../../src/services/intent/intent.js";
import { isUnresolved } from "../../../src/services/intent/intent.js";
import {
  countUnspent,
  deleteOwnUnspent,
  deleteUnspent,
  forgetOver,
  insertIntent,
  intentRow,
  makeDue,
  noteDue,
  packDue,
  PACKED_AFTER_MS,
  updateIntent,
} from "../../../src/services/intent/intent-row.js";
import { enqueue } from "../../../src/services/telegram/outbox.js";
import type { Tables, Transaction } from "../../../src/store/store.js";
import { intent, now, swapTerms } from "../../cards/arrange.js";
import { placeAt, walletTransaction } from "../../support/wallet-transaction.js";
import { kfi } from "../samples.js";
import { memoryStore } from "./memory-store.js";

const HOUR = 3_600_000;
const OWNER = 1001;
const ok = { kind: "ok", returnData: [] } as const;
const lost = { kind: "unknown", code: "service-timeout" } as const;
type Row = Tables["intents"];

/** A store with these cards, and what is asked of them. */
async function arrange(...cards: readonly Intent[]) {
  const store = memoryStore();
  const write = <Value>(work: (tx: Transaction) => Promise<Value>) => store.write(work);
  await write(async (tx) => {
    for (const card of cards) await insertIntent(tx, card);
  });
  const rows = () => store.db.selectFrom("intents").selectAll().orderBy("id").execute();
  return {
    ...{ store, write, rows },
    ids: async () => (await rows()).map(({ id }) => id),
    row: async (id: string) => (await rows()).find((row) => row.id === id)!,
    set: (id: string, fields: Partial<Row>) =>
      write((tx) => tx.updateTable("intents").set(fields).where("id", "=", id).execute()),
  };
}

const card = (id: string, state: IntentState = "EXPIRED", more: Partial<Intent> = {}): Intent => ({
  ...intent(swapTerms, state, state === "OK" ? ok : state === "UNKNOWN" ? lost : undefined),
  id,
  ...more,
});

describe("the row of a card", () => {
  it("counts as a call from its claim on, unless it was replaced before anything was signed", () => {
    const times = { CLAIMED: now - 5, SUPERSEDED: now, FAILED: now };
    const transaction = walletTransaction(placeAt("SUPERSEDED"));
    expect(intentRow(card("a", "SUPERSEDED", { times })).claimed_at).toBeNull();
    expect(intentRow(card("a", "SUPERSEDED", { times, transaction })).claimed_at).toBe(now - 5);
    expect(intentRow(card("a", "FAILED", { times })).claimed_at).toBe(now - 5);
  });

  it("has an end only with an outcome, and marks only what they are of", () => {
    const marks = (state: IntentState) => {
      const { open, unresolved, ended_at } = intentRow(card("a", state));
      return [open, unresolved, ended_at];
    };
    expect(marks("QUOTED")).toEqual([1, null, null]);
    expect(marks("SENT")).toEqual([1, null, null]);
    expect(marks("EXPIRED")).toEqual([null, null, null]);
    expect(marks("OK")).toEqual([null, null, now]);
    expect(marks("UNKNOWN")).toEqual([null, 1, now]);
  });

  it("keeps what loops and operators have noted, unless the change is about that", async () => {
    const { row, set, write } = await arrange(card("a", "QUOTED"), card("b", "UNKNOWN"));
    await set("a", { due_at: 5 });
    await set("b", { unresolved: 2 });
    const quoted = card("a", "QUOTED");
    await write((tx) => updateIntent(tx, quoted, { ...quoted, messageId: 7 }));
    expect(await row("a")).toMatchObject({ due_at: 5, message_id: 7 });
    await write((tx) => updateIntent(tx, quoted, { ...quoted, expiresAt: quoted.expiresAt + 1 }));
    expect((await row("a")).due_at).toBe(intentRow({ ...quoted, expiresAt: quoted.expiresAt + 1 }).due_at);
    const unknown = card("b", "UNKNOWN");
    await write((tx) => updateIntent(tx, unknown, { ...unknown, messageId: 7 }));
    expect(await row("b")).toMatchObject({ unresolved: 2, message_id: 7 });
    const checked: Intent = { ...unknown, check: { at: now, by: "owner", finding: "not-arrived" } };
    expect(isUnresolved(checked)).toBe(false);
    await write((tx) => updateIntent(tx, unknown, checked));
    expect((await row("b")).unresolved).toBeNull();
  });

  it("has the operator's fee of its last change", async () => {
    const { row, write } = await arrange(card("a", "OK"));
    const done = card("a", "OK");
    await write((tx) => updateIntent(tx, done, done, amountOf(kfi, 12_345_678_901_234_567_890n)));
    expect(await row("a")).toMatchObject({ fee_token: "KFI", fee_units: "12345678901234567890" });
    await write((tx) => updateIntent(tx, done, done));
    expect(await row("a")).toMatchObject({ fee_token: null, fee_units: null });
  });

  it("is scheduled again only if nothing else has scheduled it since", async () => {
    const { row, set, write } = await arrange(card("a"), card("b"));
    await set("a", { due_at: 5 });
    await write((tx) => noteDue(tx, { id: "a", due_at: 4 }, 9));
    expect((await row("a")).due_at).toBe(5);
    await write((tx) => noteDue(tx, { id: "a", due_at: 5 }, null));
    expect((await row("a")).due_at).toBeNull();
    await write((tx) => noteDue(tx, { id: "a", due_at: null }, 8));
    expect((await row("a")).due_at).toBe(8);
    await write((tx) => makeDue(tx, "a"));
    expect([(await row("a")).due_at, (await row("b")).due_at]).toEqual([0, null]);
  });
});

describe("packing", () => {
  it("is of calls that are due, from the first on, and of no others", async () => {
    const at = (hours: number) => ({ times: { CLAIMED: now, OK: now - (now % HOUR) + hours * HOUR } });
    const cards = ["a", "b", "c", "d"].map((id, hours) => card(id, "OK", at(hours)));
    const due = intentRow(cards[1]!).pack_at!;
    expect(due).toBe(now - (now % HOUR) + HOUR + PACKED_AFTER_MS);
    expect(intentRow(card("a", "OK", { times: { OK: now - (now % HOUR) + HOUR - 1 } })).pack_at).toBe(due - HOUR);
    const { rows, write } = await arrange(...cards);
    const packed = async () => (await rows()).flatMap((row) => (row.packed === null ? [] : [row.id]));
    await write((tx) => packDue(tx, due, due + HOUR - 1, 20));
    expect(await packed()).toEqual(["b"]);
    await write((tx) => packDue(tx, due, due + HOUR, 20));
    expect(await packed()).toEqual(["b", "c"]);
    // A row that the loop found is packed though the clock has been set back since.
    await write((tx) => packDue(tx, due + 2 * HOUR, due - HOUR, 20));
    expect(await packed()).toEqual(["b", "c", "d"]);
  });
});

describe("what is deleted", () => {
  it("before a time, is so many of the oldest cards that spent nothing", async () => {
    const { ids, set, write } = await arrange(card("a"), card("b"), card("c"), card("d"), card("e"));
    for (const [at, id] of ["e", "d", "c", "b", "a"].entries()) await set(id, { quoted_at: at });
    await set("d", { claimed_at: 1 });
    await write((tx) => deleteUnspent(tx, 3, 2));
    expect(await ids()).toEqual(["a", "b", "d"]);
    await write((tx) => deleteUnspent(tx, 3, 2));
    expect(await ids()).toEqual(["a", "b", "d"]);
    await write((tx) => deleteUnspent(tx, 9, 1));
    expect(await ids()).toEqual(["a", "d"]);
  });

  it("of one person, is what spent nothing, has ended, is no order's and is shown, but for the newest", async () => {
    const others = [card("other", "EXPIRED", { owner: 1002 }), card("open", "QUOTED"), card("called"), card("order")];
    const queued = [card("card"), card("call"), card("elsewhere"), card("theirs")];
    const { ids, set, store, write } = await arrange(
      ...others,
      ...queued,
      card("x1"),
      card("x2"),
      card("x3"),
      card("x4"),
    );
    for (const [at, id] of ["x4", "x3", "x2", "x1"].entries()) await set(id, { quoted_at: 10 - at });
    for (const id of [...others, ...queued].map((each) => each.id)) await set(id, { quoted_at: 1 });
    await set("called", { claimed_at: 1 });
    await set("order", { standing: "order" });
    const wait = (subject: string, topic: string, user_id = OWNER) =>
      write((tx) => enqueue(tx, { user_id, topic, subject }, null, now));
    await wait("card", "card");
    await wait("call", "call");
    await wait("elsewhere", "standing");
    await wait("theirs", "card", 1002);
    const kept = ["call", "called", "card", "open", "order", "other"];
    await write((tx) => deleteOwnUnspent(tx, OWNER, 3, 1));
    expect(await ids()).toEqual([...kept, "elsewhere", "theirs", "x2", "x3", "x4"].toSorted());
    await write((tx) => deleteOwnUnspent(tx, OWNER, 2, 10));
    expect(await ids()).toEqual([...kept, "x3", "x4"].toSorted());
    // All but the one that was called.
    expect(await countUnspent(store.db)).toBe(kept.length + 1);
  });

  it("of somebody who is forgotten, is what has ended, a lot at a time", async () => {
    const { ids, write } = await arrange(
      ...[card("a", "OK"), card("b"), card("c", "QUOTED"), card("d", "SENT")],
      card("e", "OK", { owner: 1002 }),
    );
    const forget = () => write((tx) => forgetOver(tx, OWNER, 1));
    expect([await forget(), await forget(), await forget()]).toEqual([true, true, false]);
    expect(await ids()).toEqual(["c", "d", "e"]);
  });
});
