import { describe, expect, it } from "vitest";
import { newPairsNewsCard } from "../../src/cards/new-pairs.js";
import { unlistedToken } from "../../src/encoding/amount.js";
import type { PairFacts } from "../../src/services/history/pair-facts.js";
import { poolAddress, poolOf } from "../services/market/pool-samples.js";
import { kfi, klv } from "../services/samples.js";
import { en, now, pt } from "./arrange.js";

const KLV = 10n ** 6n;
const pair = { address: poolAddress(1), first: "KLV", second: "KFI", openedAt: now };
const facts: PairFacts = {
  pool: poolOf(1, ["KLV", 500n * KLV], ["KFI", 250n * KLV]),
  depth: 500n * KLV,
  locked: { isNone: false, bps: 735n },
};
const between = { contracts: [], account: undefined };

describe.each([en, pt])("a new pair", (language) => {
  const view = {
    ...language,
    tokenOf: (id: string) => [klv, kfi].find((token) => token.id === id) ?? unlistedToken(id),
  };
  const shown = (change: Partial<PairFacts> | undefined, was = 500n * KLV) => {
    const now = change === undefined ? undefined : { ...facts, ...change };
    const pairs = [{ pair, depth: was, facts: now, told: ["untold" as const] }];
    return newPairsNewsCard({ pairs, between, more: 0 }, view).text.replaceAll(",", ".");
  };

  it("is described by itself: its own price, both sides, and its own locked LP tokens", () => {
    const text = shown({});
    expect(text).toContain("1 KFI = 2 KLV");
    expect(text).toMatch(/500 KLV.+250 KFI/);
    expect(text).toContain("7.35%");
    expect(text).not.toContain("⚠️");
  });

  it("says what it was only beside what it is", () => {
    const was = 1_000_000n * KLV;
    expect(shown({ depth: KLV }, was)).toMatch(/⚠️ .*: 1 KLV (?:now|agora); .* 1.000.000 KLV/);
    expect(shown({ depth: 0n, pool: poolOf(1, ["KLV", 0n], ["KFI", 0n]) }, was)).toMatch(/⚠️ .*1.000.000 KLV/);
    expect(shown(undefined, was)).toMatch(/1.000.000 KLV .*(?:can't be read|Não consigo ler)/);
    expect(shown(undefined, was)).not.toMatch(/1 KFI =|%/);
  });

  it("has the rights and the button of each token that somebody issued", () => {
    const both = { ...pair, first: "DVK-34ZH", second: "USDT-2AB1" };
    const now = { isPaused: false, maximum: 0n, circulating: 0n, minters: 0, bands: [], areRoyaltiesFinal: false };
    const moved = { ...now, senders: new Set<never>(), receivers: new Set<never>() };
    const rights = (id: string) => ({ ...token, now: moved, canDestroy: id === "USDT-2AB1" });
    const told = [rights("DVK-34ZH"), rights("USDT-2AB1")];
    const { text, keyboard } = newPairsNewsCard(
      { pairs: [{ pair: both, depth: 1n, facts, told }], between, more: 0 },
      view,
    );
    expect(keyboard![0]!.map((each) => each.text)).toEqual(["DVK-34ZH", "USDT-2AB1"]);
    expect(text).toContain(view.words.rights.sentences.destroy("USDT-2AB1"));
    expect(text).not.toContain(view.words.rights.sentences.destroy("DVK-34ZH"));
  });
});

const token = {
  canDestroy: false,
  canPause: false,
  canMint: false,
  isLimited: false,
  now: undefined,
  readAt: now,
} as never as Extract<Parameters<typeof newPairsNewsCard>[0]["pairs"][number]["told"][number], object>;
