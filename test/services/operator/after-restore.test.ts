import { describe, expect, it } from "vitest";
import { amountOf } from "../../../src/encoding/amount.js";
import { leastTotalOf } from "../../../src/services/market/referral.js";
import { afterRestore } from "../../../src/services/operator/after-restore.js";
import { askChain, holdOrders } from "../../../src/services/standing/restored-orders.js";
import { changePerson, personIn } from "../../../src/services/person/person.js";
import { restored } from "../../../src/services/person/gap.js";
import { readLimit, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { readSetting, writeSetting, type Tables } from "../../../src/store/store.js";
import { noticesOf } from "../telegram/noticed.js";
import { alice, kfi, klv, silent } from "../samples.js";
import { createStandingWorld, DAY, HOUR, MINUTE, OWNER, type StandingProcess } from "../standing/standing-world.js";

const OPERATOR = 9;
const LEAST = leastTotalOf(amountOf(kfi, 1_050_000n), 1000).units;
const KEPT = ["users", "settings", "standing_orders", "price_questions", "price_watches", "intents"] as const;

/** A world whose data can be backed up and restored, as by the command. */
async function arrange(options: { readonly isWallet?: boolean } = {}) {
  const world = createStandingWorld(options);
  const first = world.start();
  await world.person(first, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const limit = (line: string) => first.standing.create(OWNER, readLimit(line, world.tokens) as PriceOrderRequest);
  const backUp = async () => {
    const tables: (readonly [keyof Tables, readonly object[]])[] = [];
    for (const name of KEPT) tables.push([name, await first.store.db.selectFrom(name).selectAll().execute()]);
    return tables;
  };
  /** Starts on what was kept; nothing is reached yet. */
  const restore = async (
    kept: Awaited<ReturnType<typeof backUp>>,
    nonceOf?: () => Promise<{ readonly nonce: bigint; readonly txPending: bigint }>,
  ) => {
    first.kill();
    world.price = () => LEAST / 2n;
    const store = world.disk.open();
    await store.write(async (tx) => {
      for (const name of [...KEPT, "outbox", "outbox_turns"] as const) await tx.deleteFrom(name).execute();
      for (const [name, rows] of kept)
        for (const row of rows)
          await tx
            .insertInto(name as "settings")
            .values(row as Tables["settings"])
            .execute();
      await writeSetting(tx, restored, { from: null, until: null });
    });
    world.told.length = 0;
    const process = world.start();
    const parts = {
      store,
      clock: world.clock,
      log: silent,
      intents: process.intents,
      operators: [OPERATOR],
      settings: { guardDelaySeconds: 3600 },
      nonceOf,
      holdOrders: holdOrders({ nonceOf }),
    };
    expect(await afterRestore(parts)).toBe(true);
    expect(await afterRestore(parts)).toBe(false);
    await askChain(parts, process.standing.pause);
    return process;
  };
  const taps = async ({ intents }: StandingProcess) => {
    const card = world.cards().at(-1)!;
    await intents.confirm(OWNER, card.id);
    await intents.idle();
  };
  return { world, first, limit, backUp, restore, taps };
}

describe("orders of data that was restored", () => {
  it("are not offered again: their owner is asked once what happened, and no answer holds them", async () => {
    const { world, limit, backUp, restore, taps, first } = await arrange();
    const [one, other] = [await limit("100 KLV KFI for 1.05"), await limit("101 KLV KFI for 1.05")];
    await world.clock.advance(MINUTE);
    const kept = await backUp();
    const from = world.clock.now();
    world.price = () => LEAST;
    await world.clock.advance(MINUTE);
    await taps(first);
    expect(world.sent).toHaveLength(1);
    await world.clock.advance(HOUR);

    const process = await restore(kept);
    world.price = () => LEAST;
    await world.clock.advance(6 * HOUR);
    expect(world.cards()).toEqual([]);
    expect(world.news()).toMatchObject([{ kind: "restored", orders: [{ id: one.id }, { id: other.id }] }]);
    const [news] = world.news();
    expect(news?.kind === "restored" && news.from <= from).toBe(true);
    expect((await noticesOf(process.store.db, OPERATOR)).map(({ what }) => what)).toMatchObject([
      { kind: "operator", event: { about: "restored", until: from + MINUTE + HOUR } },
    ]);
    expect(await process.standing.end(OWNER, one.id)).toBe("none");
    await process.standing.pause(OWNER, other.id, false);
    await world.clock.advance(MINUTE);
    expect(world.cards()).toHaveLength(1);
    await taps(process);
    expect(world.sent).toHaveLength(2);
    await process.stop();
  });

  it.each([
    ["go on at once where the chain says that their account has sent nothing since", 8n, 1],
    ["are asked about where it has sent something", 9n, 0],
  ])("%s", async (_, next, cards) => {
    const { world, limit, backUp, restore, taps, first } = await arrange({ isWallet: true });
    await limit("100 KLV KFI for 1.05");
    world.price = () => LEAST;
    await world.clock.advance(MINUTE);
    await taps(first);
    // Its transaction is on the chain, and its nonce is 7.
    const { id } = world.cards()[0]!;
    await first.intents.requests.sentByWallet(OWNER, id, "ab".repeat(64));
    await first.intents.settle(OWNER, id, { kind: "ok", returnData: [] });
    world.price = () => LEAST / 2n;
    await limit("102 KLV KFI for 1.05");
    const kept = await backUp();
    const process = await restore(kept, async () => ({ nonce: next, txPending: 0n }));
    world.price = () => LEAST;
    await world.clock.advance(5 * MINUTE);
    expect(world.cards()).toHaveLength(cards);
    expect(world.news().filter(({ kind }) => kind === "restored")).toHaveLength(1 - cards);
    await process.stop();
  });
});

it("an open card ends as unknown, not as unsent", async () => {
  const { world, limit, backUp, restore } = await arrange();
  await limit("100 KLV KFI for 1.05");
  world.price = () => LEAST;
  await world.clock.advance(MINUTE);
  const [card] = world.cards();
  const process = await restore(await backUp());
  expect(await process.intents.find(OWNER, card!.id)).toMatchObject({
    state: "UNKNOWN",
    outcome: { kind: "unknown", code: "restored" },
  });
  await process.stop();
});

it("what lifts a guard waits its whole delay again, and whoever was frozen stays so", async () => {
  const { world, first, backUp, restore } = await arrange();
  const now = world.clock.now();
  await first.store.write((tx) =>
    changePerson(tx, OWNER, (person) => ({
      ...person,
      frozenSince: now,
      limits: { KLV: { most: { perDay: amountOf(klv, 5n) }, later: { most: {}, from: now + DAY } } },
      later: [
        { guard: "unfreeze", from: now + HOUR },
        { guard: "forget", from: now + DAY },
      ],
    })),
  );
  const kept = await backUp();
  await world.clock.advance(HOUR - MINUTE);
  const process = await restore(kept);
  const after = world.clock.now();
  const person = await personIn(process.store.db, OWNER);
  expect(person.frozenSince).toBe(now);
  expect(person.later).toMatchObject([
    { guard: "unfreeze", from: after + HOUR },
    { guard: "forget", from: after + DAY },
  ]);
  expect(person.limits?.["KLV"]?.later?.from).toBe(after + DAY);
  expect(await readSetting(process.store.db, restored)).toMatchObject({ until: after });
  await process.stop();
});
