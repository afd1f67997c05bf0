import { pino } from "pino";
import { createDoubt, type Clock } from "../../src/clock.js";
import { parseAddress } from "../../src/encoding/address.js";
import type { Token } from "../../src/encoding/amount.js";
import { people } from "../support/documents.js";
import type { RightsReader } from "../../src/services/market/token-rights.js";
import type { Person } from "../../src/services/person/person.js";

/** Addresses from the chain's published examples. */
export const alice = parseAddress("klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy");
export const operator = parseAddress("klv1fpwjz234gy8aaae3gx0e8q9f52vymzzn3z5q0s5h60pvktzx0n0qwvtux5");
export const referralContract = parseAddress("klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz");

export const klv: Token = { id: "KLV", name: "KLV", precision: 6, kind: "fungible" };
export const kfi: Token = { id: "KFI", name: "KFI", precision: 6, kind: "fungible" };
export const dvk: Token = { id: "DVK-34ZH", name: "DVK", kind: "fungible" };
export const locked: Token = { id: "LKTOK-1A2B", name: "Locked", precision: 6, kind: "semi-fungible" };

/** Of a node that doesn't serve tokens. */
export const untoldRights: RightsReader = { known: async () => "untold" };

export function person(fields: Partial<Person> = {}): Person {
  return { ...people.create("1001"), wallet: { address: alice, since: 0 }, ...fields };
}

/** A clock that stands still until a test or `sleep` moves it. */
export function testClock(
  start = 1_000_000,
): { -readonly [Part in keyof Clock]: Clock[Part] } & Record<"advance" | "step", (milliseconds: number) => void> {
  let passed = 0;
  let ahead = start;
  const advance = (milliseconds: number) => {
    passed += milliseconds;
  };
  return {
    now: () => ahead + passed,
    monotonic: () => passed,
    onStep: () => () => undefined,
    doubt: createDoubt(() => passed),
    heartbeat: 30_000,
    // Never fires: nothing in these tests runs into a time-out.
    timer: () => () => undefined,
    sleep: async (milliseconds) => {
      advance(milliseconds);
      await new Promise((resolve) => setImmediate(resolve));
    },
    advance,
    /** Moves the time of day ahead or back; no time passes. */
    step: (milliseconds) => {
      ahead += milliseconds;
    },
  };
}

export const silent = pino({ level: "silent" });

/** A router or chain check that always passes. */
export const unchecked = {
  incident: "router-mismatch" as const,
  isMismatch: () => undefined,
  assertNoMismatch: () => {},
  assertMatch: async () => {},
};
