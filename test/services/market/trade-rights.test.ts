import { describe, expect, test } from "vitest";
import type { ToldRights } from "../../../src/services/market/token-rights.js";
import type { Between } from "../../../src/services/market/token-way.js";
import { isRiskier, passageOf, rightsInTrade } from "../../../src/services/market/trade-rights.js";
import { tradeRightsIn, unsaidSigns, wayOut } from "../../../src/services/market/trade-rights.js";
import type { TradeRights } from "../../../src/services/terms/swap-terms.js";
import { swapTerms } from "../../cards/arrange.js";
import { alice, operator, referralContract } from "../samples.js";
import { poolAddress } from "./pool-samples.js";
import { issued, pair, toldOf } from "./rights-samples.js";

const routerContract = poolAddress(2);
const router = { is: "router", address: routerContract } as const;
const referral = { is: "referral", address: referralContract } as const;
const byRoute: Between = { contracts: [router], account: alice };
const bySwap: Between = { contracts: [referral, router], account: alice, fee: operator };
const told = (name: keyof typeof issued) => toldOf(issued[name]);
/** What a token's rights are once they can't be read again. */
const unread = async (rights: Promise<ToldRights>): Promise<ToldRights> => {
  return { ...((await rights) as Exclude<ToldRights, string | undefined>), isUnread: true };
};

/** `s`: it may send, `r`: it may receive. Nobody here is the issuer. */
const limited = (roles: Readonly<Record<string, string>>) =>
  toldOf({
    OwnerAddress: poolAddress(9),
    Properties: { LimitTransfer: true },
    Roles: Object.entries(roles).map(([Address, may]) => ({
      ...{ Address, HasRoleTransfer: may.includes("s"), HasRoleDeposit: may.includes("r") },
    })),
  });
const passage = (rights: ToldRights, between: Between, pairs: readonly (typeof pair)[] | undefined = [pair]) => {
  const found = passageOf(rights, { tokenId: "GEM-5D0X", pairs }, between);
  if (found === "unknown") return found;
  const { closed, doubts } = found;
  if (closed !== undefined) return `${closed.why}: ${closed.from.is} to ${closed.to.is}`;
  return doubts.map(({ from, to, isBack }) => `${isBack ? "back" : "there"}: ${from} to ${to}`);
};

describe("a token that couldn't be sold again", () => {
  const [p, c, f, a] = [pair.address, routerContract, referralContract, alice];
  const at = `${pair.first}/${pair.second}`;

  test.each([
    ["all may do both", { [p]: "sr", [c]: "sr", [f]: "sr" }, []],
    ["the contracts may only send", { [p]: "sr", [c]: "s", [f]: "s" }, "not-sent: account to referral"],
    ["only the router may receive", { [p]: "sr", [c]: "sr", [f]: "s" }, "not-sent: account to referral"],
    ["the account may send", { [p]: "sr", [c]: "sr", [f]: "s", [a]: "s" }, []],
    ["the pair may only send, and no contract", { [p]: "s", [f]: "r", [c]: "r" }, "not-taken: router to pair"],
    ["the pair may only send, the account all", { [p]: "s", [a]: "sr" }, "not-taken: router to pair"],
    ["the pair may only receive, and byRoute else", { [p]: "r", [a]: "s" }, "not-given: pair to router"],
    ["byRoute has a role", {}, "not-given: pair to router"],
    // Another order of the contracts could let these pass.
    ["the router has no role, and needs none", { [p]: "sr", [f]: "sr" }, []],
    ["the pair takes it from one that isn't next to it", { [p]: "s", [f]: "sr", [c]: "r" }, [`back: router to ${at}`]],
    ["the pair gives it to one that isn't next to it", { [p]: "r", [f]: "sr", [c]: "s" }, [`there: ${at} to router`]],
    [
      "the router isn't allowed",
      { [p]: "sr", [f]: "r", [a]: "r" },
      ["back: referral to router", "there: referral to fee"],
    ],
  ] as const)("is closed, doubtful or open by swap where %s", async (_name, roles, found) => {
    expect(passage(await limited(roles), bySwap)).toEqual(found);
  });

  test.each([
    ["only the router may receive", { [p]: "sr", [c]: "r" }, ["there: router to account"]],
    ["the router may do both", { [c]: "sr" }, []],
    ["only another contract may do both", { [f]: "sr" }, "not-given: pair to router"],
    ["the router may only send", { [p]: "sr", [c]: "s" }, "not-sent: account to router"],
    ["the router may only receive, and the pair too", { [p]: "r", [c]: "r", [a]: "r" }, []],
    ["the pair may receive and the account be paid", { [p]: "r", [a]: "sr" }, [`there: ${at} to router`]],
  ] as const)("is closed, doubtful or open by route where %s", async (_name, roles, found) => {
    expect(passage(await limited(roles), byRoute)).toEqual(found);
  });

  test("is one for an account that isn't known as for one without roles, and not for its issuer", async () => {
    const rights = await limited({ [p]: "sr", [c]: "s", [a]: "s" });
    expect(passage(rights, byRoute)).toEqual([]);
    expect(passage(rights, { ...byRoute, account: undefined })).toBe("not-sent: account to router");
    expect(passage(rights, { ...byRoute, account: poolAddress(9) })).toEqual([]);
  });

  test("is one as soon as one of the pairs that a trade may use doesn't take it back", async () => {
    const dust = { ...pair, address: poolAddress(1) };
    const rights = await limited({ [p]: "sr", [c]: "r", [a]: "sr", [dust.address]: "s" });
    expect(passage(rights, byRoute)).toEqual([]);
    expect(passageOf(rights, { tokenId: "GEM-5D0X", pairs: [pair, dust] }, byRoute)).toMatchObject({
      closed: { why: "not-taken", to: { address: dust.address } },
    });
  });

  test("is one on the way from pair to pair, too, by either of them", async () => {
    const taker = { address: poolAddress(1), first: "GEM-5D0X", second: "KFI" };
    const given = { tokenId: "GEM-5D0X", pairs: [pair], taker };
    const found = async (roles: Parameters<typeof limited>[0]) => passageOf(await limited(roles), given, byRoute);
    expect(await found({ [p]: "sr", [taker.address]: "sr" })).toEqual({ doubts: [] });
    expect(await found({ [c]: "sr" })).toEqual({ doubts: [] });
    expect(await found({ [p]: "sr", [taker.address]: "s", [c]: "r" })).toMatchObject({
      closed: { why: "not-taken", to: { address: taker.address } },
    });
    expect(await found({ [p]: "s", [taker.address]: "sr", [c]: "r" })).toMatchObject({
      closed: { why: "not-taken", to: { address: p } },
    });
  });

  test("can't be told while its roles, its pairs or the token itself are unknown, and needn't be if nothing is limited", async () => {
    expect(passage(undefined, byRoute)).toBe("unknown");
    expect(passage("no-such-token", byRoute)).toBe("unknown");
    const open = await told("the pair may send and receive");
    expect(passageOf(open, { tokenId: "GEM-5D0X", pairs: undefined }, byRoute)).toBe("unknown");
    expect(passage(open, byRoute, [])).toBe("unknown");
    // What was closed stays so, what was open may not be, and what isn't limited never is.
    expect(passage(await unread(limited({ [pair.address]: "sr", [routerContract]: "sr" })), byRoute)).toBe("unknown");
    expect(passage(await unread(limited({ [pair.address]: "s" })), byRoute)).toBe("not-taken: router to pair");
    expect(passage(await unread(told("wipe and burn")), byRoute, [])).toEqual([]);
    expect(passage("untold", byRoute)).toEqual([]);
  });

  test("names no more than three steps, each once, however many pairs have it", async () => {
    const pairs = Array.from({ length: 9 }, (_, index) => ({
      ...pair,
      address: poolAddress(10 + index),
      second: `P${index}-1A2B`,
    }));
    const roles = { [f]: "sr", [a]: "sr", ...Object.fromEntries(pairs.map(({ address }) => [address, "r"])) } as const;
    const found = passage(await limited(roles), bySwap, pairs);
    expect(found).toEqual([0, 1, 2].map((n) => `there: KLV/P${n}-1A2B to router`));
  });

  test("is refused with the pair in a trade, whichever hop gives it out, and unknown ones are marked", async () => {
    const trap = await told("the pair may only send");
    const owned = { ...byRoute, account: operator };
    const trade = (bought: string) => ({ paid: "KLV", bought, givenOut: [{ tokenId: "GEM-5D0X", pairs: [pair] }] });
    const of = (told: ToldRights) => new Map([["GEM-5D0X", told]]);
    for (const bought of ["GEM-5D0X", "KFI"]) {
      expect(() => rightsInTrade(of(trap), trade(bought), owned)).toThrow(
        expect.objectContaining({
          code: "token-one-way",
          parameters: { token: "GEM-5D0X", pair: "KLV/GEM-5D0X", address: pair.address },
        }) as Error,
      );
    }
    expect(rightsInTrade(of(undefined), trade("GEM-5D0X"), byRoute)).toEqual({ isResaleUnknown: true });
    expect(rightsInTrade(of(await told("nothing allowed")), trade("GEM-5D0X"), byRoute)).toEqual({});
    // An account that may not send, and a contract that may not receive.
    expect(() => rightsInTrade(of(trap), trade("GEM-5D0X"), byRoute)).toThrow("token-one-way");
    const stuck = await limited({ [pair.address]: "sr", [routerContract]: "s" });
    expect(() => rightsInTrade(of(stuck), trade("GEM-5D0X"), byRoute)).toThrow(
      expect.objectContaining({
        code: "token-unsellable",
        parameters: { token: "GEM-5D0X", from: "account", to: "router" },
      }) as Error,
    );
  });
});

test("a trade's signs are what concerns it: what is bought can be taken or stopped, what is paid may cost royalties", async () => {
  const everything = await toldOf({
    ...issued["everything"],
    Properties: { CanWipe: true, CanBurn: true, CanPause: true },
  });
  const signs = (trade: { paid: string; bought: string }, rights: ToldRights = everything) =>
    rightsInTrade(new Map([["GEM-5D0X", rights]]), { ...trade, givenOut: [] }, byRoute).rights?.map(
      ({ powers, royalties }) => [...powers, royalties?.mostBps],
    );
  expect(signs({ paid: "KLV", bought: "GEM-5D0X" })).toEqual([["paused", "destroy", "pause", 10_000]]);
  expect(signs({ paid: "GEM-5D0X", bought: "KLV" })).toEqual([["paused", 10_000]]);
  expect(signs({ paid: "KLV", bought: "KFI" })).toEqual([["paused", undefined]]);
  const limits = await told("the pair may send and receive");
  expect(signs({ paid: "KLV", bought: "GEM-5D0X" }, limits)).toEqual([["limit", undefined]]);
  expect(signs({ paid: "GEM-5D0X", bought: "KLV" }, limits)).toBeUndefined();
});

test("what can't be read now is asked about once more, with what was so last, whichever side of a trade it is on", async () => {
  const sign = { tokenId: "GEM-5D0X", powers: ["paused", "pause"] };
  const was = await unread(told("stopped, and again at any time"));
  const of = (told: ToldRights) => new Map([["GEM-5D0X", told]]);
  const [buys, sells] = [
    { paid: "KLV", bought: "GEM-5D0X", givenOut: [] },
    { paid: "GEM-5D0X", bought: "KLV", givenOut: [] },
  ];
  const found = (rights: ToldRights, trade: typeof buys) =>
    rightsInTrade(new Map<string, ToldRights>([...of(rights), ["KLV", "untold"]]), trade, byRoute);
  expect(found(was, buys)).toMatchObject({ isResaleUnknown: true, rights: [sign] });
  expect(found(was, sells)).toMatchObject({ isCostUnknown: true, rights: [{ ...sign, powers: ["paused"] }] });
  expect(found(undefined, buys)).toEqual({ isResaleUnknown: true });
  expect(found(undefined, sells)).toEqual({ isCostUnknown: true });
  expect(found("untold", sells)).toEqual({});
  // The chain's own tokens have no issuer who could.
  const native = new Map<string, ToldRights>([
    ["KFI", undefined],
    ["KLV", "untold"],
  ]);
  expect(rightsInTrade(native, { paid: "KFI", bought: "KLV", givenOut: [] }, byRoute)).toEqual({});
  expect([isRiskier({}, { isCostUnknown: true }), isRiskier({ isCostUnknown: true }, {})]).toEqual([true, false]);
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
  const step = { tokenId: "GEM-5D0X", from: "referral", to: "router", isBack: true };
  const other = { ...step, from: "router", to: "KLV/GEM-5D0X" };
  expect(isRiskier({}, { closedSteps: [step] })).toBe(true);
  expect(isRiskier({ closedSteps: [step, other] }, { closedSteps: [step] })).toBe(false);
  expect(isRiskier({ closedSteps: [step] }, { closedSteps: [step, other] })).toBe(true);
  // An order's preview says all of it, and nothing else of the trade's terms.
  const all = { ...shown, isCostUnknown: true, isResaleUnknown: true, closedSteps: [step] } as const;
  expect(tradeRightsIn({ ...swapTerms, ...all })).toEqual(all);
  expect(tradeRightsIn(swapTerms)).toEqual({});
});

test("what is kept comes straight out to an account, or is refused, or can't be told; the chain's own always does", async () => {
  const lock = { is: "lock", address: poolAddress(3) } as const;
  const out = (rights: ToldRights, id = "GEM-5D0X") => wayOut({ known: async () => rights }, ["KLV", id], lock, alice);
  const stuck = { code: "token-stuck", parameters: { token: "GEM-5D0X", from: "lock", to: "account" } };
  await expect(out(await limited({ [lock.address]: "r", [alice]: "s" }))).rejects.toMatchObject(stuck);
  expect(await out(await limited({ [lock.address]: "s" }))).toEqual({});
  expect(await out(await limited({ [alice]: "r" }))).toEqual({});
  expect(await out(await told("nothing allowed"))).toEqual({});
  expect(await out("untold")).toEqual({});
  for (const unknown of [undefined, "no-such-token", await unread(limited({ [lock.address]: "s" }))] as const)
    expect(await out(unknown)).toEqual({ isReturnUnknown: true });
  expect(await out(undefined, "KFI")).toEqual({});
});
