import { expect, it } from "vitest";
import { createChain, type Chain } from "../../../sandbox/chain/chain.js";
import { assetAnswer } from "../../../sandbox/chain/asset.js";
import { withIssuers } from "../../../sandbox/issuers.js";
import { loadWorld, type WorldJson } from "../../../sandbox/world.js";
import { parseAddress, type Address } from "../../../src/encoding/address.js";
import { contractCall, wireBody, type ContractCall } from "../../../src/encoding/call.js";
import { Fault } from "../../../src/fault.js";
import { betweenByRoute, betweenBySwap } from "../../../src/services/market/token-way.js";
import { rightsInTrade, type GivenOut } from "../../../src/services/market/trade-rights.js";
import { defaultWorld } from "../../support/sandbox-desk.js";
import { seededRandom } from "../../support/seed.js";
import { alice, operator } from "../samples.js";
import { readerOver } from "./rights-samples.js";

const club = "CLUB-9C4M";
const base = withIssuers(defaultWorld);
const second = parseAddress("klv1qqqqqqqqqqqqqpgqvlpp67xn96y7g0u674g2kpnphsth9nfgs00qerzjyu");
const first = parseAddress(base.pairs!.find(({ secondToken }) => secondToken === club)!.address);
/** With a second pair, so that a route can pass it on. */
const world: WorldJson = {
  ...base,
  pairs: [
    ...base.pairs!,
    {
      address: second,
      firstToken: club,
      secondToken: "KFI",
      reserveFirst: "400000000000",
      reserveSecond: "400000000000",
    },
  ],
};
const settings = {
  referralAddress: operator,
  referralContract: parseAddress(base.referral.address),
  routerContract: parseAddress(base.router.address),
};
const hands: readonly Address[] = [alice, ...Object.values(settings), first, second];

type Hop = readonly [pair: Address, wanted: string];
const swap = (from: string, to: string, units: bigint) =>
  contractCall(
    { contract: "referral", address: settings.referralContract },
    "swap",
    {
      referral_address: settings.referralAddress,
      referral_percentage: 1000n,
      token_in: from,
      token_out: to,
      amount_out_min: 1n,
      amount_out_destination: alice,
    },
    [{ tokenId: from, units }],
  );
const route = (from: string, hops: readonly Hop[], units: bigint) =>
  contractCall(
    { contract: "router", address: settings.routerContract },
    "multiPairSwap",
    {
      swap_operations: hops.map(([pair_address, token_wanted]) => ({
        ...{ pair_address, token_wanted, amount_wanted: 1n },
        function: "swapTokensFixedInput" as const,
      })),
    },
    [{ tokenId: from, units }],
  );

/** Each way to buy, the same way back, and what the card of the purchase is told of it. */
const ways: readonly {
  readonly name: string;
  readonly bought: string;
  readonly buys: ContractCall;
  readonly sells: (units: bigint) => ContractCall;
  readonly givenOut: readonly GivenOut[];
  readonly between: ReturnType<typeof betweenBySwap>;
}[] = [
  {
    name: "swap",
    bought: club,
    buys: swap("KLV", club, 1_000_000n),
    sells: (units) => swap(club, "KLV", units),
    givenOut: [{ tokenId: club, pairs: [{ address: first, first: "KLV", second: club }] }],
    between: betweenBySwap(settings, alice),
  },
  {
    name: "route",
    bought: club,
    buys: route("KLV", [[first, club]], 1_000_000n),
    sells: (units) => route(club, [[first, "KLV"]], units),
    givenOut: [{ tokenId: club, pairs: [{ address: first, first: "KLV", second: club }] }],
    between: betweenByRoute(settings, alice),
  },
  {
    name: "route that passes it on",
    bought: "KFI",
    buys: route(
      "KLV",
      [
        [first, club],
        [second, "KFI"],
      ],
      1_000_000n,
    ),
    sells: (units) =>
      route(
        "KFI",
        [
          [second, club],
          [first, "KLV"],
        ],
        units,
      ),
    givenOut: [
      {
        tokenId: club,
        pairs: [{ address: first, first: "KLV", second: club }],
        taker: { address: second, first: club, second: "KFI" },
      },
    ],
    between: betweenByRoute(settings, alice),
  },
];

/** Whether the chain lets it be bought, and then sold the same way. Leaves the chain as it was. */
function isSoldAgain(chain: Chain, { bought, buys, sells }: (typeof ways)[number]): boolean {
  const before = chain.keep();
  const held = () => chain.state.ledger.balance(alice, { tokenId: bought, nonce: 0n });
  const passes = (call: ContractCall) => {
    const answer = chain.query(wireBody(call, alice));
    expect(answer.status).toBe(200);
    return (answer.body as { data: { returnCode: string } }).data.returnCode === "ok";
  };
  const had = held();
  const done = passes(buys) && passes(sells(held() - had));
  chain.restore(before);
  return done;
}

it("is judged as the chain does it, step by step, whoever has which role", async () => {
  const chain = createChain(loadWorld(world), { clock: { now: () => 0 } });
  const random = seededRandom("roles along a token's way");
  const issued = chain.state.issued.get(club)!;
  const seen: Record<string, number> = {};
  for (let n = 0; n < 200; n += 1) {
    const Roles = hands.map((Address) => ({
      ...{ Address, HasRoleMint: false },
      ...{ HasRoleTransfer: random() < 0.5, HasRoleDeposit: random() < 0.5 },
    }));
    chain.issue(club, { ...issued, Roles });
    const text = await assetAnswer(chain.state, club).text();
    const told = new Map([[club, await readerOver(() => ({ text })).known(club)]]);
    for (const way of ways) {
      const trade = { paid: "KLV", bought: way.bought, givenOut: way.givenOut };
      let word = "none";
      try {
        const { closedSteps = [] } = rightsInTrade(told, trade, way.between);
        if (closedSteps.length > 0) word = "asked";
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        word = "refused";
      }
      expect([n, way.name, Roles, word === "none"]).toEqual([n, way.name, Roles, isSoldAgain(chain, way)]);
      seen[`${way.name}: ${word}`] = (seen[`${way.name}: ${word}`] ?? 0) + 1;
    }
  }
  // Each of them is tried: a route has no steps in the middle that only ask.
  expect(Object.keys(seen).toSorted()).toEqual(
    ways.flatMap(({ name }) => [`${name}: asked`, `${name}: none`, `${name}: refused`]).toSorted(),
  );
});
