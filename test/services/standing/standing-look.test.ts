import { describe, expect, it } from "vitest";
import type { Person } from "../../../src/services/person/person.js";
import { zoneNames } from "../../../src/services/person/zone.js";
import { occurrenceAt, type Schedule } from "../../../src/services/standing/schedule.js";
import type { Intent } from "../../../src/services/intent/intent.js";
import { afterLastCard, withCard } from "../../../src/services/standing/last-card.js";
import type { StandingFacts } from "../../../src/services/standing/standing-facts.js";
import { standingLook } from "../../../src/services/standing/standing-look.js";
import type { StandingOrder } from "../../../src/services/standing/standing-queries.js";
import { often } from "../../support/property.js";
import { seededRandom } from "../../support/seed.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { kfi, person } from "../samples.js";
import { DAY, FIRST, HOUR, MINUTE, standingSample } from "./standing-world.js";

const idle = { isUnderWay: false, done: [], failed: [], signed: [] };

const facts = (now: number, fields: Partial<StandingFacts> = {}): StandingFacts => ({
  now,
  doubtedUntil: undefined,
  person: person(),
  calls: idle,
  pausedSince: undefined,
  isListed: true,
  card: undefined,
  openUntil: undefined,
  ...fields,
});

/** A card that was made at a time. */
function cardAt(quotedAt: number, fields: Partial<Intent> = {}): Intent {
  const card = { id: "card", state: "QUOTED", quotedAt, expiresAt: quotedAt + MINUTE, times: { QUOTED: quotedAt } };
  return { ...card, ...fields } as Intent;
}

/** The order once Telegram has taken its card. */
function sent(order: StandingOrder, made: StandingFacts, card: string): StandingOrder {
  const arrived = { at: made.now, isSure: true };
  return afterLastCard(withCard(order, card, made.now), { ...made, card: cardAt(made.now, { arrived }) });
}

describe("a regular order", () => {
  it("is offered when it is due, and counted as missed after an hour that it couldn't be", () => {
    const order = standingSample();
    expect(standingLook(order, facts(FIRST - 1))).toMatchObject({ offers: false, dueAt: FIRST });
    expect(standingLook(order, facts(FIRST))).toMatchObject({ offers: true });
    expect(standingLook(order, facts(FIRST + HOUR - 1))).toMatchObject({ offers: true });
    const late = standingLook(order, facts(FIRST + HOUR));
    expect(late).toMatchObject({ offers: false, dueAt: FIRST + DAY, order: { n: 1, missed: { down: 1 } } });
  });

  const frozen: Person = person({ frozenSince: 1 });
  it.each([
    ["paused", { paused: "user" }, {}],
    ["address", { paused: "address" }, {}],
    ["frozen", {}, { person: frozen }],
    ["unreachable", {}, { person: person({ restingSince: 1 }) }],
    ["trading-paused", {}, { pausedSince: 1 }],
    ["under-way", {}, { calls: { ...idle, isUnderWay: true } }],
  ] as const)("waits while it is %s, and is missed with that reason", (reason, fields, more) => {
    const held = standingLook(standingSample(fields), facts(FIRST, more));
    expect(held).toMatchObject({ offers: false, order: { n: 0, held: reason, missed: {} } });
    expect(held.dueAt).toBeLessThanOrEqual(FIRST + 5 * MINUTE);
    // It passes within the hour.
    if (!("paused" in fields))
      expect(standingLook(held.order, facts(FIRST + 30 * MINUTE))).toMatchObject({ offers: true });
    const over = standingLook(held.order, facts(FIRST + HOUR, more));
    expect(over).toMatchObject({ offers: false, order: { n: 1, held: null, missed: { [reason]: 1 } } });
  });

  it("waits for the end of quiet hours, and is as good for an hour then; or comes at night, by choice", () => {
    const asleep = person({ alerts: { modes: {}, quiet: { from: "08:30", to: "11:00" } } });
    const order = standingSample();
    const quiet = standingLook(order, facts(FIRST, { person: asleep }));
    expect(quiet).toMatchObject({ offers: false, dueAt: FIRST + 2 * HOUR, order: { held: "quiet", missed: {} } });
    expect(standingLook(quiet.order, facts(FIRST + 2 * HOUR, { person: asleep })).offers).toBe(true);
    expect(standingLook(quiet.order, facts(FIRST + 3 * HOUR, { person: asleep })).order.missed).toEqual({ down: 1 });
    const atNight = { ...order, comesInQuietHours: true };
    expect(standingLook(atNight, facts(FIRST, { person: asleep })).offers).toBe(true);
  });

  it("that quiet hours held back is as good for an hour once these are gone or moved, with a zone too", () => {
    const quiet = { modes: {}, quiet: { from: "08:30", to: "20:00" } };
    const held = standingLook(standingSample(), facts(FIRST, { person: person({ alerts: quiet }) })).order;
    const later = FIRST + 5 * HOUR;
    const moved = [person(), person({ alerts: quiet, timeZone: "Pacific/Auckland" })];
    for (const now of moved) {
      const look = standingLook(held, facts(later, { person: now }));
      expect(look).toMatchObject({ offers: true, order: { missed: {} } });
      const tried = { ...look.order, held: "no-price" } as const;
      expect(standingLook(tried, facts(later + HOUR - 1, { person: now })).offers).toBe(true);
      expect(standingLook(tried, facts(later + HOUR, { person: now })).order.missed).toEqual({ "no-price": 1 });
    }
  });

  it("whose card a freeze has closed is offered again within its hour, or missed for that", () => {
    const order = sent(standingSample(), facts(FIRST), "card");
    const arrived = { at: FIRST, isSure: true };
    const closedAt = (at: number) => cardAt(FIRST, { arrived, state: "CANCELED", times: { CANCELED: at } });
    const frozen = { person: person({ frozenSince: FIRST + MINUTE }) };
    const look = standingLook(order, facts(FIRST + MINUTE, { ...frozen, card: closedAt(FIRST + MINUTE) }));
    expect(look).toMatchObject({ offers: false, order: { n: 0, card: null, held: "frozen", missed: {} } });
    expect(standingLook(look.order, facts(FIRST + 30 * MINUTE)).offers).toBe(true);
    expect(standingLook(look.order, facts(FIRST + HOUR, frozen)).order).toMatchObject({ n: 1, missed: { frozen: 1 } });
    // One that its owner has cancelled themselves before.
    const own = standingLook(order, facts(FIRST + 2 * MINUTE, { ...frozen, card: closedAt(FIRST + 1) }));
    expect(standingLook(own.order, facts(FIRST + DAY)).order.missed).toEqual({ "not-tapped": 1 });
  });

  it("counts an untapped card once the next one is due, or a day after the last, and then ends", () => {
    let order = sent(standingSample(), facts(FIRST), "card-1");
    expect(order).toMatchObject({ n: 1, card: "card-1" });
    expect(standingLook(order, facts(FIRST + DAY - 1)).order.missed).toEqual({});
    const next = standingLook(order, facts(FIRST + DAY));
    expect(next).toMatchObject({ offers: true, order: { card: null, missed: { "not-tapped": 1 } } });
    order = sent(next.order, facts(FIRST + DAY), "card-2");
    const tapped = { ...idle, done: [1] };
    const last = standingLook(order, facts(FIRST + 2 * DAY, { calls: tapped }));
    expect(last).toMatchObject({ offers: true, order: { missed: { "not-tapped": 1 } } });
    order = sent(last.order, facts(FIRST + 2 * DAY), "card-3");
    expect(standingLook(order, facts(FIRST + 3 * DAY - 1))).toMatchObject({
      dueAt: FIRST + 3 * DAY,
      order: { ended: null },
    });
    expect(standingLook(order, facts(FIRST + 3 * DAY)).order).toMatchObject({
      ended: "done",
      missed: { "not-tapped": 2 },
    });
    // One that is done ends at once; one whose outcome isn't known yet, later.
    expect(standingLook(order, facts(FIRST + 2 * DAY + 1, { calls: { ...idle, done: [2] } })).order.ended).toBe("done");
    const open = facts(FIRST + 9 * DAY, { calls: { ...idle, isUnderWay: true } });
    expect(standingLook(order, open).order.ended).toBeNull();
  });

  it("isn't looked at without end while a call outlasts its time", () => {
    const calls = { ...idle, isUnderWay: true };
    const [regular, priced] = [
      standingSample({ n: 3, card: "card" }),
      standingSample({ kind: "limit", rule: { net: amountOf(kfi, 5_000_000n) } }),
    ];
    for (const order of [regular, priced, { ...priced, askAt: 1 }]) {
      for (const now of [order.endsAt, order.endsAt + 1, order.endsAt + 9 * DAY]) {
        const look = standingLook(order, facts(now, { calls }));
        expect(look).toMatchObject({ offers: false, order: { ended: null } });
        expect(look.dueAt).toBeGreaterThanOrEqual(now + HOUR);
      }
    }
  });

  it("ends once a token is no longer listed", () => {
    expect(standingLook(standingSample(), facts(FIRST, { isListed: false })).order.ended).toBe("unlisted");
  });

  it(`of ${often(3000)} schedules with random downtime, none is offered twice, and none is lost`, () => {
    const random = seededRandom("downtime");
    const below = (limit: number) => Math.floor(random() * limit);
    const zones = zoneNames();
    let [offers, misses] = [0, 0];
    for (let run = 0; run < often(3000); run += 1) {
      const from = new Date(Date.UTC(2027, 0, 1) + below(365 * 1440) * MINUTE).toISOString();
      const times = 1 + below(30);
      const schedule: Schedule = {
        zone: zones[below(zones.length)] ?? "UTC",
        from: { date: from.slice(0, 10), time: from.slice(11, 16) },
        every: { count: 1 + below(3), unit: (["d", "w", "m"] as const)[below(3)] ?? "d" },
        times,
      };
      const begins = below(2) * 7;
      let order = standingSample({ rule: { schedule, begins }, n: begins });
      let now = occurrenceAt(schedule, 0) - 1000;
      const seen = new Set<number>();
      for (let looks = 0; order.ended === null; looks += 1) {
        expect(looks).toBeLessThan(2000);
        const look = standingLook(order, facts(now));
        ({ order } = look);
        if (look.offers) {
          expect(seen.has(order.n)).toBe(false);
          const at = occurrenceAt(schedule, order.n - begins);
          expect(now - at).toBeGreaterThanOrEqual(0);
          expect(now - at).toBeLessThan(HOUR);
          seen.add(order.n);
          order = sent(order, facts(now), `card-${order.n}`);
        }
        // Mostly on time; sometimes down for a while.
        now = below(4) > 0 && look.dueAt > now ? look.dueAt + below(MINUTE) : now + below(40 * DAY);
      }
      const { "not-tapped": untapped = 0, down = 0, ...others } = order.missed;
      expect(others).toEqual({});
      expect(untapped).toBe(seen.size);
      expect(seen.size + down).toBe(times);
      offers += seen.size;
      misses += down;
    }
    expect(offers).toBeGreaterThan(often(10_000));
    expect(misses).toBeGreaterThan(often(5_000));
  });
});
