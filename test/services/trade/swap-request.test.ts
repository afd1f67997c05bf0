import { describe, expect, test } from "vitest";
import { readLock } from "../../../src/services/trade/lock-request.js";
import { amountPaid, readMultihop, readSwap, swappable } from "../../../src/services/trade/swap-request.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import type { Address } from "../../../src/encoding/address.js";
import type { Token } from "../../../src/encoding/amount.js";
import type { TokenRights, ToldRights } from "../../../src/services/market/token-rights.js";
import { dvk, kfi, klv, locked, person } from "../samples.js";

const tokens = tokenListOf([
  klv,
  kfi,
  dvk,
  locked,
  { ...kfi, id: "KFI-0000", name: "Twin" },
  { ...kfi, id: "TWN-0000", name: "Twin" },
]);
const codes = (line: string) => {
  const read = readSwap(line, tokens);
  return typeof read === "string" ? read : "faults" in read ? read.faults.map(({ code }) => code) : [];
};

describe("a line", () => {
  test("becomes a request, whatever its spaces and case", () => {
    const request = { kind: "swap", pay: { token: klv, units: 12_500_000n }, from: klv, to: kfi };
    expect(readSwap("  12.50\tklv \n kfi ", tokens)).toEqual(request);
    expect(readSwap("12.5 klv to kfi", tokens)).toEqual(request);
  });

  test("may pay a share of what the user holds", () => {
    expect(readSwap("half klv kfi", tokens)).toMatchObject({ pay: { shareBps: 5_000n } });
    expect(readSwap("12.5% klv kfi", tokens)).toMatchObject({ pay: { shareBps: 1_250n } });
  });

  test("may have grouped digits, and no zero before the point", () => {
    const paid = (units: bigint) => ({ pay: { units } });
    expect(readSwap("1 000 KLV KFI", tokens)).toMatchObject(paid(1_000_000_000n));
    expect(readSwap("12\u202f345.5 KLV KFI", tokens)).toMatchObject(paid(12_345_500_000n));
    expect(readSwap(".5 KLV KFI", tokens)).toMatchObject(paid(500_000n));
  });

  test.each([
    ["100KLV KFI", 100_000_000n],
    ["100klv→kfi", 100_000_000n],
    ["100 KLV/KFI", 100_000_000n],
    ["100 KLV-KFI", 100_000_000n],
    ["100klv/kfi", 100_000_000n],
    ["KLV KFI 100", 100_000_000n],
    ["klv to kfi 100", 100_000_000n],
    ["1.5kKLV KFI", 1_500_000_000n],
    ["1m KLV KFI", 1_000_000_000_000n],
    ["1½ KLV KFI", 1_500_000n],
  ])("%s is read as one would read it", (line, units) => {
    expect(readSwap(line, tokens)).toEqual({ kind: "swap", pay: { token: klv, units }, from: klv, to: kfi });
  });

  test("says which token is unknown, although it stands right beside something else", () => {
    expect(codes("100 KLV/KFX")).toEqual(["token-unknown"]);
    expect(readSwap("100 KLV/KFX", tokens)).toMatchObject({ faults: [{ parameters: { text: "KFX" } }] });
    expect(codes("100KLX KFI")).toEqual(["token-unknown"]);
    expect(codes("5 KLV <b>KFI</b>")).toEqual(["token-unknown"]);
  });

  test("isn't read as another token's amount, whatever somebody names a token", () => {
    const named = (...names: string[]) =>
      tokenListOf([klv, kfi, ...names.map((name, at) => ({ ...kfi, id: `TKN-000${at}`, name }))]);
    const paid = (line: string, list: ReturnType<typeof named>) => readSwap(line, list);
    // Without a token of that name it is 1k; with one, the id counts.
    expect(paid("1kklv kfi", named())).toMatchObject({ pay: { token: klv, units: 1_000_000_000n } });
    expect(paid("1kklv kfi", named("KKLV"))).toMatchObject({ pay: { token: klv, units: 1_000_000_000n } });
    expect(paid("100kfi klv", named("fi", "fix"))).toMatchObject({ pay: { token: kfi, units: 100_000_000n } });
    // Two names: neither is guessed.
    expect(paid("1kone klv", named("kone", "one"))).toMatchObject({ faults: [{}] });
    // Units of time are no tokens.
    expect(readLock("5 KFI 30d", named("d", "30d"))).toMatchObject({ until: { count: 30, unit: "d" } });
  });

  test("with another account is refused, and offered without it", () => {
    const account = `klv1${"q".repeat(58)}`;
    for (const line of [`1 KLV KFI to ${account}`, `1 KLV KFI ${account}`, `1 KLV KFI para ${account.toUpperCase()}`]) {
      expect(readSwap(line, tokens)).toMatchObject({
        faults: [{ code: "payout-own", parameters: { meant: ["1 KLV KFI"] } }],
      });
    }
    expect(readMultihop(`1 KLV KFI ${account}`, tokens)).toMatchObject({ faults: [{ code: "payout-own" }] });
    expect(readLock(`1 KLV 30d ${account}`, tokens)).toMatchObject({ faults: [{ code: "payout-own" }] });
  });

  test.each([
    ["100 KLV KFI", 100_000_000n],
    ["12.5 klv to kfi", 12_500_000n],
    ["0.001 KLV KFI", 1_000n],
    ["1234.567 KLV > KFI", 1_234_567_000n],
    ["1 000 000.5 KLV KFI", 1_000_000_500_000n],
  ])("in one line means what it always meant: %s", (line, units) => {
    expect(readSwap(line, tokens)).toEqual({ kind: "swap", pay: { token: klv, units }, from: klv, to: kfi });
  });

  test("for a route or a lock is read the same way", () => {
    const route = { kind: "multihop", pay: { token: klv, units: 100_000_000n }, from: klv };
    expect(readMultihop("100KLV KFI", tokens)).toEqual({ ...route, stops: [{ token: kfi }] });
    expect(readMultihop("100 KLV/DVK-34ZH/KFI", tokens)).toMatchObject({
      ...route,
      stops: [{ token: dvk }, { token: kfi }],
    });
    const lock = { kind: "lock", pay: { token: klv, units: 5_000_000n }, token: klv, until: { count: 30, unit: "d" } };
    for (const line of ["5 KLV 30d", "5KLV 30d", "KLV 5 30d"]) expect(readLock(line, tokens)).toEqual(lock);
    expect(readLock("KLV 5500", tokens)).toBe("incomplete");
    expect(readLock("5 KLV 1m", tokens)).toMatchObject({ faults: [{ code: "unlock-time-months" }] });
  });

  test("that leaves something out is incomplete, unless the rest is wrong; one with more words is unreadable", () => {
    for (const line of ["", "100", "100 KLV", "KFI", "KFI 5", "KLV KFI", "max KLV"])
      expect(codes(line)).toBe("incomplete");
    expect(codes("100 NOPE")).toEqual(["token-unknown"]);
    expect(codes("100 KLV KFI DVK")).toBe("unreadable");
  });

  test.each([
    ["x NOPE NADA", ["token-unknown", "token-unknown", "amount-not-a-number"]],
    ["-1 KLV KLV", ["tokens-identical", "amount-negative"]],
    ["0x1 LKTOK-1A2B KFI", ["token-not-swappable", "amount-hex"]],
    ["1 KLV twin", ["token-ambiguous"]],
    ["1 DVK KFI", ["token-precision-unknown"]],
    ["0.0000001 KLV KFI", ["amount-too-many-decimals"]],
    ["1 KLV DVK", []],
  ])("%s is refused for %j, all at once", (line, expected) => {
    expect(codes(line)).toEqual(expected);
  });
});

test("only a fungible token can be swapped", () => {
  expect(swappable("kfi", tokens)).toEqual(kfi);
  expect(() => swappable("LKTOK-1A2B", tokens)).toThrow(/token-not-swappable/);
});

describe("a share of what an account holds", () => {
  const bands = [{ width: 1_000_000n, bps: 500n }];
  const changes = { owner: undefined, isPaused: false, maximum: 0n, circulating: 0n, minters: 0, bands };
  const nobody = { areRoyaltiesFinal: false, senders: new Set<Address>(), receivers: new Set<Address>() };
  const lasting = { tokenId: dvk.id, readAt: 0, precision: 6, canDestroy: false, canPause: false };
  const told: TokenRights = { ...lasting, canMint: false, isLimited: false, now: { ...changes, ...nobody } };

  const paid = async (shareBps: bigint, token: Token, held: bigint, rights: ToldRights) => {
    const asked: string[] = [];
    const known = async (id: string) => {
      asked.push(id);
      return rights;
    };
    const balances = { areTold: () => true, read: async () => ({ [token.id]: held }), known: async () => undefined };
    const settings = { callIncludesCaller: true, keptForFees: 7n };
    const amount = await amountPaid({ balances, rights: { known }, settings }, person(), { shareBps }, token);
    return { units: amount.units, asked };
  };

  // By hand: of 1,060 units, 1,010 can be sent, as 5% of them, down, are 50.
  test.each([
    ["all", 10_000n, 1_010n],
    ["98%, which is more than can be sent", 9_800n, 1_010n],
    ["95%, which is less", 9_500n, 1_007n],
    ["half", 5_000n, 530n],
  ] as const)("keeps the royalty back that is taken on top: %s", async (_name, shareBps, units) => {
    expect(await paid(shareBps, dvk, 1_060n, told)).toEqual({ units, asked: [dvk.id] });
  });

  test("keeps nothing back if nothing is taken, or nobody can say what is, and what was taken last until then", async () => {
    for (const rights of ["untold", undefined] as const)
      expect((await paid(10_000n, dvk, 1_060n, rights)).units).toBe(1_060n);
    expect((await paid(10_000n, dvk, 1_060n, { ...told, isUnread: true })).units).toBe(1_010n);
  });

  test("of the native token keeps the network fee, and asks nobody for its royalties", async () => {
    expect(await paid(10_000n, klv, 1_060n, told)).toEqual({ units: 1_053n, asked: [] });
  });

  test("of a locked token asks for the token, without its number", async () => {
    expect((await paid(10_000n, { ...locked, id: "LKTOK-1A2B/7" }, 5n, "untold")).asked).toEqual(["LKTOK-1A2B"]);
  });
});
