import { expect, it, onTestFinished } from "vitest";
import { forget } from "../../../src/services/operator/forget.js";
import { createOperatorNotifications } from "../../../src/services/operator/incidents.js";
import { createListings } from "../../../src/services/operator/listings.js";
import { changePerson } from "../../../src/services/person/person.js";
import type { IssuerRights } from "../../../src/services/telegram/outbox.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { silent } from "../samples.js";
import { noticesOf } from "../telegram/noticed.js";

const DAY = 86_400_000;
const idOf = (token: number) => `T${String(token).padStart(3, "0")}-1A2B`;
const rightsOf = (token: number): IssuerRights => ({
  sign: { tokenId: idOf(token), readAt: 0, powers: ["pause"], royalties: { leastBps: 1, mostBps: 1, fixed: 5n } },
  canMint: true,
});

function arrange() {
  const [disk, clock] = [createMemoryDisk(), createVirtualClock()];
  const listed = new Set<string>();
  /** A process on the same disk. */
  const start = () => {
    const store = disk.open();
    const tell = createOperatorNotifications({ clock, log: silent }, [1]);
    const isListed = (id: string) => listed.has(id);
    const listings = createListings({ store, clock, log: silent, wake: () => undefined, tell, isListed });
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const run = () => void listings.run(stopping.signal);
    const ask = (person: number, token: number) => listings.request(person, rightsOf(token));
    return { ask, run, store };
  };
  /** Numbers of the tokens that operators were told of. */
  const told = async () => {
    const notices = await noticesOf(disk.open().db, 1);
    return notices.map(({ id }) => /^listing-T(\d+)-/.exec(id)?.[1]).map((digits) => Number(digits));
  };
  return { ...start(), clock, disk, listed, start, told };
}

it("operators are told once of a token, whoever asks, with its rights, also across a restart", async () => {
  const { ask, clock, disk, start, told } = arrange();
  expect([await ask(10, 1), await ask(10, 1), await ask(11, 1)]).toEqual(["asked", "already", "already"]);
  expect(await start().ask(12, 1)).toBe("already");
  const what = { kind: "operator", event: { about: "listing", rights: rightsOf(1) } };
  expect(await noticesOf(disk.open().db, 1)).toEqual([{ id: "listing-T001-1A2B", what }]);
  await clock.advance(366 * DAY);
  expect(await ask(12, 1)).toBe("asked");
  expect(await told()).toEqual([1]);
});

it("a person asks for three tokens a day, those that still wait included", async () => {
  const { ask, clock } = arrange();
  expect([await ask(10, 1), await ask(10, 2), await ask(10, 3)]).toEqual(["asked", "asked", "asked"]);
  expect([await ask(10, 4), await ask(11, 4)]).toEqual(["enough", "asked"]);
  await clock.advance(DAY);
  expect(await ask(10, 5)).toBe("asked");
});

it("twenty a day reach operators; further ones wait, by turns of those who ask, through a kill", async () => {
  const { ask, clock, listed, start, store, told } = arrange();
  // Seven people take all places of the day, and ask on.
  for (let token = 0; token < 21; token += 1)
    expect(await ask(10 + Math.floor(token / 3), token)).toBe(token < 20 ? "asked" : "waiting");
  expect(await ask(30, 40)).toBe("waiting");
  expect([await ask(31, 41), await ask(31, 42), await ask(31, 43), await ask(31, 44)]).toEqual([
    ...["waiting", "waiting", "waiting", "enough"],
  ]);
  expect(await told()).toHaveLength(20);
  listed.add(idOf(42));
  store.kill();
  const { run, store: next } = start();
  await next.write((tx) => tx.deleteFrom("outbox").execute());
  await clock.advance(DAY - 90_000);
  run();
  await clock.advance(80_000);
  expect(await told()).toEqual([]);
  await clock.advance(70_000);
  // Those who were never told come before the seventh's third, and before somebody's second.
  expect((await told()).sort((one, other) => one - other)).toEqual([20, 40, 41, 43]);
});

it("who was told least lately is told of first", async () => {
  const { ask, clock, run, told, store } = arrange();
  await ask(10, 1);
  await clock.advance(1_000);
  for (let token = 2; token < 20; token += 1) await ask(100 + token, token);
  await ask(11, 50);
  expect([await ask(10, 60), await ask(10, 61), await ask(12, 70), await ask(11, 71)]).toEqual([
    ...["waiting", "waiting", "waiting", "waiting"],
  ]);
  await store.write((tx) => tx.deleteFrom("outbox").execute());
  // One place, of the first who was told: for who never was.
  await clock.advance(DAY - 1_000);
  run();
  await clock.advance(1);
  expect(await told()).toEqual([70]);
});

it("what is forgotten of a person isn't asked any more, and what was asked stays nobody's", async () => {
  const { ask, store } = arrange();
  await store.write((tx) => changePerson(tx, 10, (person) => ({ ...person, language: "en" })));
  for (let token = 0; token < 18; token += 1) await ask(100 + token, token);
  expect([await ask(10, 20), await ask(11, 21), await ask(10, 22)]).toEqual(["asked", "asked", "waiting"]);
  expect(await forget(store, 10, 0)).toBe("forgotten");
  const rows = store.db.selectFrom("listing_requests").select(["token", "user_id"]).where("user_id", "<", 12);
  expect(await rows.orderBy("user_id").execute()).toEqual([
    { token: idOf(20), user_id: 0 },
    { token: idOf(21), user_id: 11 },
  ]);
  expect([await ask(12, 20), await ask(12, 22)]).toEqual(["already", "waiting"]);
});

it("a thousand requests may wait", async () => {
  const { ask, clock, store } = arrange();
  const row = { user_id: 5, at: clock.now() - 2 * DAY, rights: "", told_at: null };
  await store.write(async (tx) => {
    for (let told = 0; told < 20; told += 1)
      await tx
        .insertInto("listing_requests")
        .values({ ...row, token: `A${told}`, told_at: clock.now() })
        .execute();
    const all = Array.from({ length: 1_000 }, (_, token) => ({ ...row, token: `B${token}` }));
    await tx.insertInto("listing_requests").values(all).execute();
  });
  expect([await ask(10, 1), await ask(5, 2)]).toEqual(["full", "enough"]);
});
