import { env } from "node:process";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/fault.js";
import { isDone, isSigned, isUnresolved, type Intent } from "../../../src/services/intent/intent.js";
import { isUnderWay } from "../../../src/services/intent/machine.js";
import { intentOf } from "../../../src/services/intent/intent-row.js";
import { readDca, type DcaRequest } from "../../../src/services/standing/dca-request.js";
import { readExit, type ExitRequest } from "../../../src/services/standing/exit-request.js";
import { readLimit, readStopLoss, type PriceOrderRequest } from "../../../src/services/standing/standing-request.js";
import { occurrenceOf } from "../../../src/services/standing/standing-calls.js";
import { standingIn } from "../../../src/services/terms/terms.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { poolOf } from "../market/pool-samples.js";
import type { SendOutcome } from "../intent/arrange.js";
import { alice, kfi, operator } from "../samples.js";
import { seededRandom } from "../../support/seed.js";
import { createStandingWorld, DAY, HOUR, MINUTE, OWNER } from "./standing-world.js";

const fault = new Fault("service-timeout", { service: "node" });
const outcomes: readonly SendOutcome[] = [
  { kind: "ok", returnData: [] },
  { kind: "failed", text: "no" },
  { kind: "unknown", fault },
  { kind: "unknown", fault },
  { kind: "not-sent", fault },
];

const runs = env["FULL"] === undefined ? 4 : 60;

/** What may have been executed, or isn't known not to be. */
const isActive = (intent: Intent) => isUnderWay(intent.state) || isUnresolved(intent) || isDone(intent);
const keyOf = (intent: Intent) => `${standingIn(intent.terms.request)?.id} ${occurrenceOf(intent)}`;

function countBy<Item>(items: readonly Item[], key: (item: Item) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

describe("any order of taps, offers, cancels, pauses, kills and unknown outcomes", () => {
  it.each([false, true])("never gives two calls of one order or occurrence (wallets sign: %s)", async (isWallet) => {
    const random = seededRandom(`standing-model-${isWallet}`);
    const below = (limit: number) => Math.floor(random() * limit);
    const pick = <Item>(items: readonly Item[]): Item | undefined => items[below(items.length)];
    let [claims, routes, refused, executed, most, parts] = [0, 0, 0, 0, 0, 0];
    // As many more as it takes until enough was tapped both ways, refused and executed.
    const isEnough = () =>
      claims > runs &&
      routes >= runs / 3 &&
      refused > runs / 2 &&
      // Where wallets sign, two parts of one exit are rarely carried out within a run.
      (isWallet ? executed > runs / 2 && parts > 0 : most > 1 && parts > 1);
    for (let run = 0; run < runs || (!isEnough() && run < 60); run += 1) {
      const world = createStandingWorld({ everySeconds: 7200, isWallet });
      let process = world.start();
      await world.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
      world.outcome = () => pick(outcomes)!;
      let price = 1_000_000n;
      /** A pool so deep that a route brings what the service quotes. */
      const goTo = (units: bigint) => {
        price = units;
        const reserves = [["KLV", 10n ** 17n] as const, ["KFI", units * 10n ** 9n] as const] as const;
        world.graph = createPoolGraph([poolOf(0, ...reserves, { feePercent: 0n })]);
      };
      goTo(price);
      world.price = (pay) =>
        pay.token.id === kfi.id ? (10n ** 8n * pay.units) / price : (price * pay.units) / 100_000_000n;
      world.holdings = { KFI: 5_000_000n, KLV: 10n ** 12n };
      const orders = [
        ["limit", readLimit("100 KLV KFI for 1.05", world.tokens)],
        ["stop", readStopLoss("1 KFI KLV at 90 KLV", world.tokens)],
        ["dca", readDca("50 KLV KFI daily 09:00 x9", world.tokens)],
        ["dca", readDca("60 KLV KFI every 2d 09:30 x5", world.tokens)],
        ["exit", readExit("3.000001 KFI KLV 33.33%@+4% 33.33%@+8% -6%", world.tokens)],
        ["exit", readExit("90 KLV KFI 50%@+5% trail 6%", world.tokens)],
      ] as const;
      const quantities = new Map<string, bigint>();
      for (const [, request] of orders) {
        const order = await process.standing.create(OWNER, request as DcaRequest | ExitRequest | PriceOrderRequest);
        if ("targets" in order.rule) quantities.set(order.id, order.rule.all.units);
      }
      /** Exits of which more was sold than they had. */
      const oversold = (calls: readonly Intent[]) =>
        [...quantities].filter(([id, all]) => {
          const own = calls.filter(({ terms }) => standingIn(terms.request)?.id === id);
          const sum = own.reduce((units, { terms }) => units + ("amountIn" in terms ? terms.amountIn.units : 0n), 0n);
          return sum > all;
        });
      /** Of the chain: each account's transactions that it has executed, of each nonce one at most. */
      const onChain = new Map<string, Intent>();
      const placeOf = ({ terms, transaction }: Intent) => `${terms.payout} ${transaction?.nonce}`;
      const nextOf = (account: string) => world.nonces[account] ?? 0n;
      const all = async () => (await world.disk.open().db.selectFrom("intents").selectAll().execute()).map(intentOf);

      const check = async () => {
        const intents = await all();
        if (isWallet) {
          // Two requests for one nonce of an account may be open; no more than one of them is ever executed.
          const done = [...onChain.values()];
          expect([...countBy(done, keyOf)].filter(([, count]) => count > 1)).toEqual([]);
          expect(oversold(done)).toEqual([]);
          parts = Math.max(parts, done.filter(({ terms }) => standingIn(terms.request)?.kind === "exit").length);
          return;
        }
        const active = intents.filter(isActive);
        expect([...countBy(active, keyOf)].filter(([, count]) => count > 1)).toEqual([]);
        expect(oversold(active)).toEqual([]);
        parts = Math.max(parts, active.filter(({ terms }) => standingIn(terms.request)?.kind === "exit").length);
        const open = active.filter((one) => !isDone(one));
        expect([...countBy(open, (one) => keyOf(one).split(" ")[0]!)].filter(([, count]) => count > 1)).toEqual([]);
        most = Math.max(most, active.length);
      };

      const tap = async (card: Intent | undefined) => {
        if (card === undefined) return;
        // Two taps, and the redelivery of one.
        const taps = [process.intents.confirm(OWNER, card.id), process.intents.confirm(OWNER, card.id)];
        const done = await Promise.all(taps);
        const isTaken = ({ kind }: (typeof done)[number]) => kind === "ended" || kind === "pending";
        claims += done.filter(isTaken).length;
        if (card.terms.kind === "multihop") routes += done.filter(isTaken).length;
        refused += done.filter(({ kind }) => kind === "refused").length;
      };
      /** A tap on 🔀, on an open card or an old one: what it opens is tapped, or turned again. */
      const turn = async () => {
        const isShown = ({ state, replacedBy }: Intent) =>
          (state === "QUOTED" || state === "EXPIRED") && replacedBy === undefined;
        const shown = (await all()).filter(isShown);
        const card = shown.find(({ state }) => state === "QUOTED") ?? pick(shown);
        let fresh = card && (await world.takeOther(process, card));
        if (fresh !== undefined && below(3) === 0) fresh = await world.takeOther(process, fresh);
        if (fresh === undefined) return;
        const [order] = keyOf(fresh).split(" ");
        const open = (await all()).filter((one) => one.state === "QUOTED" && keyOf(one).startsWith(`${order} `));
        expect(open.map(({ id }) => id)).toEqual([fresh.id]);
        if (below(3) > 0) await tap(fresh);
      };
      const actions: readonly (() => Promise<unknown>)[] = [
        () => world.clock.advance(below(2) === 0 ? below(HOUR) : below(8 * HOUR)),
        () => world.clock.advance(below(2) === 0 ? below(20 * MINUTE) : below(DAY)),
        async () => goTo(BigInt(850_000 + below(350_000))),
        // Somebody sells or moves some of what an exit has, or it isn't told.
        async () => {
          const held = pick([5_000_000n, 5_000_000n, 2_500_000n, 1_000_000n, undefined]);
          world.holdings = held === undefined ? undefined : { KFI: held, KLV: 10n ** 12n };
        },
        () => tap(world.cards().at(-1)),
        () => tap(world.cards().at(-1 - below(3))),
        async () => tap(pick(await all())),
        // A tap on an old card opens one that asks for the same, and is tapped again at once or never.
        async () => {
          const card = pick(world.cards());
          const fresh = card && (await world.renew(process, card));
          if (below(3) > 0) await tap(fresh);
        },
        turn,
        turn,
        async () => {
          const [one, other] = [pick(world.cards()), pick(world.cards())];
          const fresh = await Promise.all([one, other].flatMap((card) => (card ? [world.renew(process, card)] : [])));
          await Promise.all(fresh.map(tap));
        },
        async () => {
          const card = pick(world.cards());
          if (card !== undefined) await process.intents.cancel(OWNER, card.id);
        },
        async () => {
          const view = pick(await process.standing.list(OWNER));
          if (view !== undefined) await process.standing.pause(OWNER, view.order.id, below(2) === 0);
        },
        () =>
          world.person(process, ({ frozenSince: _since, ...person }) =>
            below(3) === 0 ? { ...person, frozenSince: 1 } : person,
          ),
        // What is unknown is settled, or marked by its owner.
        async () => {
          const unknown = pick((await all()).filter(isUnresolved));
          if (unknown === undefined) return;
          const at = world.clock.now();
          const finding = below(2) === 0 ? "arrived" : "not-arrived";
          await process.intents.markChecked(unknown, { at, by: finding === "arrived" ? "balances" : "owner", finding });
        },
        async () => {
          process.kill();
          process = world.start();
          await process.intents.recover();
        },
      ];
      const walletActions: readonly (() => Promise<unknown>)[] = [
        // The wallet executes what it was asked to sign at any time, and the bot learns of it, or not yet.
        async () => {
          const signed = (await all()).filter(isSigned);
          const isNext = ({ terms, transaction }: Intent) => transaction?.nonce === nextOf(terms.payout);
          const request = pick(signed.filter(isNext));
          if (request === undefined) return;
          onChain.set(placeOf(request), request);
          executed += 1;
          world.nonces[request.terms.payout] = nextOf(request.terms.payout) + 1n;
          if (below(2) === 0) await learn(request);
        },
        async () => {
          const seen = pick([...onChain.values()]);
          if (seen !== undefined) await learn(seen);
        },
        // Something else from the same account uses the nonce.
        async () => {
          const account = pick([alice, operator])!;
          if (below(4) === 0) world.nonces[account] = nextOf(account) + 1n;
        },
        // Another address takes effect, which closes what waits to be signed, and its owner goes on with it. What else
        // it has sent makes its next nonce that of the other one.
        async () => {
          const address = pick([alice, operator])!;
          world.nonces[address] = nextOf(alice) > nextOf(operator) ? nextOf(alice) : nextOf(operator);
          await world.person(process, (person) => ({ ...person, wallet: { address, since: world.clock.now() } }));
          for (const { id } of (await all()).filter(({ state }) => state === "SIGNING")) {
            await process.intents.requests.close(OWNER, id, "CANCELED");
            await process.intents.settle(OWNER, id);
          }
          await process.standing.look(OWNER);
          await world.clock.advance(MINUTE);
          await process.standing.resumeAll(OWNER);
          const card = pick(world.cards());
          if (card !== undefined) await tap(await world.renew(process, card));
        },
        async () => {
          const open = pick((await all()).filter(({ state }) => state === "SIGNING"));
          if (open === undefined) return;
          await process.intents.requests.close(OWNER, open.id, "EXPIRED");
          await process.intents.settle(OWNER, open.id);
        },
        // Nobody looks for it any more, though it hasn't been long.
        async () => {
          const ended = pick((await all()).filter(isSigned).filter(({ state }) => !isUnderWay(state)));
          if (ended !== undefined && below(3) === 0) await process.intents.requests.giveUp(OWNER, ended.id);
        },
      ];
      const learn = async (seen: Intent) => {
        const { id } = seen;
        for (const rival of (await all()).filter(isSigned)) {
          const isOther = rival.id !== id && placeOf(rival) === placeOf(seen);
          if (isOther && rival.state === "SIGNING") {
            await process.intents.requests.close(OWNER, rival.id, { code: "nonce-used" });
            await process.intents.settle(OWNER, rival.id);
          }
        }
        await process.intents.requests.sentByWallet(OWNER, id, "signature");
        await process.intents.settle(OWNER, id, { kind: "ok", returnData: [] });
      };

      const possible = isWallet ? [...actions, ...walletActions, ...walletActions] : actions;
      for (let step = 0; step < 60; step += 1) {
        await pick(possible)!();
        await check();
      }
      await process.stop();
    }
    expect({ claims, routes, refused, executed, most, parts, isEnough: isEnough() }).toMatchObject({ isEnough: true });
  });
});
