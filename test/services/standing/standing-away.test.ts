import { expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { pauses } from "../../../src/services/person/pause.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { readLimit, readStopLoss, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { writeSetting } from "../../../src/store/store.js";
import { seededRandom } from "../../support/seed.js";
import { alice } from "../samples.js";
import { createStandingWorld, DAY, FIRST, HOUR, MINUTE, type TelegramMode } from "./standing-world.js";

const PEOPLE = 20;
const SECOND = 1000;

/** A world in which each of twenty people has a limit, a stop and a daily purchase. */
async function everybody() {
  const made = createStandingWorld({ everySeconds: 15 });
  const process = made.start();
  for (let user = 1; user <= PEOPLE; user += 1) {
    await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), user);
    await process.standing.create(user, readLimit("100 KLV KFI for 1.05", made.tokens) as PriceOrderRequest);
    await process.standing.create(user, readStopLoss("101 KLV KFI for 0.9", made.tokens) as PriceOrderRequest);
    await process.standing.create(user, readDca("100 KLV KFI daily 09:00 x3", made.tokens) as DcaRequest);
  }
  const orderOf = (card: ReturnType<typeof made.cards>[number]) => standingIn(card.terms.request)!.id;
  return { made, process, orderOf, pass: (milliseconds: number) => made.clock.advance(milliseconds) };
}

it("after eleven minutes without Telegram, each of 20 limits, 20 stops and 20 purchases is told, none twice", async () => {
  const { made, process, orderOf, pass } = await everybody();
  await pass(FIRST - DAY - made.clock.now() - MINUTE);
  // 100 KLV bring more than the limit, 101 KLV less than the stop.
  made.price = ({ units }) => (units === 100_000_000n ? 1_200_000n : 800_000n);
  const modes: readonly TelegramMode[] = [{ kind: "refuses" }, { kind: "hangs" }, { kind: "refuses" }];
  for (const mode of modes) {
    made.telegram = mode;
    await pass(220 * SECOND);
  }
  expect(made.cards()).toEqual([]);
  made.telegram = { kind: "well" };
  const back = made.clock.now();
  // What hangs has a minute, and each person's messages are a second apart.
  await pass(2 * MINUTE + 10 * SECOND);
  const told = made.cards().map(orderOf);
  expect(new Set(told).size).toBe(3 * PEOPLE);
  expect(told).toHaveLength(3 * PEOPLE);
  expect(made.told.at(-1)!.at - back).toBeLessThanOrEqual(MINUTE + 10 * SECOND);
  await process.stop();
});

it("whose answers are lost, Telegram is sent no order's card from its eleventh second on", async () => {
  const { made, process, pass } = await everybody();
  made.price = ({ units }) => (units === 100_000_000n ? 1_200_000n : 800_000n);
  made.telegram = { kind: "loses" };
  await pass(26 * SECOND);
  const { attempts } = made;
  expect(attempts).toBeGreaterThan(0);
  await pass(9 * MINUTE);
  expect(made.attempts).toBe(attempts);
  await process.stop();
});

it("that hangs, Telegram is asked for nothing that waits, and each is told of within a minute of its return", async () => {
  const { made, process, pass } = await everybody();
  const { store, standing } = process;
  made.telegram = { kind: "hangs" };
  made.price = ({ units }) => (units === 100_000_000n ? 1_200_000n : 800_000n);
  await pass(26 * SECOND);
  const { attempts } = made;
  expect(attempts).toBeGreaterThan(0);
  // Everybody is to be told that this holds their orders.
  await store.write((tx) => writeSetting(tx, pauses, { since: made.clock.now(), reason: "" }));
  await standing.lookAtHeld();
  await pass(4 * MINUTE);
  expect(made.attempts).toBe(attempts);
  made.telegram = { kind: "well" };
  await pass(MINUTE);
  const held = made.told.filter((told) => "news" in told && told.news.kind === "held");
  expect(new Set(held.map(({ userId }) => userId)).size).toBe(PEOPLE);
  expect(held).toHaveLength(PEOPLE);
  await process.stop();
});

it("whatever ends, Telegram's silence, a pause, a freeze or an outage, each reached order is told of or offered", async () => {
  const random = seededRandom("holds");
  const below = (limit: number) => Math.floor(random() * limit);
  const outage = new Fault("service-timeout", { service: "quotation" });
  for (let round = 0; round < 6; round += 1) {
    const made = createStandingWorld({ everySeconds: 15 });
    const process = made.start();
    const user = 1;
    await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }), user);
    await process.standing.create(user, readStopLoss("100 KLV KFI for 0.9", made.tokens) as PriceOrderRequest);
    await made.clock.advance(MINUTE);
    const freeze = (isFrozen: boolean) =>
      made.person(
        process,
        ({ frozenSince: _, ...person }) => (isFrozen ? { ...person, frozenSince: made.clock.now() } : person),
        user,
      );
    const pause = (isOn: boolean) =>
      process.store.write((tx) => writeSetting(tx, pauses, isOn ? { since: made.clock.now(), reason: "" } : null));
    const holds = {
      silence: async (isOn: boolean) => void (made.telegram = { kind: isOn ? "refuses" : "well" }),
      pause: (isOn: boolean) => pause(isOn).then(() => process.standing.lookAtHeld()),
      freeze: (isOn: boolean) => freeze(isOn).then(() => process.standing.lookAtHeldOf(user)),
      outage: async (isOn: boolean) => void (made.fault = isOn ? outage : undefined),
    };
    const names = Object.keys(holds) as (keyof typeof holds)[];
    const name = names[round % names.length]!;
    // The price gets there before the hold, within it, or with it, and it lasts for minutes to hours.
    const isLate = below(2) === 0;
    await holds[name](true);
    await made.clock.advance(isLate ? below(20) * SECOND : 0);
    made.price = () => 800_000n;
    await made.clock.advance(3 * MINUTE + below(3 * 60) * MINUTE);
    expect(made.cards(), name).toEqual([]);
    await holds[name](false);
    const ended = made.clock.now();
    // One round of watched prices, and what Telegram's last pause may take.
    await made.clock.advance((name === "silence" ? 60 : 30) * SECOND);
    expect(made.cards(), name).toHaveLength(1);
    expect(made.cards()[0]!.quotedAt, name).toBeGreaterThan(ended - 2 * MINUTE);
    // Told once of what held it, but of Telegram's silence, and of prices that can't be had at all.
    expect(made.news().filter(({ kind }) => kind === "held").length, name).toBe(
      name === "pause" || name === "freeze" ? 1 : 0,
    );
    await made.clock.advance(2 * HOUR);
    expect(made.cards(), name).toHaveLength(1);
    await process.stop();
  }
});
