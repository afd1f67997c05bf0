import { describe, expect, it } from "vitest";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { Fault } from "../../../src/fault.js";
import { isReported, linesAt, type Rule } from "../../../src/services/price-watches/price-rule.js";
import type { ToldAlert } from "../../../src/services/alerts/price-alerts.js";
import { changePerson } from "../../../src/services/person/person.js";
import { alertEndOf, readAlert } from "../../../src/services/alerts/price-alert-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { telegramError } from "./orders-world.js";
import { kfi, klv } from "../samples.js";
import { createWorld, NOW, type Process, type World } from "./price-alerts-world.js";

const question = { amount: amountOf(kfi, 10_000_000n), out: klv };
const above: Rule = { way: "above", price: "120" };
const DAY = 86_400_000;
const price = (world: World, units: bigint) => {
  world.price = () => units;
};
/** Lets time pass for two polls. */
const rounds = (world: World) => world.clock.advance(31_000);
/** Sets these prices in turn, and lets each be polled. */
const moves = async (world: World, ...prices: readonly bigint[]) => {
  for (const units of prices) {
    price(world, units);
    await rounds(world);
  }
};
/** A world with one alert of one user. */
const watching = async (rule: Rule = above) => {
  const world = createWorld();
  const process = world.start();
  const { id } = await process.alerts.set(1, { ...question, rule });
  return { world, process, alerts: process.alerts, id };
};
const inShort = ({ told }: World) =>
  told.map(({ alert }) => alert.ended ?? alert.untold.map(({ units }) => Number(units) / 1e7));

describe("a price alert", () => {
  it("is sent once while the price hovers at its line, and again after it was one percent back", async () => {
    const { world } = await watching();
    await moves(world, 1_199_999_999n, 1_200_000_000n, 1_199_999_999n, 1_200_000_001n, 1_188_000_001n, 1_200_000_000n);
    expect(inShort(world)).toEqual([[120]]);
    await moves(world, 1_188_000_000n, 1_300_000_000n);
    expect(inShort(world)).toEqual([[120], [130]]);
  });

  it("on a percentage restarts from each reported price", async () => {
    const { world } = await watching({ way: "move", bps: 500n });
    await moves(world, 1_049_999_999n, 1_050_000_000n, 1_000_000_000n, 997_500_000n);
    expect(inShort(world)).toEqual([[105], [99.75]]);
  });

  it("says from which price each crossing came: when it was set, the last one, or the way back", async () => {
    const news = ({ told }: World) =>
      told.flatMap(({ alert }) => alert.untold.map(({ from, units }) => [Number(from) / 1e7, Number(units) / 1e7]));
    const { world: moved } = await watching({ way: "move", bps: 500n });
    await moves(moved, 1_050_000_000n, 997_500_000n);
    expect(news(moved)).toEqual([
      [100, 105],
      [105, 99.75],
    ]);
    const { world: risen } = await watching();
    await moves(risen, 1_210_000_000n, 1_180_000_000n, 1_100_000_000n, 1_300_000_000n);
    expect(news(risen)).toEqual([
      [100, 121],
      [118, 130],
    ]);
    const { world: fallen } = await watching({ way: "below", price: "150" });
    await moves(fallen, 1_600_000_000n, 1_490_000_000n);
    expect(news(fallen)).toEqual([[160, 149]]);
  });

  it.each([
    ["a line", above],
    ["a percentage", { way: "move", bps: 500n }],
  ] as const)(
    "on %s whose price goes to and fro says so once, and when it is steady how often",
    async (_words, rule) => {
      const { world } = await watching(rule);
      for (let count = 0; count < 20; count += 1) await moves(world, count % 2 === 0 ? 1_250_000_000n : 1_000_000_000n);
      const storms = () => world.told.map(({ alert }) => (alert as ToldAlert).storm);
      expect(storms()).toEqual([undefined, undefined, undefined, expect.objectContaining({ isOver: false })]);
      await world.clock.advance(11 * 60_000);
      const [last] = world.told.slice(4);
      expect(world.told).toHaveLength(5);
      expect(storms()[4]).toMatchObject({ isOver: true, count: last!.alert.crossings });
      expect(last!.alert.last?.units).toBe(1_000_000_000n);
    },
  );

  it("is polled once for all users who watch the same", async () => {
    const world = createWorld();
    const { alerts } = world.start();
    for (let userId = 1; userId <= 40; userId += 1) await alerts.set(userId, { ...question, rule: above });
    await world.clock.advance(60_000);
    expect(world.asked.length).toBeLessThanOrEqual(5);
    await moves(world, 1_250_000_000n);
    expect(world.told.map(({ userId }) => userId).toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
  });

  it("reports several crossings in one message after Telegram was unreachable, and counts those it left out", async () => {
    const { world } = await watching({ way: "move", bps: 500n });
    world.telegramFault = new Error("no answer");
    await moves(world, ...[11n, 12n, 13n, 14n, 15n, 16n, 17n].map((price) => price * 100_000_000n));
    world.telegramFault = undefined;
    await world.clock.advance(300_000);
    expect(inShort(world)).toEqual([[130, 140, 150, 160, 170]]);
    expect(world.told[0]?.alert).toMatchObject({ crossings: 7, told: 0 });
    await moves(world, 2_000_000_000n);
    expect(inShort(world)).toEqual([[130, 140, 150, 160, 170], [200]]);
  });

  it.each([
    ["a time zone that no Node knows", { time_zone: "Mars/Olympus" }, [1, 2]],
    ["a time zone as another Node stored it", { time_zone: "+05:30" }, [1, 2]],
    ["preferences that can't be read", { preferences: "{" }, [1, 2]],
  ] as const)("of others comes although one person has %s", async (_words, columns, reached) => {
    const world = createWorld();
    const { alerts, store } = world.start();
    const quiet = { modes: {}, quiet: { from: "03:00", to: "03:01" } };
    await store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: quiet })));
    for (const userId of [1, 2]) await alerts.set(userId, { ...question, rule: above });
    const one = store.db.selectFrom("users").select(["time_zone", "preferences"]).where("id", "=", 1);
    const sound = await one.executeTakeFirstOrThrow();
    await store.write((tx) => tx.updateTable("users").set(columns).where("id", "=", 1).execute());
    await moves(world, 1_250_000_000n);
    // Nobody's wait for the other's. Whose record can't be read gets theirs once it can.
    const told = () => world.told.map(({ userId }) => userId).toSorted();
    expect(told()).toContain(2);
    await store.write((tx) => tx.updateTable("users").set(sound).where("id", "=", 1).execute());
    await world.clock.advance(60_000);
    expect(told()).toEqual(reached);
  });

  it("that can't be handled is put aside, and told to operators, without holding up others", async () => {
    const world = createWorld();
    const { alerts, store } = world.start();
    const [{ id: broken }] = [
      await alerts.set(1, { ...question, rule: above }),
      await alerts.set(2, { ...question, rule: above }),
    ];
    await store.write((tx) =>
      tx.updateTable("price_watches").set({ rule: "sideways" }).where("subject", "=", broken).execute(),
    );
    await moves(world, 1_250_000_000n, 1_100_000_000n, 1_300_000_000n);
    expect(world.told.map(({ userId }) => userId)).toEqual([2, 2]);
    expect(world.errors).toMatchObject([
      { code: "store-unreadable", parameters: { document: `price_watches/1/price-alert/${broken}` } },
    ]);
  });

  it("waits for the end of quiet hours, unless it is set to come in them", async () => {
    const world = createWorld();
    const { alerts, store } = world.start();
    const hour = new Date(NOW).getUTCHours();
    const at = (hours: number) => `${String((hour + hours) % 24).padStart(2, "0")}:00`;
    const quiet = { modes: {}, quiet: { from: at(0), to: at(2) } };
    await store.write((tx) => changePerson(tx, 1, (person) => ({ ...person, alerts: quiet })));
    const held = await alerts.set(1, { ...question, rule: above });
    const loud = await alerts.set(1, { ...question, rule: { way: "above", price: "110" } });
    await alerts.comeInQuietHours(1, loud.id, true);
    await moves(world, 1_250_000_000n);
    expect(world.told.map(({ alert }) => alert.id)).toEqual([loud.id]);
    await world.clock.advance(2 * 3_600_000);
    expect(world.told.map(({ alert }) => alert.id)).toEqual([loud.id, held.id]);
    const end = NOW - (NOW % 3_600_000) + 2 * 3_600_000;
    expect(world.told[1]?.at).toBeGreaterThanOrEqual(end);
    expect(world.told[1]?.at).toBeLessThan(end + 31_000);
  });

  it("says once that its time is over or its token is no longer listed, and is deleted", async () => {
    const world = createWorld();
    const { alerts } = world.start();
    await alerts.set(1, { ...question, rule: above, until: { count: 1, unit: "h" } });
    await world.clock.advance(3_700_000);
    expect(inShort(world)).toEqual(["time"]);
    expect(await alerts.list(1)).toEqual([]);
    const before = world.asked.length;
    await world.clock.advance(100_000);
    expect(world.asked).toHaveLength(before);

    await alerts.set(1, { ...question, rule: above });
    world.tokens = [klv];
    price(world, 1_300_000_000n);
    await world.clock.advance(100_000);
    expect(inShort(world)).toEqual(["time", "unlisted"]);
    expect(await alerts.list(1)).toEqual([]);
  });

  it("invents nothing while the service is down, and comes late", async () => {
    const { world } = await watching();
    price(world, 1_300_000_000n);
    for (const fault of [
      new Fault("service-unreachable", { service: "quotation" }),
      new Fault("quote-none", { from: "KFI", to: "KLV" }),
      new Fault("service-rate-limited", { service: "quotation", retryAfterSeconds: 20 }),
    ]) {
      world.fault = fault;
      await world.clock.advance(600_000);
      expect(world.told).toEqual([]);
    }
    world.fault = undefined;
    await world.clock.advance(330_000);
    expect(inShort(world)).toEqual([[130]]);
  });

  it("isn't polled while it is paused, or while its user can't be reached", async () => {
    const { world, process, alerts, id } = await watching();
    await alerts.pause(1, id, true);
    await rounds(world);
    const asked = world.asked.length;
    price(world, 1_300_000_000n);
    await world.clock.advance(200_000);
    expect(world.asked).toHaveLength(asked);
    world.telegramFault = telegramError(403, "Forbidden: bot was blocked by the user");
    await alerts.pause(1, id, false);
    await rounds(world);
    const tried = world.asked.length;
    await world.clock.advance(200_000);
    expect(world.asked).toHaveLength(tried);
    world.telegramFault = undefined;
    await process.hears(1);
    await world.clock.advance(1_000);
    expect(inShort(world)).toEqual([[130]]);
    expect(world.asked.length).toBeGreaterThan(tried);
  });

  it("reaches every user despite a kill between two batches, and twice only if it was just being sent", async () => {
    const world = createWorld();
    const process = world.start();
    for (let userId = 1; userId <= 450; userId += 1) await process.alerts.set(userId, { ...question, rule: above });
    await rounds(world);
    price(world, 1_300_000_000n);
    let writes = 0;
    process.store.afterWrite = async () => {
      writes += 1;
      if (writes < 2) return;
      process.kill();
      await new Promise(() => undefined);
    };
    await world.clock.advance(16_000);
    expect(process.isAlive()).toBe(false);
    price(world, 1_000_000_000n);
    world.start();
    await world.clock.advance(60_000);
    const times = new Map<number, number>();
    for (const { userId } of world.told) times.set(userId, (times.get(userId) ?? 0) + 1);
    expect(times.size).toBe(450);
    // What was being sent at the kill may come twice: that is the outbox's one exception.
    expect([...times.values()].filter((count) => count > 1).length).toBeLessThanOrEqual(30);
  });

  it("is written for 50 users at a time, so that no transaction outlasts its limit on a distant server", async () => {
    const world = createWorld();
    const process = world.start();
    for (let userId = 1; userId <= 200; userId += 1) await process.alerts.set(userId, { ...question, rule: above });
    await rounds(world);
    const crossed = async () => {
      const rows = process.store.db.selectFrom("price_alerts").where("crossings", ">", 0);
      return (await rows.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow()).count;
    };
    const counts = [0];
    process.store.afterWrite = async () => void counts.push(await crossed());
    price(world, 1_300_000_000n);
    await world.clock.advance(16_000);
    expect(Math.max(...counts)).toBe(200);
    expect(Math.max(...counts.slice(1).map((count, at) => count - (counts[at] ?? 0)))).toBe(50);
  });

  it("is one of at most 50 per user, and setting the same one again keeps it", async () => {
    const { alerts } = createWorld().start();
    for (let number = 1; number <= 50; number += 1) {
      await alerts.set(1, { ...question, rule: { way: "above", price: String(200 + number) } });
    }
    await alerts.set(1, { ...question, rule: { way: "above", price: "250" } });
    await expect(alerts.set(1, { ...question, rule: above })).rejects.toMatchObject({ code: "alerts-full" });
    await alerts.set(2, { ...question, rule: above });
    expect(await alerts.list(1)).toHaveLength(50);
  });
});

describe("an absurd price", () => {
  /** Stops the process after a few times as many writes as it needs: a loop of writes would never end. */
  const countWrites = ({ store }: Process) => {
    const counted = { writes: 0 };
    store.afterWrite = async () => {
      counted.writes += 1;
      if (counted.writes >= 2000) await new Promise(() => undefined);
    };
    return counted;
  };

  it.each([
    ["whose lower line is fifty nines", (10n ** 50n * 10_000n) / 9_500n],
    ["just above any line", 10n ** 40n],
  ])("%s is no price: nobody is told, and 200 alerts are left as they are", async (_name, absurd) => {
    const world = createWorld();
    const process = world.start();
    const rule: Rule = { way: "move", bps: 500n };
    for (let userId = 1; userId <= 200; userId += 1) await process.alerts.set(userId, { ...question, rule });
    await rounds(world);
    price(world, absurd);
    const counted = countWrites(process);
    await rounds(world);
    expect(world.told).toEqual([]);
    expect(counted.writes).toBeLessThan(2000);
    process.store.afterWrite = () => Promise.resolve();
    await expect(process.alerts.set(1, { ...question, rule: above })).rejects.toMatchObject({
      code: "quote-unreadable",
    });
    await moves(world, 1_100_000_000n);
    await world.clock.advance(60_000);
    expect(new Set(world.told.map(({ userId }) => userId)).size).toBe(200);
  });

  it("ends although 200 alerts stay crossed, whose lines nothing moves", async () => {
    const world = createWorld();
    const process = world.start();
    for (let userId = 1; userId <= 200; userId += 1) await process.alerts.set(userId, { ...question, rule: above });
    // Damage: each price is at the line of such a rule, wherever it moves.
    const damage = { rule: "move 0", high: "0".repeat(40) };
    await process.store.write((tx) => tx.updateTable("price_watches").set(damage).execute());
    const counted = countWrites(process);
    await rounds(world);
    expect(counted.writes).toBeLessThan(2000);
  });
});

describe("an alert that rounding could set off", () => {
  const shiny = { ...kfi, id: "DVK-34ZH", precision: 6 };
  /** A token worth a millionth of KLV: one of them is one unit. */
  const cheap = (count: bigint) => ({ amount: amountOf(shiny, count * 1_000_000n), out: klv });
  const arrange = () => {
    const world = createWorld({ tokens: [klv, kfi, shiny] });
    world.price = ({ units }) => {
      if (units < 1_000_000n) throw new Fault("quote-zero", { token: "KLV" });
      return units / 1_000_000n;
    };
    return world.start().alerts;
  };

  it.each<[bigint, Rule, string]>([
    [10n, { way: "move", bps: 500n }, "100 DVK-34ZH KLV 5%"],
    [99n, { way: "move", bps: 500n }, "990 DVK-34ZH KLV 5%"],
    [999n, { way: "move", bps: 50n }, "9990 DVK-34ZH KLV 0.5%"],
    [499n, { way: "above", price: "2" }, "4990 DVK-34ZH KLV above 2"],
    // Fine at today's price, but not at the line.
    [1000n, { way: "below", price: "0.0000001" }, "10000 DVK-34ZH KLV below 0.0000001"],
  ])("on %s tokens is refused, and a larger amount is named", async (count, rule, line) => {
    const alerts = arrange();
    await expect(alerts.set(1, { ...cheap(count), rule })).rejects.toMatchObject({
      code: "alert-too-fine",
      parameters: { amount: String(count), line },
    });
    const [larger = ""] = line.split(" ");
    await alerts.set(1, { ...cheap(BigInt(larger)), rule });
    expect(await alerts.list(1)).toHaveLength(1);
  });

  it.each<[bigint, Rule]>([
    [100n, { way: "move", bps: 500n }],
    [1000n, { way: "move", bps: 50n }],
    [500n, { way: "above", price: "2" }],
  ])("is set for %s tokens, which are just enough", async (count, rule) => {
    const alerts = arrange();
    await alerts.set(1, { ...cheap(count), rule });
    expect(await alerts.list(1)).toHaveLength(1);
  });

  it("is refused for its price if that is worth less than one unit", async () => {
    const rule = { way: "below", price: "0.0000000003" } as const;
    await expect(arrange().set(1, { ...cheap(1000n), rule })).rejects.toMatchObject({ code: "alert-price-zero" });
  });

  it("is refused in the same way if the amount is worth less than one unit", async () => {
    const tiny = { amount: amountOf(shiny, 10n), out: klv };
    await expect(arrange().set(1, { ...tiny, rule: { way: "move", bps: 500n } })).rejects.toMatchObject({
      code: "alert-too-fine",
    });
  });

  it("is about the first offered amount that is enough, or else the first a power of ten times over", async () => {
    const alerts = arrange();
    const asked = { out: klv, rule: { way: "move", bps: 500n } } as const;
    const amounts = (...counts: [bigint, ...bigint[]]) =>
      counts.map((count) => cheap(count).amount) as [Amount, ...Amount[]];
    expect(await alerts.enough(asked, amounts(1000n, 10_000n))).toEqual(cheap(1000n).amount);
    expect(await alerts.enough(asked, amounts(10n, 50n, 200n, 1000n))).toEqual(cheap(200n).amount);
    expect(await alerts.enough(asked, amounts(10n, 20n))).toEqual(cheap(100n).amount);
  });
});

describe("a line", () => {
  it("is exact to the unit, and refused if no price can reach it", () => {
    const rule: Rule = { way: "above", price: "0.333333333333" };
    expect(linesAt(rule, question, 1n)).toEqual({ high: 3_333_334n });
    expect(linesAt({ ...rule, way: "below" }, question, 4_000_000n)).toEqual({ low: 3_333_333n });
    expect(() => linesAt({ way: "below", price: "0.00000001" }, question, 1n)).toThrow(/alert-price-zero/);
    expect(() => linesAt({ way: "above", price: `1${"0".repeat(34)}` }, question, 1n)).toThrow(/amount-too-large/);
    expect(isReported({ rule: above, lines: { low: 5n } })).toBe(false);
    expect(isReported({ rule: above, lines: { high: 5n } })).toBe(true);
  });

  it("is never at the price it was set at, so that no price crosses it twice", () => {
    for (const units of [1n, 2n, 99n, 100n, 101n, 10n ** 39n, 10n ** 40n - 1n]) {
      for (const rule of [
        { way: "move", bps: 50n },
        { way: "move", bps: 99_999n },
      ] as const) {
        const { high = units + 1n, low = units - 1n } = linesAt(rule, question, units);
        expect(low < units && units < high).toBe(true);
      }
    }
  });
});

describe("reading", () => {
  const tokens = tokenListOf([klv, kfi]);
  it("accepts what users write", () => {
    const read = (line: string) => readAlert(line, tokens);
    expect(read("KFI above 120 KLV")).toEqual({ token: kfi, out: klv, rule: above });
    expect(read("10 kfi > 120")).toMatchObject({ amount: question.amount, rule: above });
    expect(read("KFI>=120")).toMatchObject({ rule: above });
    expect(read("KFI abaixo de 90.50 em KLV 30d")).toMatchObject({ rule: { way: "below", price: "90.5" } });
    expect(read("KFI ±5%")).toMatchObject({ rule: { way: "move", bps: 500n } });
    expect(read("KFI 2.5% KLV 2030-01-01")).toMatchObject({ rule: { bps: 250n }, until: { date: "2030-01-01" } });
    expect(read("KFI")).toBe("incomplete");
    expect(read("")).toBe("incomplete");
    expect(read("KFI KLV DVK above 1")).toBe("unreadable");
    expect(read("KFI above 1 below 2")).toBe("unreadable");
  });

  it("reports every fault at once", () => {
    const read = readAlert("120", tokens);
    expect(typeof read === "object" && "faults" in read && read.faults.map(({ code }) => code)).toEqual([
      "alert-without-token",
      "alert-without-direction",
    ]);
  });

  it("includes the date until which it goes on, by its owner's clocks", () => {
    const at = Date.UTC(2026, 11, 1);
    const until = { date: "2027-03-31" };
    const midnight = Date.UTC(2027, 3, 1);
    expect(alertEndOf({ until }, "UTC", at)).toBe(midnight - 1);
    expect(alertEndOf({ until }, "America/New_York", at)).toBe(midnight + 4 * 3_600_000 - 1);
    expect(alertEndOf({ until }, "Asia/Tokyo", at)).toBe(midnight - 9 * 3_600_000 - 1);
  });

  it("ends an alert after at most a year", () => {
    expect(alertEndOf({}, "UTC", NOW)).toBe(NOW + 365 * DAY);
    expect(alertEndOf({ until: { count: 1, unit: "y" } }, "UTC", NOW)).toBe(NOW + 365 * DAY);
    for (const until of [
      { count: 2, unit: "y" },
      { date: "2001-01-01" },
      { count: 0, unit: "d" },
      { epoch: 5n },
    ] as const) {
      expect(() => alertEndOf({ until }, "UTC", NOW)).toThrow(/alert-too-long/);
    }
  });
});
