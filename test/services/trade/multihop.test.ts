import { describe, expect, test } from "vitest";
import { amountOf, type Amount } from "../../../src/encoding/amount.js";
import { wireBody } from "../../../src/encoding/call.js";
import { Fault } from "../../../src/fault.js";
import type { IntentOf } from "../../../src/services/intent/intent.js";
import type { StandingReference } from "../../../src/services/terms/standing-terms.js";
import type { MultihopTerms, MultihopRequest } from "../../../src/services/terms/swap-terms.js";
import { multihopKind, readMultihopOutcome } from "../../../src/services/trade/multihop.js";
import type { Person } from "../../../src/services/person/person.js";
import { readMultihop } from "../../../src/services/trade/swap-request.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import type { ToldRights } from "../../../src/services/market/token-rights.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { nested } from "../../encoding/nested.js";
import { poolAddress, poolOf } from "../market/pool-samples.js";
import { toldOf } from "../market/rights-samples.js";
import { alice, kfi, klv, person, referralContract, silent, testClock, unchecked } from "../samples.js";

const tokens = tokenListOf([klv, kfi]);
const routerContract = poolAddress(9);
const pool = poolOf(0, ["KLV", 1_000_000_000n], ["KFI", 1_000_000_000n]);

function multihopOver(...pools: (typeof pool)[]) {
  const graph = createPoolGraph(pools);
  const node = {
    fault: undefined as Fault | undefined,
    reread: [] as string[][],
    fresh: [] as number[],
    graph,
    rights: new Map<string, ToldRights>(),
    onReread: (_: readonly string[]) => {},
  };
  const read = async () => {
    if (node.fault !== undefined) throw node.fault;
    return graph;
  };
  const clock = testClock();
  const parts = {
    pools: {
      fresh: (maxAge: number) => {
        node.fresh.push(maxAge);
        return read();
      },
      reread: (addresses: readonly string[]) => {
        node.reread.push([...addresses]);
        node.onReread(addresses);
        return read();
      },
    },
    rights: { known: async (id: string) => node.rights.get(id) ?? ("untold" as const) },
    swaps: { quote: async () => Promise.reject(new Fault("quote-unreadable", {})) },
    balances: { areTold: () => false, known: async () => undefined, read: async () => ({}) },
    routerCheck: unchecked,
    tokens,
    clock,
    log: silent,
    settings: {
      ...{
        referralContract,
        routerContract,
        defaultSlippageBps: 100,
        maxSlippageBps: 1500,
        quoteTtlSeconds: 30,
        betterRouteBps: 50,
      },
      ...{ callIncludesCaller: false, keptForFees: 0n },
    },
  };
  return {
    prepare: (owner: Person, request: MultihopRequest) =>
      multihopKind.draft(parts, request, { userId: 1, person: owner }),
    recheck: (owner: Person, intent: IntentOf<"multihop">) => multihopKind.recheck(parts, intent, owner),
    node,
    clock,
  };
}

function request(line: string) {
  return readMultihop(line, tokens) as MultihopRequest<Amount>;
}

describe("a route's card", () => {
  test("has the documented call, and lives as long as a quote", async () => {
    const { prepare, clock } = multihopOver(pool);
    const draft = await prepare(person(), request("10 KLV KFI"));
    expect(wireBody(draft.call)).toEqual({
      scAddress: routerContract,
      funcName: "multiPairSwap",
      args: [`address:${pool.address}`, "string:swapTokensFixedInput", "string:KFI", "BigUint:9772864"],
      value: "KLV=10000000",
    });
    expect(draft.terms).toMatchObject({ payout: alice, slippageBps: 100, request: request("10 KLV KFI") });
    expect(draft.expiresAt).toBe(clock.now() + 30_000);
  });

  test("uses the user's slippage, up to the operator's maximum", async () => {
    const { prepare } = multihopOver(pool);
    expect((await prepare(person({ slippageBps: 50 }), request("10 KLV KFI"))).terms).toMatchObject({
      slippageBps: 50,
    });
    expect((await prepare(person({ slippageBps: 5000 }), request("10 KLV KFI"))).terms).toMatchObject({
      slippageBps: 1500,
    });
  });

  describe("of an order", () => {
    const of = (standing: Partial<StandingReference>): MultihopRequest<Amount> => {
      return { ...request("10 KLV KFI"), standing: { id: "order", kind: "limit", ...standing } };
    };
    // What the pool gives; no bot fee is taken of it.
    const given = 9_871_580n;

    test("has a limit's line as the minimum of its last hop, and isn't made below it", async () => {
      const { prepare } = multihopOver(pool);
      const least = amountOf(kfi, given);
      const { terms, call } = await prepare(person(), of({ least }));
      expect(terms).toMatchObject({ expectedOut: least, minimumOut: least, request: of({ least }) });
      expect(wireBody(call).args.at(-1)).toBe(`BigUint:${given}`);
      const low = await prepare(person(), of({ least: amountOf(kfi, 9_000_000n) }));
      expect(low.terms).toMatchObject({ minimumOut: amountOf(kfi, 9_772_864n) });
      const refused = prepare(person(), of({ least: amountOf(kfi, given + 1n) }));
      await expect(refused).rejects.toMatchObject({ code: "standing-price-back" });
    });

    test("is compared with a stop's line when it is made, and when it is confirmed", async () => {
      const { prepare, recheck, node } = multihopOver(pool);
      const at = (units: bigint) => of({ kind: "stop", most: amountOf(kfi, units) });
      await expect(prepare(person(), at(given - 1n))).rejects.toMatchObject({ code: "standing-price-back" });
      const draft = (await prepare(person(), at(given))) as IntentOf<"multihop">;
      expect(draft.terms).toMatchObject({ minimumOut: amountOf(kfi, 9_772_864n), request: at(given) });
      expect(await recheck(person(), draft)).toBeUndefined();
      node.graph.update({ ...pool, reserveSecond: pool.reserveSecond + 1_000n });
      await expect(recheck(person(), draft)).rejects.toMatchObject({ code: "standing-price-back" });
    });
  });

  test("shows an unlisted token in base units", async () => {
    const through = [
      poolOf(1, ["KLV", 1_000_000_000n], ["XXX-0000", 5_000n]),
      poolOf(2, ["XXX-0000", 5_000n], ["KFI", 1_000_000_000n]),
    ];
    const { terms } = await multihopOver(...through).prepare(person(), request("10 KLV KFI"));
    expect(terms).toMatchObject({ hops: [{ amountOut: { token: { id: "XXX-0000", kind: "fungible" } } }, {}] });
    expect(terms).not.toHaveProperty("hops.0.amountOut.token.precision");
  });

  describe("over a pair that gives out a token and doesn't take it back", () => {
    const through = [
      poolOf(1, ["KLV", 1_000_000_000n], ["XXX-0000", 5_000_000_000n]),
      poolOf(2, ["XXX-0000", 5_000_000_000n], ["KFI", 2_000_000_000n]),
    ];
    const limited = async (...allowed: readonly number[]) => {
      const roles = allowed.map((number) => ({
        ...{ Address: poolAddress(number), HasRoleTransfer: true, HasRoleDeposit: true },
      }));
      return toldOf({ Properties: { LimitTransfer: true }, Roles: roles });
    };

    test("isn't the one that the bot finds, although it pays more", async () => {
      const { prepare, node } = multihopOver(pool, ...through);
      const better = await prepare(person(), request("10 KLV KFI"));
      expect(better.terms).toMatchObject({ hops: [{ pair: through[0]!.address }, {}] });
      node.rights.set("XXX-0000", await limited(2));
      const around = await prepare(person(), request("10 KLV KFI"));
      expect(around.terms).toMatchObject({ hops: [{ pair: pool.address }] });
      node.rights.set("XXX-0000", await limited(1));
      expect((await prepare(person(), request("10 KLV KFI"))).terms).toMatchObject({ hops: [{ pair: pool.address }] });
      node.rights.set("XXX-0000", await limited(1, 2));
      const again = await prepare(person(), request("10 KLV KFI"));
      expect(again.terms).toMatchObject({ hops: [{ pair: through[0]!.address }, {}] });
    });

    test("is refused with the reason if there is no other, or if it ends there", async () => {
      const { prepare, node } = multihopOver(...through);
      node.rights.set("XXX-0000", await limited(2));
      const refusal = { code: "token-one-way", parameters: { token: "XXX-0000", pair: "KLV/XXX-0000" } };
      await expect(prepare(person(), request("10 KLV KFI"))).rejects.toMatchObject(refusal);
      const direct = multihopOver(pool);
      direct.node.rights.set("KFI", await limited());
      await expect(direct.prepare(person(), request("10 KLV KFI"))).rejects.toMatchObject({ code: "token-limited" });
    });

    test("is refused if only a contract that no route passes through takes it, and not if the router does", async () => {
      const { prepare, node } = multihopOver(pool);
      const taking = (Address: string) =>
        toldOf({
          Properties: { LimitTransfer: true },
          Roles: [{ Address, HasRoleTransfer: true, HasRoleDeposit: true }],
        });
      node.rights.set("KFI", await taking(referralContract));
      await expect(prepare(person(), request("10 KLV KFI"))).rejects.toMatchObject({ code: "token-limited" });
      node.rights.set("KFI", await taking(routerContract));
      expect((await prepare(person(), request("10 KLV KFI"))).terms).toMatchObject({ kind: "multihop" });
    });
  });

  test("shows pools that were read for it, and another route if that became the best", async () => {
    const other = poolOf(1, ["KLV", 1_000_000_000n], ["KFI", 990_000_000n]);
    const { prepare, node } = multihopOver(pool, other);
    node.onReread = ([address]) => {
      if (address === pool.address) node.graph.update({ ...pool, reserveSecond: 900_000_000n });
    };
    const { terms } = await prepare(person(), request("10 KLV KFI"));
    expect(terms).toMatchObject({ hops: [{ pair: other.address }] });
    expect(node.reread).toEqual([[pool.address], [other.address]]);
  });

  test("is refused only after the pools were read again", async () => {
    const { prepare, node } = multihopOver();
    await expect(prepare(person(), request("10 KLV KFI"))).rejects.toMatchObject({ code: "route-none" });
    expect(node.fresh).toEqual([20_000, 3000]);
  });

  test("counts only what isn't returned: of an exact amount, and what it is worth", async () => {
    // The pool has as many KLV as KFI, so what is spent is worth as many KFI.
    const { terms } = (await multihopOver(pool).prepare(person(), request("10 KLV KFI=9"))) as { terms: MultihopTerms };
    const [hop] = terms.hops;
    expect(terms.amountIn.units).toBeGreaterThan(hop!.spends!.expected.units);
    expect(terms.pools).toMatchObject({
      paid: amountOf(klv, hop!.spends!.expected.units),
      deepest: { worth: amountOf(kfi, hop!.spends!.expected.units) },
      own: { worth: amountOf(kfi, hop!.spends!.expected.units), feeBps: 30 },
    });
  });

  test("needs an address", async () => {
    const { wallet: _none, ...homeless } = person();
    await expect(multihopOver(pool).prepare(homeless, request("10 KLV KFI"))).rejects.toMatchObject({
      code: "wallet-missing",
    });
  });
});

describe("at confirm", () => {
  async function confirmed(line = "10 KLV KFI") {
    const made = multihopOver(pool);
    const draft = await made.prepare(person(), request(line));
    return { ...made, intent: { terms: draft.terms } as IntentOf<"multihop"> };
  }

  test("only the route's pools are read again, and a small move is accepted", async () => {
    const { recheck, intent, node } = await confirmed();
    node.graph.update({ ...pool, reserveSecond: 995_000_000n });
    node.reread.length = 0;
    expect(await recheck(person(), intent)).toBeUndefined();
    expect(node.reread).toEqual([[pool.address]]);
  });

  test("a larger move leads to a new card", async () => {
    const { recheck, intent, node } = await confirmed();
    node.graph.update({ ...pool, reserveSecond: 900_000_000n });
    expect(await recheck(person(), intent)).toMatchObject({
      terms: { kind: "multihop", request: request("10 KLV KFI") },
    });
  });

  test("an exact amount holds as long as the payment suffices", async () => {
    const { recheck, intent, node } = await confirmed("20 KLV KFI=10");
    node.graph.update({ ...pool, reserveSecond: 992_000_000n });
    expect(await recheck(person(), intent)).toBeUndefined();
    node.graph.update({ ...pool, reserveSecond: 980_000_000n });
    expect(await recheck(person(), intent)).toMatchObject({
      terms: { minimumOut: amountOf(kfi, 10_000_000n) },
    });
  });

  test("nothing is sent if the route is gone or its pools can't be read", async () => {
    const { recheck, intent, node } = await confirmed();
    node.graph.update({ ...pool, state: "Inactive" });
    await expect(recheck(person(), intent)).rejects.toMatchObject({ code: "route-none" });
    node.fault = new Fault("service-timeout", { service: "node" });
    await expect(recheck(person(), intent)).rejects.toBe(node.fault);
  });
});

describe("an answer", () => {
  const terms: MultihopTerms = {
    kind: "multihop",
    hops: [],
    amountIn: amountOf(klv, 100n),
    expectedOut: amountOf(kfi, 50n),
    minimumOut: amountOf(kfi, 49n),
    slippageBps: 100,
    priceImpactBps: 1,
    pools: {
      best: amountOf(kfi, 50n),
      path: ["KLV", "KFI"],
      paid: amountOf(klv, 100n),
      deepest: { worth: amountOf(kfi, 50n), path: ["KLV", "KFI"] },
    },
    payout: alice,
    request: { kind: "multihop", pay: amountOf(klv, 100n), from: klv, stops: [{ token: kfi }] },
  };
  const read = (returnData: readonly string[]) =>
    readMultihopOutcome({ terms, outcome: { kind: "ok", returnData } }, "hex");
  const list = (...payments: Parameters<typeof nested.payment>[0][]) => [payments.map(nested.payment).join("")];

  test("has the amount received last, after the change, if any", () => {
    const answer = list({ tokenId: "KLV", units: 7n }, { tokenId: "KLV", units: 0n }, { tokenId: "KFI", units: 49n });
    expect(read(answer)).toEqual({ received: amountOf(kfi, 49n), change: [amountOf(klv, 7n)] });
  });

  test.each([
    ["less than the minimum", list({ tokenId: "KFI", units: 48n })],
    ["another token", list({ tokenId: "KLV", units: 50n })],
    ["a numbered token", list({ tokenId: "KFI", nonce: 1n, units: 50n })],
    ["an empty list", [""]],
    ["nothing", []],
    ["no list of payments", ["zz"]],
  ])("%s is not believed", (_, returnData) => {
    expect(read(returnData)).toBeUndefined();
  });
});
