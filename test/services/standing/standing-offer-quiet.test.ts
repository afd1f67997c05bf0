import { describe, expect, it } from "vitest";
import { temporaryPlace } from "../../support/engine.js";
import { migrations } from "../../../src/store/schema.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { readLimit, readStopLoss, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { alice } from "../samples.js";
import { createStandingWorld, HOUR, MINUTE, NOW, OWNER } from "./standing-world.js";

const quiet = { from: "08:00", to: "11:00" };

/** Somebody who sleeps from a quarter before the world begins until eleven, with a limit, a stop and a purchase at nine. */
async function asleep() {
  const made = createStandingWorld();
  const process = made.start();
  const setAlerts = (alerts: object) => made.person(process, (person) => ({ ...person, ...alerts }));
  await made.person(process, (person) => ({
    ...person,
    wallet: { address: alice, since: 0 },
    alerts: { modes: {}, quiet },
  }));
  const stop = (line: string) => process.standing.create(OWNER, readStopLoss(line, made.tokens) as PriceOrderRequest);
  const limit = await process.standing.create(
    OWNER,
    readLimit("101 KLV KFI for 1.05", made.tokens) as PriceOrderRequest,
  );
  await process.standing.create(OWNER, readDca("102 KLV KFI daily 09:00 x3", made.tokens) as DcaRequest);
  const first = await stop("100 KLV KFI for 0.9");
  await made.clock.advance(MINUTE);
  const kinds = () =>
    made.cards().map(({ terms }) => (terms.request as { standing?: { kind: string } }).standing?.kind);
  const told = () =>
    made.told.flatMap((each) => ("card" in each && each.edits === undefined ? [each.comesAtNight] : []));
  // The limit's price is there, and the stop's.
  const fall = () => void (made.price = ({ units }) => (units === 101_000_000n ? 1_200_000n : 800_000n));
  return { made, process, setAlerts, stop, limit, first, kinds, told, fall };
}

describe("in quiet hours", () => {
  it("a stop comes, a limit and a purchase wait for their end, and its owner learns so by the first stop alone", async () => {
    const { made, process, stop, first, kinds, told, fall } = await asleep();
    const second = await stop("103 KLV KFI for 0.9");
    await made.clock.advance(MINUTE);
    fall();
    await made.clock.advance(30 * MINUTE);
    expect(kinds()).toEqual(["stop", "stop"]);
    expect(told().filter((id) => id !== undefined)).toHaveLength(1);
    expect([first.id, second.id]).toContain(told()[0]);
    await made.clock.advance(2 * HOUR);
    expect(kinds().toSorted()).toEqual(["dca", "limit", "stop", "stop"]);
    await process.stop();
  });

  it("who can't be reached, or is killed in the sending, isn't taken for told", async () => {
    const { made, process, told, fall } = await asleep();
    made.telegram = { kind: "refuses" };
    fall();
    await made.clock.advance(5 * MINUTE);
    process.kill();
    made.telegram = { kind: "well" };
    const next = made.start();
    await made.clock.advance(5 * MINUTE);
    expect(told()).toHaveLength(1);
    expect(told()[0]).toBeDefined();
    await next.stop();
  });

  it("a stop that is to wait closes its card, asks no more at night, and asks again at their end", async () => {
    const { made, process, first, kinds, fall } = await asleep();
    fall();
    await made.clock.advance(MINUTE);
    expect(kinds()).toEqual(["stop"]);
    await process.standing.waitUntilMorning(OWNER, first.id);
    const [card] = made.cards();
    await made.clock.advance(HOUR);
    expect(kinds()).toEqual(["stop"]);
    expect((await process.intents.find(OWNER, card!.id))?.state).toBe("CANCELED");
    expect(await process.standing.find(OWNER, first.id)).toMatchObject({ hold: "quiet" });
    await made.clock.advance(90 * MINUTE);
    expect(kinds().filter((kind) => kind === "stop")).toHaveLength(2);
    await process.stop();
  });

  it("a limit that they hold back comes at once when they are turned off, and so does one that may come in them", async () => {
    for (const way of ["off", "through"] as const) {
      const { made, process, setAlerts, limit, kinds, fall } = await asleep();
      fall();
      await made.clock.advance(5 * MINUTE);
      expect(kinds()).toEqual(["stop"]);
      if (way === "off") await setAlerts({ alerts: { modes: {} } });
      else await process.standing.comeInQuietHours(OWNER, limit.id, true);
      await process.standing.look(OWNER);
      await made.clock.advance(MINUTE);
      expect(kinds(), way).toContain("limit");
      await process.stop();
    }
  });
});

it("stops that wait in a store come in quiet hours from this version on, and no other orders", async () => {
  const place = await temporaryPlace();
  const versions = migrations as string[];
  const later = versions.splice(versions.findIndex((sql) => sql.includes("SET through_quiet = 1")));
  const order = { user_id: OWNER, request: "", rule: "", payout: "", through_quiet: 0, due_at: NOW, n: 0, failures: 0 };
  const row = { ...order, missed: "{}", told: "{}", today: 0, ends_at: NOW, created_at: NOW };
  try {
    const old = await place.open();
    await old.write(async (tx) => {
      for (const [id, kind] of [
        ["stop", "stop"],
        ["limit", "limit"],
        ["over", "stop"],
        ["dca", "dca"],
      ] as const) {
        const ended = id === "over" ? "time" : null;
        // As it was then: later versions have more columns.
        await tx
          .insertInto("standing_orders")
          .values({ ...row, id, kind, ended } as never)
          .execute();
      }
    });
    await old.close();
  } finally {
    versions.push(...later);
  }
  const { db, close } = await place.open();
  const come = await db.selectFrom("standing_orders").select(["id", "through_quiet"]).orderBy("id").execute();
  expect(come.map(({ id, through_quiet }) => [id, through_quiet])).toEqual([
    ["dca", 0],
    ["limit", 0],
    ["over", 0],
    ["stop", 1],
  ]);
  await close();
});
