import { expect, it } from "vitest";
import type { SignedIntent } from "../../../src/services/intent/intent.js";
import { isUnderWay } from "../../../src/services/intent/machine.js";
import { serviceFaults } from "../../../sandbox/faults.js";
import { swapBody } from "../../sandbox/node/real-node.js";
import { seededRandom } from "../../support/seed.js";
import { until } from "../../support/until.js";
import { bigints } from "../../support/wallet-chat.js";
import { frozen, unfrozen } from "../intent/arrange.js";
import { owner, walletDesk } from "./wallet-world.js";

/** In `npm run test:full`, ten times as many. */
const WALKS = process.env["FULL"] === undefined ? 40 : 400;
const nodeServices = ["node", "node-build", "node-broadcast", "node-lookup"] as const;
/** Number of walks at once, each in its own world. */
const SIDE_BY_SIDE = 10;

type Desk = Awaited<ReturnType<typeof walletDesk>>;

interface Walk {
  readonly desk: Desk;
  readonly request: SignedIntent;
  /** As the page passes it to the wallet. */
  readonly transaction: unknown;
  readonly random: () => number;
  /** Names of the events so far. */
  readonly done: string[];
}

const byItself = "a wallet that broadcasts by itself";
const ownTransaction = "a transaction of the person's own";

/** What can happen to a request and its transaction at any time. */
const events: Readonly<Record<string, (walk: Walk) => unknown>> = {
  "a fault at the node": ({ desk, random }) => {
    const faults = serviceFaults.filter((fault) => fault !== "slow" && fault !== "hang");
    desk.sandbox.faults.next(pick(nodeServices, random), pick(faults, random), 1 + Math.floor(random() * 3));
  },
  "a kill": ({ desk }) => desk.restart(),
  "a block": ({ desk }) => desk.block(),
  "a rollback": ({ desk }) => desk.real.node.rollBack(1),
  "a pool that forgets": ({ desk }) => desk.real.node.emptyPool(),
  "a node that keeps nothing": ({ desk, random }) => desk.real.node.set({ losesBroadcasts: random() < 0.5 }),
  "the signature": ({ desk, request }) => desk.post(request),
  "the signature, three times at once": ({ desk, request }) => Promise.all([1, 2, 3].map(() => desk.post(request))),
  "another signature": ({ desk, request }) => desk.post(request, "00".repeat(64)),
  // At any time: what a wallet was shown can't be taken back.
  [byItself]: async ({ desk, transaction }) => {
    desk.real.node.broadcast({ tx: await desk.real.wallet.sign(transaction) });
  },
  [ownTransaction]: async ({ desk, request }) => {
    const body = bigints(swapBody({ nonce: Number(request.transaction.nonce) }, "02"));
    const { result } = desk.real.node.build(body, false) as { result: unknown };
    desk.real.node.broadcast({ tx: await desk.real.wallet.sign(result) });
  },
  "a freeze": ({ desk }) => desk.change(frozen),
  "the freeze taken back": ({ desk }) => desk.change(unfrozen),
  "a pause": ({ desk }) => desk.pause("a test"),
  "the pause taken back": ({ desk }) => desk.resume(),
  "a cancel": ({ desk, request }) => desk.intents().cancel(owner, request.id),
  "a refusal on the page": ({ desk, request }) => desk.desk().decline(request.transaction.token),
};

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}

it(`${WALKS} walks with random faults: cards and chain agree, and none stays unfinished`, async () => {
  const ends: string[] = [];
  const walks = Array.from({ length: SIDE_BY_SIDE }, async (_, line) => {
    const desk = await walletDesk();
    for (let count = 0; count < WALKS / SIDE_BY_SIDE; count += 1) {
      ends.push(await walk(desk, seededRandom(`walk ${line}.${count}`)));
    }
  });
  await Promise.all(walks);
  expect(ends).toHaveLength(WALKS);
  // Without both ends, the walks would prove less than they seem to.
  expect(ends).toEqual(expect.arrayContaining(["OK", "CANCELED"]));
}, 600_000);

async function walk(desk: Desk, random: () => number): Promise<string> {
  const done: string[] = [];
  const request = await desk.request();
  const asked = await desk.desk().request(request.transaction.token);
  if (asked.kind !== "open") throw new Error("it is not open");
  const happening = { desk, request, transaction: bigints(asked.transaction), random, done };
  for (let count = Math.floor(random() * 6); count >= 0; count -= 1) {
    const name = pick(Object.keys(events), random);
    done.push(name);
    try {
      await events[name]!(happening);
    } catch {
      // The node or the desk refused; the walk tests what that leads to.
    }
  }
  for (const service of nodeServices) desk.sandbox.faults.set(service, undefined);
  desk.real.node.set({ losesBroadcasts: false });
  await desk.resume();
  await desk.change(unfrozen);
  await desk.intents().cancel(owner, request.id);
  await desk.ended(request.id);
  // Out of reach of the next walk's rollbacks.
  desk.block(8);
  const onChain = () => desk.carriedOut().get(request.transaction.hash);
  let { state, outcome } = await desk.find(request.id);
  await until(
    async () => {
      ({ state, outcome } = await desk.find(request.id));
      return state === "OK" ? onChain() === "ok" : !isUnderWay(state) && onChain() !== "ok";
    },
    () => `${state} on the card, ${onChain()} on the chain, after ${done.join(", ")}`,
  );
  if (state === "UNKNOWN" && !done.includes(ownTransaction)) throw new Error(`unknown after ${done.join(", ")}`);
  return [state, outcome !== undefined && "code" in outcome ? outcome.code : ""].join(" ").trim();
}
