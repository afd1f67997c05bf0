import { describe, expect, it } from "vitest";
import { putAway } from "../../../src/services/intent/queries.js";
import { fc, often } from "../../support/property.js";
import { seededRandom } from "../../support/seed.js";
import { frozen, owner, unfrozen } from "./arrange.js";
import { createWorld, type Delivery, type GatewayKind, type World } from "./machine-world.js";

type Step = (world: World, id: string) => Promise<unknown>;

const confirm: Step = ({ act }, id) => act(({ intents }) => intents.confirm(owner, id));
const cancel: Step = ({ act }, id) => act(({ intents }) => intents.cancel(owner, id));
const refresh: Step = async ({ act, open }, id) => {
  const by = await open();
  await act(({ intents }) => intents.replace(owner, id, by));
};
const sign: Step = (world, id) => world.sign(id);
const decline: Step = (world, id) => world.decline(id);
const passes =
  (milliseconds: number): Step =>
  ({ clock }) =>
    clock.advance(milliseconds);
const delivers =
  (delivery: Delivery, ...steps: readonly Step[]): Step =>
  async (world, id) => {
    world.chain.delivery = delivery;
    await inTurn(...steps)(world, id);
  };
const priced =
  (price: "away" | "worse", step: Step): Step =>
  async (world, id) => {
    world.shared.price = price;
    await step(world, id);
  };
const atOnce =
  (...steps: readonly Step[]): Step =>
  (world, id) =>
    Promise.all(steps.map((step) => step(world, id)));
const inTurn =
  (...steps: readonly Step[]): Step =>
  async (world, id) => {
    for (const step of steps) await step(world, id);
  };
const changes =
  (change: Parameters<Parameters<Parameters<World["act"]>[0]>[0]["change"]>[0]): Step =>
  ({ act }) =>
    act((life) => life.change(change));
const meanwhile =
  (step: Step): Step =>
  async (world, id) => {
    world.chain.meanwhile = () => step(world, id);
    await inTurn(sign, passes(31_000))(world, id);
  };
const block: Step = async ({ chain }) => chain.mine();
const walletBroadcasts: Step = (world, id) => world.walletBroadcasts(id);
const spendsNonce: Step = async ({ chain }) => chain.spendNonce();
const another: Step = async (world) => {
  const id = await world.open();
  await confirm(world, id);
};

/** Everything that can happen, at any time. What doesn't apply to an intent must leave it alone. */
const events = {
  nothing: async () => undefined,
  "a tap on Confirm": confirm,
  "three taps on Confirm at once": atOnce(confirm, confirm, confirm),
  "Confirm, with an answer that is lost": delivers("lost", confirm),
  "Confirm, with a call that is lost": delivers("swallowed", confirm),
  "Confirm, with no connection for the call": delivers("never-left", confirm),
  "Confirm, refused by the node": delivers("refused", confirm),
  "Confirm at a worse price": priced("worse", confirm),
  "Confirm without a price": priced("away", confirm),
  "Confirm of another pair than configured": async (world, id) => {
    world.shared.isConfigured = false;
    await inTurn(confirm, sign)(world, id);
  },
  "a tap on Cancel": cancel,
  "Confirm and Cancel at once": atOnce(confirm, cancel),
  "a tap on Refresh": refresh,
  "another card is confirmed": another,
  "the card's time passes": passes(31_000),
  "the time to sign passes": passes(61_000),
  "the time to send passes": passes(181_000),
  "a signature": sign,
  "three signatures at once": atOnce(sign, sign, sign),
  "a signature and Cancel at once": atOnce(sign, cancel),
  "a signature and a refusal at once": atOnce(sign, decline),
  "a signature at a worse price": priced("worse", sign),
  "a signature without a price": priced("away", sign),
  "a signature, and Cancel soon after": inTurn(delivers("never-left", sign, passes(2_000)), cancel),
  "a broadcast whose answer is lost": delivers("lost", sign, passes(2_000)),
  "a broadcast that is lost": delivers("swallowed", sign, passes(20_000)),
  "a broadcast that never left": delivers("never-left", sign, passes(20_000)),
  "a broadcast that is refused": delivers("refused", sign, passes(20_000)),
  "Cancel while the chain is asked": meanwhile(cancel),
  "a freeze while the chain is asked": meanwhile(changes(frozen)),
  "a refusal on the page": decline,
  "the wallet broadcasts by itself": walletBroadcasts,
  "the wallet broadcasts by itself, and a block": inTurn(walletBroadcasts, block),
  "the wallet broadcasts by itself, and Cancel": inTurn(walletBroadcasts, cancel),
  "a block": inTurn(block, passes(2_500)),
  "a block in which calls fail": async (world, id) => {
    world.chain.fails = true;
    await inTurn(block, passes(2_500))(world, id);
  },
  "another transaction uses the nonce": inTurn(spendsNonce, passes(3_000)),
  "another transaction uses the nonce while the node is slow to say so": inTurn(spendsNonce, cancel),
  "a block is undone": inTurn(block, passes(2_500), async ({ chain }) => chain.undo()),
  "a block is undone, and another transaction uses the nonce": inTurn(
    block,
    passes(2_500),
    async ({ chain }) => chain.undo(),
    spendsNonce,
  ),
  "the pool forgets": async ({ chain }) => chain.forget(),
  "the node is away": async (world, id) => {
    world.chain.isAway = true;
    await atOnce(confirm, sign, cancel)(world, id);
    await passes(40_000)(world, id);
  },
  "a freeze": changes(frozen),
  "a freeze that is taken back": inTurn(changes(frozen), passes(3_000), changes(unfrozen)),
  "another address": changes((person) => ({ ...person, wallet: { ...person.wallet!, address: elsewhere } })),
  "an operator pauses": ({ act }) => act(({ pause }) => pause.pause("a test")),
  "an operator takes a pause back": inTurn(
    ({ act }) => act(({ pause }) => pause.pause("a test")),
    passes(3_000),
    ({ act }) => act(({ pause }) => pause.resume()),
  ),
  "an operator puts it away": ({ act }, id) => act(({ store }) => store.write((tx) => putAway(tx, id))),
  "its owner says that it didn't happen": async ({ act, find, clock }, id) => {
    const intent = await find(id);
    await act(({ intents }) =>
      intents.markChecked(intent, { at: clock.now(), by: "owner", finding: "not-arrived", why: undefined }),
    );
  },
  "nobody looks for it any more": ({ act }, id) => act(({ intents }) => intents.requests.giveUp(owner, id)),
  "the clock is set an hour ahead": async ({ clock }) => clock.step(3_600_000),
  "the clock is set back an hour": async ({ clock }) => clock.step(-3_600_000),
  "a restart": ({ restart }) => restart(),
} satisfies Readonly<Record<string, Step>>;
type Event = keyof typeof events;
const eventNames = Object.keys(events) as Event[];

const elsewhere = "klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5" as never;

const hanging =
  (what: "hangs" | "price", until: string): Step =>
  async (world, id) => {
    if (what === "price") world.shared.price = "hangs";
    else world.shared.hangs = true;
    void confirm(world, id);
    while ((await world.nameOf(id)) !== until) await new Promise((resolve) => setImmediate(resolve));
  };
const nodeAway: Step = async ({ chain }) => {
  chain.isAway = true;
};
const nodeBack: Step = async ({ chain }) => {
  chain.isAway = false;
};
/** The request closes, and the chain is asked about it. */
const closes = (close: Step): Step => inTurn(confirm, close, passes(2_000));
const toBlock: Step = inTurn(confirm, sign, passes(2_000), block, passes(3_000));
const buried: Step = inTurn(toBlock, block, passes(6_000));
const forgets: Step = ({ act }, id) => act(({ intents }) => intents.requests.giveUp(owner, id));

/** How an intent reaches each state, with its transaction in each phase. */
const stations: Readonly<Record<GatewayKind, Readonly<Record<string, readonly [name: string, way: Step]>>>> = {
  query: {
    "a card": ["QUOTED/none", async () => undefined],
    "a claim": ["CLAIMED/none", hanging("price", "CLAIMED/none")],
    "a call without an answer yet": ["SENT/none", hanging("hangs", "SENT/none")],
    done: ["OK/none", confirm],
    refused: ["FAILED/none", delivers("refused", confirm)],
    "never sent": ["FAILED/none", delivers("never-left", confirm)],
    unknown: ["UNKNOWN/none", delivers("lost", confirm)],
    expired: ["EXPIRED/none", passes(31_000)],
    canceled: ["CANCELED/none", cancel],
    refreshed: ["SUPERSEDED/none", refresh],
    worse: ["SUPERSEDED/none", priced("worse", confirm)],
  },
  wallet: {
    "a card": ["QUOTED/none", async () => undefined],
    "a claim": ["CLAIMED/none", hanging("price", "CLAIMED/none")],
    "a request": ["SIGNING/to-sign", confirm],
    "a request that was cancelled": ["SIGNING/withdrawn", inTurn(confirm, nodeAway, cancel)],
    "a request that its wallet broadcast": [
      "SIGNING/to-sign",
      inTurn(confirm, nodeAway, walletBroadcasts, block, nodeBack),
    ],
    "a signature that no node takes": ["SENT/signed", delivers("never-left", confirm, sign, passes(1_500))],
    "a broadcast": ["SENT/broadcast", inTurn(confirm, sign, passes(2_000))],
    "a broadcast without an answer": ["SENT/broadcast", delivers("swallowed", confirm, sign, passes(2_000))],
    "a broadcast refused later": [
      "SENT/broadcast",
      inTurn(delivers("swallowed", confirm, sign, passes(7_000)), delivers("refused", passes(8_000))),
    ],
    "in a block": ["SENT/broadcast", toBlock],
    "in a block, against its cancelled request": [
      "SENT/broadcast",
      inTurn(closes(cancel), walletBroadcasts, passes(20_000)),
    ],
    done: ["OK/on-chain", buried],
    "failed on the chain": [
      "FAILED/on-chain",
      async (world, id) => {
        world.chain.fails = true;
        await buried(world, id);
      },
    ],
    declined: ["FAILED/withdrawn", closes(decline)],
    refused: ["FAILED/broadcast", delivers("refused", confirm, sign, passes(2_000))],
    "replaced, and never broadcast": [
      "FAILED/signed",
      inTurn(delivers("never-left", confirm, sign, passes(1_500)), spendsNonce, passes(30_000)),
    ],
    "replaced, or not": [
      "UNKNOWN/broadcast",
      inTurn(delivers("swallowed", confirm, sign, passes(2_000)), spendsNonce, passes(40_000)),
    ],
    "expired with its request": ["EXPIRED/withdrawn", inTurn(confirm, passes(75_000))],
    "expired as a card": ["EXPIRED/none", passes(31_000)],
    "cancelled with its request": ["CANCELED/withdrawn", closes(cancel)],
    "cancelled after its signature": [
      "CANCELED/signed",
      inTurn(delivers("never-left", confirm, sign, passes(1_500)), cancel),
    ],
    superseded: ["SUPERSEDED/withdrawn", closes(priced("worse", sign))],
    refreshed: ["SUPERSEDED/none", refresh],
    "without a price": ["FAILED/none", priced("away", confirm)],
    "given up after its end": ["CANCELED/abandoned", inTurn(closes(cancel), forgets)],
    "given up unknown": [
      "UNKNOWN/abandoned",
      inTurn(delivers("swallowed", confirm, sign, passes(2_000)), spendsNonce, passes(40_000), forgets),
    ],
  },
};

/** A world in which an intent has reached a station. */
async function at(gateway: GatewayKind, station: string) {
  const world = await createWorld(gateway);
  const id = await world.open();
  const [name, way] = stations[gateway][station]!;
  await way(world, id);
  Object.assign(world.shared, { price: "holds", hangs: false });
  Object.assign(world.chain, { isAway: false, delivery: "answered" });
  expect(await world.nameOf(id)).toBe(name);
  return { world, id };
}

/** An event, as often as its update is delivered: again after a death. */
async function happen(world: World, id: string, event: Event): Promise<void> {
  await events[event](world, id);
  if (await world.restartIfDead()) await events[event](world, id);
}

/** Lets everything come to its end. @returns what was wrong. */
async function endOf(world: World): Promise<readonly string[]> {
  await world.settle();
  await world.stop();
  return world.faults();
}

const cases = (["query", "wallet"] as const).flatMap((gateway) =>
  Object.keys(stations[gateway]).map((station) => [gateway, station] as const),
);

const SHARE = process.env["FULL"] === undefined ? 0.1 : 1;
/** Where this test has found something. */
const onceWrong = ["a broadcast refused later: a freeze", "a broadcast refused later: an operator pauses"];

describe.each(cases)("%s: %s", (gateway, station) => {
  const random = seededRandom(`${gateway} ${station}`);
  // All of them in `npm run test:full`, a tenth in `npm test`, by its seed.
  const chosen = eventNames.filter((event) => random() < SHARE || onceWrong.includes(`${station}: ${event}`));

  it("is claimed once, sent once and true in the end, whatever happens and whenever the process dies", async () => {
    const faults: string[] = [];
    for (const event of chosen) {
      const { world, id } = await at(gateway, station);
      const [before, commits] = [world.shared.moments, world.shared.commits.length];
      await happen(world, id, event);
      const isMoved = world.shared.commits.length > commits;
      faults.push(...(await endOf(world)).map((fault) => `${event}: ${fault}`));
      // What follows an event that changes nothing is the same as without it.
      const moments = isMoved || event === "nothing" ? world.shared.moments - before : 0;
      for (let moment = 0; moment < moments; moment += 1) {
        const again = await at(gateway, station);
        again.world.shared.diesAt = again.world.shared.moments + moment;
        await happen(again.world, again.id, event);
        faults.push(...(await endOf(again.world)).map((fault) => `${event}, death ${moment}: ${fault}`));
      }
    }
    expect(faults).toEqual([]);
  });
});

describe("any events in any order", () => {
  const step = fc.record({
    event: fc.constantFrom(...eventNames),
    pause: fc.constantFrom(0, 0, 1_000, 6_000, 16_000, 70_000),
    /** Whether the process dies at one of the next changes. */
    death: fc.option(fc.nat(3), { nil: undefined, freq: 4 }),
    card: fc.nat(1),
  });

  it.each(["query", "wallet"] as const)(
    "%s: each card is claimed once, sent once and true in the end",
    async (gateway) => {
      const walks = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const world = await createWorld(gateway);
        const ids = [await world.open(), await world.open()];
        for (const { event, pause, death, card } of steps) {
          if (death !== undefined) world.shared.diesAt = world.shared.moments + death;
          await happen(world, ids[card]!, event);
          await world.clock.advance(pause);
          await world.restartIfDead();
        }
        expect(await endOf(world)).toEqual([]);
      });
      await fc.assert(walks, { numRuns: often(500) });
    },
  );
});
