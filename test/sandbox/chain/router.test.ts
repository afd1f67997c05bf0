import { describe, expect, it } from "vitest";
import { bytesOf, textOf, type Address } from "../../../sandbox/chain/address.js";
import type { WorldJson } from "../../../sandbox/world.js";
import {
  addresses,
  alice,
  bob,
  emptyWorld,
  founder,
  localChain,
  numberOf,
  pairAddresses,
  paymentsOf,
  type LocalChain,
} from "./local-chain.js";

const [FIRST_PAIR, SECOND_PAIR, OTHER] = pairAddresses;
type Router = WorldJson["router"];

function start(router: Partial<Router> = {}, change: Partial<WorldJson> = {}): LocalChain {
  const balances = { KLV: "1000000000", KFI: "1000000000", "ABC-1A2B": "1000000000" };
  return localChain(
    emptyWorld({
      accounts: [
        { address: alice, balances: { ...balances, "LKTOK-1A2B/1": "500" } },
        { address: bob, balances },
      ],
      lockedNonces: [{ tokenId: "LKTOK-1A2B", nonce: "1", originalTokenId: "LPT-0000", unlockEpoch: "40" }],
      router: { ...emptyWorld().router, ...router },
      pairs: [
        {
          address: FIRST_PAIR,
          firstToken: "ABC-1A2B",
          secondToken: "KLV",
          reserveFirst: "1000000",
          reserveSecond: "2000000",
        },
        {
          address: SECOND_PAIR,
          firstToken: "KLV",
          secondToken: "KFI",
          reserveFirst: "5000000",
          reserveSecond: "3000000",
        },
      ],
      ...change,
    }),
  );
}

const string = (text: string) => `string:${text}`;
const address = (text: string) => `address:${text}`;

describe("createPair", () => {
  it("makes an empty, inactive pair of the caller at a contract's address that nobody has yet", async () => {
    const local = start();
    const result = await local.call("router", "createPair", [string("KFI"), string("ABC-1A2B")], { caller: bob });
    expect(result.data[0]).toMatch(/^00000000000000000500[0-9a-f]{40}c3e6$/);
    const created = textOf(Buffer.from(result.data[0]!, "hex"));
    expect(local.chain.pools().find((pool) => pool.address === created)).toEqual({
      address: created,
      firstToken: "KFI",
      secondToken: "ABC-1A2B",
      reserveFirst: "0",
      reserveSecond: "0",
      lpSupply: "0",
      totalFeePercent: "300",
      state: "Inactive",
    });
    for (const tokens of [
      ["KFI", "ABC-1A2B"],
      ["ABC-1A2B", "KFI"],
    ]) {
      expect((await local.call("router", "getPair", tokens.map(string))).data).toEqual(result.data);
    }
    const again = await local.call("router", "createPair", [string("DVK-34ZH"), string("KFI")], { caller: bob });
    expect(again.data[0]).not.toBe(result.data[0]);
  });

  it.each<[string, Partial<Router>, readonly string[], string]>([
    ["a paused router, first of all", { active: false, pairCreationEnabled: false }, ["KLV", "KLV"], "Not active"],
    [
      "anyone but the owner while creation is off",
      { pairCreationEnabled: false },
      ["KLV", "KLV"],
      "Pair creation is disabled",
    ],
    ["identical tokens", {}, ["abc", "abc"], "Identical tokens"],
    ["a first id of the wrong form", {}, ["abc", "xyz"], "First Token ID is not a valid esdt token ID"],
    ["a second id of the wrong form", {}, ["KLV", "xyz"], "Second Token ID is not a valid esdt token ID"],
    ["a pair that exists", {}, ["KLV", "KFI"], "Pair already exists"],
    ["a pair that exists the other way round", {}, ["KFI", "KLV"], "Pair already exists"],
  ])("refuses %s", async (_, router, tokens, text) => {
    const result = await start(router).call("router", "createPair", tokens.map(string), { caller: bob });
    expect(result).toMatchObject({ ok: false, code: "VMUserError", text });
  });

  it("lets the owner create pairs at any time", async () => {
    const local = start({ pairCreationEnabled: false });
    expect(
      (await local.call("router", "createPair", [string("KFI"), string("ABC-1A2B")], { caller: founder })).ok,
    ).toBe(true);
  });
});

describe("issueLpToken and setLocalRoles", () => {
  const issue = (local: LocalChain, pair: Address, caller: Address, ticker = "LPKFIABC") =>
    local.call("router", "issueLpToken", [address(pair), string("LpToken"), string(ticker)], { caller });

  async function created(router: Partial<Router> = {}): Promise<{ local: LocalChain; pair: Address }> {
    const local = start(router);
    const result = await local.call("router", "createPair", [string("KFI"), string("ABC-1A2B")], { caller: alice });
    return { local, pair: textOf(Buffer.from(result.data[0]!, "hex")) };
  }

  it("issues a token whose initial units go to the router and have no part in the pair", async () => {
    const { local, pair } = await created();
    expect(await issue(local, pair, alice)).toMatchObject({ ok: true, data: [] });
    const { lpToken, lpSupply } = local.chain.pools().at(-1)!;
    expect(lpToken).toMatch(/^LPKFIABC-[0-9A-Z]{4}$/);
    expect(lpSupply).toBe("0");
    expect(local.balance(addresses.router, lpToken!)).toBe(1000n);
    expect(local.chain.snapshot().tokens.at(-1)).toEqual({
      id: lpToken,
      name: "LpToken",
      precision: 6,
      kind: "fungible",
    });
    expect((await issue(local, pair, alice)).text).toBe("LP Token already issued");
    expect((await issue(local, pair, bob)).text).toBe("LP Token already issued");
  });

  it("is the creator's alone for the temporary owner's period, even against the router's owner", async () => {
    const { local, pair } = await created({ temporaryOwnerBlocks: 50 });
    local.chain.advanceBlocks(49);
    expect((await issue(local, pair, founder)).text).toBe("Temporary owner differs");
    local.chain.advanceBlocks(1);
    expect((await issue(local, pair, bob)).ok).toBe(true);
  });

  it("costs what the world says, paid by the caller", async () => {
    const { local, pair } = await created({ lpIssueCost: "7000" });
    await issue(local, pair, alice);
    expect(local.balance(alice, "KLV")).toBe(1_000_000_000n - 7000n);
  });

  it("refuses what is no pair, and a ticker that cannot be one", async () => {
    const { local, pair } = await created();
    expect((await issue(local, OTHER, alice)).text).toBe("Not a pair SC");
    expect((await issue(local, pair, alice, "lp")).text).toBe("invalid ticker");
    const paused = start({ active: false });
    expect((await issue(paused, FIRST_PAIR, alice)).text).toBe("Not active");
    const closed = start({ pairCreationEnabled: false });
    expect((await issue(closed, FIRST_PAIR, alice)).text).toBe("Pair creation is disabled");
  });

  it("lets the pair mint only once it has the roles, which anyone can ask for", async () => {
    const { local, pair } = await created();
    expect((await local.call("router", "setLocalRoles", [address(pair)], { caller: bob })).text).toBe(
      "LP token not issued",
    );
    await issue(local, pair, alice);
    const deposit = () =>
      local.call(pair, "addInitialLiquidity", [], { caller: alice, value: "KFI=5000,ABC-1A2B=5000" });
    expect((await deposit()).text).toBe("action is not allowed");
    expect((await local.call("router", "setLocalRoles", [address(pair)], { caller: bob })).ok).toBe(true);
    expect((await deposit()).ok).toBe(true);
    expect((await local.call("router", "setLocalRoles", [address(OTHER)], { caller: bob })).text).toBe("Not a pair SC");
  });
});

describe("multiPairSwap", () => {
  const hop = (pair: string, kind: "Input" | "Output" | "Nothing", token: string, amount: string) => [
    address(pair),
    string(`swapTokensFixed${kind}`),
    string(token),
    `BigUint:${amount}`,
  ];
  const swap = (local: LocalChain, value: string | undefined, ...hops: string[][]) =>
    local.call("router", "multiPairSwap", hops.flat(), { caller: alice, ...(value !== undefined && { value }) });

  it("returns residua in the order of the hops and the final output last, in one entry", async () => {
    const local = start();
    const hops = [hop(FIRST_PAIR, "Output", "KLV", "10000"), hop(SECOND_PAIR, "Output", "KFI", "5000")];
    const result = await swap(local, "ABC-1A2B=9000", ...hops);
    // 5041 of the 9000 and 8373 of the 10000 are needed: floor(r * out * 100000 / ((r' - out) * 99700)) + 1.
    expect(result.data.map(paymentsOf)).toEqual([["ABC-1A2B=3959", "KLV=1627", "KFI=5000"]]);
    expect([local.balance(alice, "ABC-1A2B"), local.balance(alice, "KLV"), local.balance(alice, "KFI")]).toEqual([
      1_000_000_000n - 5041n,
      1_000_001_627n,
      1_000_005_000n,
    ]);
  });

  it("mixes both kinds over four hops", async () => {
    const local = start();
    const there = [hop(FIRST_PAIR, "Input", "KLV", "1"), hop(SECOND_PAIR, "Output", "KFI", "100")];
    const back = [hop(SECOND_PAIR, "Input", "KLV", "1"), hop(FIRST_PAIR, "Input", "ABC-1A2B", "1")];
    const result = await swap(local, "ABC-1A2B=1000", ...there, ...back);
    expect(paymentsOf(result.data[0]).map((payment) => payment.split("=")[0])).toEqual(["KLV", "ABC-1A2B"]);
  });

  it.each([[true], [false]])("keeps residua of zero when the world says so: %s", async (keepZeroResidua) => {
    const local = start({}, { options: { keepZeroResidua } });
    const result = await swap(local, "ABC-1A2B=5041", hop(FIRST_PAIR, "Output", "KLV", "10000"));
    expect(paymentsOf(result.data[0])).toEqual(keepZeroResidua ? ["ABC-1A2B=0", "KLV=10000"] : ["KLV=10000"]);
  });

  it.each<[string, string | undefined, string[][], string]>([
    ["a locked token", "LKTOK-1A2B/1=5", [], "Invalid nonce. Should be zero"],
    ["nothing", "KLV=0", [], "Invalid amount. Should not be zero"],
    ["no payment", undefined, [], "Invalid amount. Should not be zero"],
    ["no hop", "KLV=5", [], "Invalid swap operations chain. Should not be empty"],
    ["what is no pair", "KLV=5", [hop(OTHER, "Nothing", "KFI", "1")], "Not a pair SC"],
    ["another function", "KLV=5", [hop(SECOND_PAIR, "Nothing", "KFI", "1")], "Invalid function to call"],
    [
      "part of a hop",
      "KLV=5",
      [hop(SECOND_PAIR, "Input", "KFI", "1").slice(0, 3)],
      "argument decode error (var args): too few arguments",
    ],
    [
      "a second hop below its floor",
      "ABC-1A2B=1000",
      [hop(FIRST_PAIR, "Input", "KLV", "1"), hop(SECOND_PAIR, "Input", "KFI", "99999")],
      "Slippage exceeded",
    ],
  ])("refuses %s and changes nothing", async (_, value, hops, text) => {
    const local = start();
    const before = local.fingerprint();
    expect(await swap(local, value, ...hops)).toMatchObject({ ok: false, text });
    expect(local.fingerprint()).toBe(before);
  });

  it("refuses everything while the router is paused", async () => {
    expect((await swap(start({ active: false }), "LKTOK-1A2B/1=5")).text).toBe("Not active");
  });
});

describe("enabling a user's pair", () => {
  const config = { commonToken: "KLV", lockedToken: "LKTOK-1A2B", minValue: "500", minPeriodEpochs: "30" };
  const userPair = {
    address: OTHER,
    firstToken: "DVK-34ZH",
    secondToken: "KLV",
    reserveFirst: "4000",
    reserveSecond: "2000",
    lpSupply: "2000",
    lpToken: "LPT-0000",
    state: "PartialActive",
    initialLiquidityAdder: alice,
  } as const;
  const ready = { commonTokens: ["KLV"], enableSwapByUser: [config] };
  const world = (pair: object = {}, router: Partial<Router> = ready, change: Partial<WorldJson> = {}) =>
    start(router, { chain: { epoch: 10 }, pairs: [{ ...userPair, ...pair }], ...change });
  const enable = (local: LocalChain, value = "LKTOK-1A2B/1=500", caller = alice, pair: string = OTHER) =>
    local.call("router", "setSwapEnabledByUser", [address(pair)], { caller, value });

  it("opens the pair at the user's fee when value and period are exactly the thresholds, and returns the locked token", async () => {
    const local = world();
    expect(await enable(local)).toMatchObject({ ok: true, data: [] });
    expect(local.chain.pools()[0]).toMatchObject({ state: "Active", totalFeePercent: "1000" });
    expect(local.balance(alice, "LKTOK-1A2B/1")).toBe(500n);
    expect((await enable(local)).text).toBe("Pair not in ActiveNoSwaps state");
  });

  it("values the first token where both are common", async () => {
    const both = { ...config, commonToken: "DVK-34ZH", minValue: "1001" };
    const local = world({}, { commonTokens: ["KLV", "DVK-34ZH"], enableSwapByUser: [config, both] });
    // 500 LP units of 2000 are 1000 of the 4000.
    expect((await enable(local)).text).toBe("Not enough value locked");
  });

  it.each<[string, LocalChain, Parameters<typeof enable> extends [unknown, ...infer Rest] ? Rest : never, string]>([
    ["a paused router", world({}, { ...ready, active: false }), [], "Not active"],
    ["what is no pair", world(), [undefined, undefined, SECOND_PAIR], "Not a pair SC"],
    ["a pair that is open", world({ state: "Active" }), [], "Pair not in ActiveNoSwaps state"],
    ["the native token", world(), ["KLV=5"], "incorrect number of KDA transfers"],
    ["a token without attributes", world(), ["KFI=5"], "Error decoding attributes"],
    ["a pair without LP token", world({ lpToken: undefined }), [], "Invalid LP token received from pair"],
    ["a lock of something else", world({ lpToken: "LPT-1111" }), [], "Invalid locked LP token"],
    [
      "a pair of uncommon tokens",
      world({}, { ...ready, commonTokens: ["KFI"] }),
      [],
      "Invalid tokens in Pair contract",
    ],
    ["a common token without conditions", world({}, { commonTokens: ["KLV"] }), [], "No config set"],
    ["too little", world(), ["LKTOK-1A2B/1=499"], "Not enough value locked"],
    ["too short a time", world({}, ready, { chain: { epoch: 11 } }), [], "Token not locked for long enough"],
    ["a time that is over", world({}, ready, { chain: { epoch: 90 } }), [], "Token not locked for long enough"],
    [
      "a pair that nobody may open",
      world({ initialLiquidityAdder: undefined }),
      [],
      "No initial liq adder was set for pair",
    ],
    [
      "anyone but who added the liquidity",
      world({ initialLiquidityAdder: bob }),
      [],
      "Caller is not the initial liq adder",
    ],
  ])("refuses %s and keeps nothing", async (_, local, args, text) => {
    const before = local.fingerprint();
    expect(await enable(local, ...args)).toMatchObject({ ok: false, text });
    expect(local.fingerprint()).toBe(before);
  });

  it("has conditions for each common token, set by the owner alone", async () => {
    const local = start({ commonTokens: ["KLV"] });
    const set = (common: string, locked: string, caller: Address) =>
      local.call("router", "configEnableByUserParameters", [string(common), string(locked), "BigUint:0", "u64:9"], {
        caller,
      });
    const read = () => local.call("router", "getEnableSwapByUserConfig", [string("KLV")]);
    expect((await set("abc", "LKTOK-1A2B", alice)).text).toBe("Endpoint can only be called by owner");
    expect((await set("abc", "LKTOK-1A2B", founder)).text).toBe("Invalid locked token ID");
    expect((await set("KLV", "abc", founder)).text).toBe("Invalid locked token ID");
    expect((await set("KFI", "LKTOK-1A2B", founder)).text).toBe("Common token not whitelisted");
    expect((await read()).text).toBe("No config set");
    expect((await set("KLV", "LKTOK-1A2B", founder)).ok).toBe(true);
    // Length and text of the id, length and bytes of zero, eight bytes of the period.
    expect((await read()).data).toEqual([
      `0000000a${Buffer.from("LKTOK-1A2B").toString("hex")}000000000000000000000009`,
    ]);
  });
});

describe("the router's views", () => {
  it("list the pairs in the order of their creation", async () => {
    const local = start({ commonTokens: ["KLV", "KFI"], temporaryOwnerBlocks: 50, pairCreationEnabled: false });
    const asked = async (name: string) => (await local.call("router", name)).data;
    const nested = (text: string) => `${text.length.toString(16).padStart(8, "0")}${Buffer.from(text).toString("hex")}`;
    const hexes = [FIRST_PAIR, SECOND_PAIR].map((pair) => bytesOf(pair).toString("hex"));
    const tokens = [nested("ABC-1A2B") + nested("KLV"), nested("KLV") + nested("KFI")];
    expect(await asked("getAllPairsManagedAddresses")).toEqual(hexes);
    expect(await asked("getAllPairTokens")).toEqual(tokens);
    expect(await asked("getAllPairContractMetadata")).toEqual(tokens.map((each, index) => each + hexes[index]!));
    expect(await asked("getCommonTokensForUserPairs")).toEqual(["4b4c56", "4b4649"]);
    expect((await asked("getTemporaryOwnerPeriod")).map(numberOf)).toEqual([50n]);
    expect(await asked("getPairCreationEnabled")).toEqual([""]);
    expect(await asked("getState")).toEqual(["01"]);
  });
});
