import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadWorld, type WorldJson } from "../../sandbox/world.js";
import { addresses, alice, defaultWorld, emptyWorld, founder, localChain, pairAddresses } from "./chain/local-chain.js";

const pair = { address: pairAddresses[0], firstToken: "KLV", secondToken: "KFI" };

describe("a world", () => {
  it("gives each pair its reserves and the rest of its liquidity to the router's owner", () => {
    const accounts = [{ address: alice, balances: { "LPT-0000": "300" } }];
    const pairs = [{ ...pair, reserveFirst: "7", reserveSecond: "8", lpToken: "LPT-0000", lpSupply: "2000" }];
    const local = localChain(emptyWorld({ accounts, pairs }));
    expect(local.balance(pair.address, "KLV")).toBe(7n);
    expect([pair.address, alice, founder].map((owner) => local.balance(owner, "LPT-0000"))).toEqual([
      1000n,
      300n,
      700n,
    ]);
  });

  it("backs the locked tokens that accounts hold", () => {
    const local = localChain(
      emptyWorld({
        accounts: [{ address: alice, balances: { "LKTOK-1A2B/4": "300" } }],
        lockedNonces: [
          { tokenId: "LKTOK-1A2B", nonce: "4", originalTokenId: "KFI", unlockEpoch: "9" },
          // The token of another lock, which this one need not back.
          { tokenId: "ABC-1A2B", nonce: "1", originalTokenId: "KFI", unlockEpoch: "9" },
        ],
      }),
    );
    expect(local.balance(addresses.simpleLock, "KFI")).toBe(300n);
    expect(local.balance(addresses.simpleLock, "LKTOK-1A2B/4")).toBe(1n);
    expect(local.balance(addresses.simpleLock, "ABC-1A2B/1")).toBe(0n);
  });

  it.each<[string, Partial<WorldJson> | Record<string, unknown>, RegExp]>([
    ["an unknown field", { colour: "red" }, /colour/],
    ["an account's address with a wrong checksum", { accounts: [{ address: `${alice.slice(0, -1)}q` }] }, /checksum/],
    ["an amount that is not whole", { accounts: [{ address: alice, balances: { KLV: "1.5" } }] }, /KLV/],
    ["a balance that is no asset", { accounts: [{ address: alice, balances: { "KLV/0": "1" } }] }, /KLV\/0/],
    [
      "a balance of an unknown token",
      { accounts: [{ address: alice, balances: { "XYZ-0000": "1" } }] },
      /XYZ-0000 is not among the tokens/,
    ],
    [
      "a pair of an unknown token",
      { pairs: [{ ...pair, secondToken: "XYZ-0000" }] },
      /XYZ-0000 is not among the tokens/,
    ],
    ["an account's address for a pair", { pairs: [{ ...pair, address: alice }] }, /not a contract/],
    ["two contracts at one address", { pairs: [{ ...pair, address: addresses.router }] }, /same address/],
    ["another first-liquidity rule", { options: { firstLiquidityRule: "max" } }, /firstLiquidityRule/],
  ])("is refused for %s", (_, change, text) => {
    expect(() => loadWorld({ ...emptyWorld(), ...change })).toThrow(text);
  });

  it("is built in, with the users and pools that the sandbox shows", () => {
    const { accounts, pairs, tokens } = loadWorld(defaultWorld());
    expect(accounts.flatMap(({ name, telegramId }) => (telegramId === undefined ? [] : [[name, telegramId]]))).toEqual([
      ["Alice", 1001],
      ["Bob", 1002],
      ["Carol", 1003],
    ]);
    expect(pairs.every(({ state, reserveFirst }) => state === "Active" && reserveFirst > 0n)).toBe(true);
    const listed = JSON.parse(readFileSync(new URL("../../data/tokens.json", import.meta.url), "utf8")) as unknown[];
    for (const token of listed) expect(tokens).toContainEqual(token);
  });
});
