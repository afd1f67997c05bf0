import { describe, expect, test } from "vitest";
import type { ToldRights } from "../../../src/services/market/token-rights.js";
import {
  isRiskier,
  oneWayPair,
  rightsInTrade,
  type TradeRights,
  unsaidSigns,
} from "../../../src/services/market/trade-rights.js";
import { alice, operator, referralContract } from "../samples.js";
import { poolAddress } from "./pool-samples.js";
import { issued, pair, toldOf } from "./rights-samples.js";

const nobody = { contracts: [], account: undefined };
const told = (name: keyof typeof issued) => toldOf(issued[name]);
/** What a token's rights are once they can't be read again. */
const unreadNow = async (name: keyof typeof issued): Promise<ToldRights> => {
  const { now: _now, ...lasting } = (await told(name)) as Exclude<ToldRights, string | undefined>;
  return lasting;
};

describe("a token that couldn't be sold again", () => {
  test.each([
    ["nothing allowed", undefined],
    ["roles without a limit", undefined],
    ["the pair may send and receive", undefined],
    ["the pair may only receive", undefined],
    ["the pair is the owner", undefined],
    ["the pair may only send", { ...pair, isGivenOut: true }],
    ["the pair has no role", { ...pair, isGivenOut: false }],
  ] as const)("%s", async (name, found) => {
    expect(oneWayPair(await told(name), [pair], nobody)).toEqual(found);
  });

  test("is one as soon as one of the pairs that a trade may use doesn't take it back", async () => {
    const dust = { ...pair, address: poolAddress(1) };
    expect(oneWayPair(await told("the pair may send and receive"), [pair, dust], nobody)).toMatchObject(dust);
  });

  test("isn't one for who may send it anyway, or if a contract passes it on both ways", async () => {
    const role = (address: string, ...rights: string[]) => ({
      Address: address,
      ...Object.fromEntries(rights.map((right) => [right, true])),
    });
    const limited = (address: string, ...rights: string[]) =>
      toldOf({ Properties: { LimitTransfer: true }, Roles: [role(address, ...rights)] });
    const byAlice = await limited(alice, "HasRoleTransfer");
    expect(oneWayPair(byAlice, [pair], { contracts: [], account: alice })).toBeUndefined();
    expect(oneWayPair(byAlice, [pair], nobody)).toMatchObject({ isGivenOut: false });
    // Its owner has both roles without being listed.
    expect(oneWayPair(byAlice, [pair], { contracts: [], account: operator })).toBeUndefined();
    const between = { contracts: [referralContract], account: undefined };
    expect(
      oneWayPair(await limited(referralContract, "HasRoleTransfer", "HasRoleDeposit"), [pair], between),
    ).toBeUndefined();
    expect(oneWayPair(await limited(referralContract, "HasRoleTransfer"), [pair], between)).toMatchObject({
      isGivenOut: false,
    });
    expect(oneWayPair(await limited(referralContract, "HasRoleDeposit"), [pair], between)).toMatchObject({
      isGivenOut: false,
    });
  });

  test("is one if only some of the contracts that a trade may pass through take it", async () => {
    const router = poolAddress(2);
    const contracts = [referralContract, router];
    const roles = (...addresses: string[]) =>
      toldOf({
        Properties: { LimitTransfer: true },
        Roles: addresses.map((Address) => ({ Address, HasRoleTransfer: true, HasRoleDeposit: true })),
      });
    for (const address of contracts) {
      const found = oneWayPair(await roles(address), [pair], { contracts, account: undefined });
      expect(found).toMatchObject({ isGivenOut: false });
    }
    expect(oneWayPair(await roles(...contracts), [pair], { contracts, account: undefined })).toBeUndefined();
  });

  test("can't be told while its roles, its pairs or the token itself are unknown, and needn't be if nothing is limited", async () => {
    expect(oneWayPair(undefined, [pair], nobody)).toBe("unknown");
    expect(oneWayPair("no-such-token", [pair], nobody)).toBe("unknown");
    expect(oneWayPair(await told("the pair may send and receive"), undefined, nobody)).toBe("unknown");
    expect(oneWayPair(await told("the pair may send and receive"), [], nobody)).toBe("unknown");
    expect(oneWayPair(await unreadNow("the pair may send and receive"), [pair], nobody)).toBe("unknown");
    expect(oneWayPair(await unreadNow("wipe and burn"), undefined, nobody)).toBeUndefined();
    expect(oneWayPair("untold", [pair], nobody)).toBeUndefined();
  });

  test("is refused with the pair in a trade, whichever hop gives it out, and unknown ones are marked", async () => {
    const trap = await told("the pair may only send");
    const trade = (bought: string) => ({ paid: "KLV", bought, givenOut: [{ tokenId: "GEM-5D0X", pairs: [pair] }] });
    const of = (told: ToldRights) => new Map([["GEM-5D0X", told]]);
    for (const bought of ["GEM-5D0X", "KFI"]) {
      expect(() => rightsInTrade(of(trap), trade(bought), nobody)).toThrow(
        expect.objectContaining({
          code: "token-one-way",
          parameters: { token: "GEM-5D0X", pair: "KLV/GEM-5D0X", address: pair.address },
        }) as Error,
      );
    }
    expect(rightsInTrade(of(undefined), trade("GEM-5D0X"), nobody)).toEqual({ isResaleUnknown: true });
    expect(rightsInTrade(of(await told("nothing allowed")), trade("GEM-5D0X"), nobody)).toEqual({});
  });
});

test("a trade's signs are what concerns it: what is bought can be taken or stopped, what is paid may cost royalties", async () => {
  const everything = await toldOf({
    ...issued["everything"],
    Properties: { CanWipe: true, CanBurn: true, CanPause: true },
  });
  const signs = (trade: { paid: string; bought: string }) =>
    rightsInTrade(new Map([["GEM-5D0X", everything]]), { ...trade, givenOut: [] }, nobody).rights?.map(
      ({ powers, royalties }) => [...powers, royalties?.mostBps],
    );
  expect(signs({ paid: "KLV", bought: "GEM-5D0X" })).toEqual([["paused", "destroy", "pause", 10_000]]);
  expect(signs({ paid: "GEM-5D0X", bought: "KLV" })).toEqual([["paused", 10_000]]);
  expect(signs({ paid: "KLV", bought: "KFI" })).toEqual([["paused", undefined]]);
});

test("a card is decided on again once there is more to say than it said, and not for less", () => {
  const sign = { tokenId: "GEM-5D0X", readAt: 1, powers: [] };
  const royalties = { leastBps: 10, mostBps: 100, fixed: 5n };
  const shown = { rights: [{ ...sign, powers: ["pause"], royalties }] } as const;
  const now = (...rights: NonNullable<TradeRights["rights"]>) => isRiskier(shown, { rights });
  expect(now()).toBe(false);
  expect(now({ ...sign, readAt: 2, powers: ["pause"], royalties })).toBe(false);
  expect(now({ ...sign, royalties: { ...royalties, mostBps: 99, fixed: 4n } })).toBe(false);
  expect(now({ ...sign, powers: ["paused", "pause"], royalties })).toBe(true);
  expect(now({ ...sign, powers: ["pause", "destroy"], royalties })).toBe(true);
  expect(now({ ...sign, royalties: { ...royalties, mostBps: 101 } })).toBe(true);
  expect(now({ ...sign, royalties: { ...royalties, fixed: 6n } })).toBe(true);
  expect(now({ ...sign, royalties: { ...royalties, leastBps: 11 } })).toBe(true);
  expect(now({ ...sign, tokenId: "KFI", powers: ["pause"] })).toBe(true);
  // Only what is new is told.
  const told = unsaidSigns(shown, { rights: [{ ...sign, powers: ["paused", "pause"], royalties }] });
  expect(told).toEqual([{ ...sign, powers: ["paused"] }]);
  // What couldn't be read for the card: its owner has seen no sign at all.
  expect(isRiskier({ isResaleUnknown: true }, shown)).toBe(true);
  expect([isRiskier({}, { isResaleUnknown: true }), isRiskier({ isResaleUnknown: true }, {})]).toEqual([true, false]);
});
