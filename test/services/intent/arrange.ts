import { EventEmitter } from "node:events";
import { Fault } from "../../../src/fault.js";
import { amountOf, type Amount, type Holdings } from "../../../src/encoding/amount.js";
import { contractCall, type ContractCall } from "../../../src/encoding/call.js";
import type { ContractGateway } from "../../../src/services/chain/query-gateway.js";
import type { Draft, Sighting } from "../../../src/services/intent/trade-kind.js";
import { NotConnected } from "../../../src/services/base/requests.js";
import type { IntentChange, IntentParts } from "../../../src/services/intent/change.js";
import {
  type ContractOutcome,
  type Intent,
  type IntentState,
  type PreparedTransaction,
} from "../../../src/services/intent/intent.js";
import { isRequest } from "../../../src/services/intent/machine.js";
import type { SwapTerms } from "../../../src/services/terms/swap-terms.js";
import { noteStandingChange, standingObjection } from "../../../src/services/standing/standing-claims.js";
import { createIntents, type Intents } from "../../../src/services/intent/intent-service.js";
import { people } from "../../support/documents.js";
import { changePerson, type Person } from "../../../src/services/person/person.js";
import { alice, kfi, klv, referralContract, silent, testClock } from "../samples.js";
import type { Transaction } from "../../../src/store/store.js";
import { memoryStore, type MemoryStore, type Snapshot } from "./memory-store.js";

export const owner = 1001;
export const chatId = 1001;

const terms: SwapTerms = {
  kind: "swap",
  amountIn: amountOf(klv, 100_000_000n),
  request: { kind: "swap", pay: amountOf(klv, 100_000_000n), from: klv, to: kfi },
  quotedOut: amountOf(kfi, 1_000_000n),
  minimumOut: amountOf(kfi, 990_000n),
  slippageBps: 100,
  referralPercentage: 1000,
  payout: alice,
};

export const draft: Draft = {
  terms,
  call: contractCall(
    { contract: "referral", address: referralContract },
    "swap",
    {
      referral_address: alice,
      referral_percentage: 1000n,
      token_in: "KLV",
      token_out: "KFI",
      amount_out_min: 990_000n,
      amount_out_destination: alice,
    },
    [{ tokenId: "KLV", units: 100_000_000n }],
  ),
  expiresAt: 1_030_000,
};

export const fresh: Draft = { ...draft, terms: { ...terms, minimumOut: amountOf(kfi, 900_000n) } };

/** The person with trading frozen, and not frozen. */
export const frozen = (person: Person): Person => ({ ...person, frozenSince: 1 });
export const unfrozen = ({ frozenSince: _since, ...person }: Person): Person => person;

export const holds = async (): Promise<Draft | undefined> => undefined;

/** Books an end by adding the intent's id to a field that nothing else uses here. */
export async function recordEffects(tx: Transaction, ended: Intent): Promise<void> {
  await changePerson(tx, ended.owner, (person) => ({ ...person, recentTokens: [...person.recentTokens, ended.id] }));
}

/** Outcome of a request; without a definite answer, it says whether the request may have left. */
export type SendOutcome = ContractOutcome | { readonly kind: "unknown" | "not-sent"; readonly fault: Fault };

/** Returns or throws as a gateway does. */
function answered(outcome: SendOutcome): ContractOutcome {
  if (!("fault" in outcome)) return outcome;
  const { code, parameters } = outcome.fault;
  throw outcome.kind === "unknown"
    ? outcome.fault
    : new Fault(code, parameters, { cause: new NotConnected("ECONNREFUSED") });
}

/** Which state may follow which, written a second time, apart from the code under test. */
const legal: Record<IntentState, readonly IntentState[]> = {
  QUOTED: ["QUOTED", "CLAIMED", "EXPIRED", "CANCELED", "SUPERSEDED"],
  CLAIMED: ["CLAIMED", "SIGNING", "SENT", "SUPERSEDED", "FAILED", "UNKNOWN"],
  SIGNING: ["SIGNING", "SENT", "EXPIRED", "CANCELED", "SUPERSEDED", "FAILED"],
  SENT: ["SENT", "OK", "FAILED", "UNKNOWN", "CANCELED"],
  OK: ["OK"],
  FAILED: ["FAILED", "SENT"],
  UNKNOWN: ["UNKNOWN", "SENT"],
  EXPIRED: ["EXPIRED", "SENT"],
  CANCELED: ["CANCELED", "SENT"],
  SUPERSEDED: ["SUPERSEDED", "SENT"],
};

/** Throws unless every intent's states follow from one another, and each end was booked once, in its own write. */
export function assertLegalHistory(saved: readonly Snapshot[]): void {
  const states = new Map<string, string>();
  for (const { intents, booked } of saved) {
    const over = intents.filter(({ state }) => /^(OK|FAILED|UNKNOWN)$/.test(state));
    if (new Set(booked).size !== booked.length || over.some(({ id }) => !booked.includes(id))) {
      throw new Error(`${booked.join()} were booked of ${over.map(({ id }) => id).join()}`);
    }
    for (const { id, state, times } of intents) {
      const before = states.get(id);
      if (before === undefined ? state !== "QUOTED" : !legal[before as IntentState].includes(state as IntentState)) {
        throw new Error(`${id} went from ${before ?? "nothing"} to ${state}`);
      }
      if ((times as Partial<Record<string, number>>)[state] === undefined)
        throw new Error(`${id} has no time for ${state}`);
      states.set(id, state);
    }
  }
}

/** Returns the draft that replaces the card at confirm, or undefined if the card holds. */
type Recheck = (intent: Intent, person: Person) => Promise<Draft | undefined>;

export interface Arranged extends Omit<Intents, "confirm"> {
  readonly confirm: (owner: number, id: string, recheck: Recheck) => ReturnType<Intents["confirm"]>;
  /** By intent; an intent without one holds. */
  readonly rechecks: Map<string, Recheck>;
  readonly store: MemoryStore;
  readonly clock: ReturnType<typeof testClock>;
  /** The calls that were sent. */
  readonly sent: { intentId: string; caller: string; call: ContractCall }[];
  /** Ids of the intents whose end was announced in this run. */
  readonly ended: string[];
  /** The announced signing requests, and how they closed. */
  readonly requested: string[];
  /** Errors from rows that couldn't be read. */
  readonly unreadable: unknown[];
  /** All of a user's intents, newest first. */
  readonly list: (owner: number) => Promise<readonly Intent[]>;
  readonly changePerson: (change: (person: Person) => Person) => Promise<void>;
}

let runs = 0;

/** One run of the program: intents over a memory store, with a gateway that answers as `send` says. */
export function arrange(
  options: {
    send?: () => Promise<SendOutcome>;
    /** Instead of `send`: returns what a wallet has to sign. */
    prepare?: () => Promise<PreparedTransaction>;
    store?: MemoryStore;
    clock?: ReturnType<typeof testClock>;
    prefix?: string;
    isConfigured?: () => Promise<boolean>;
    holdings?: () => Promise<Holdings | undefined>;
    seen?: (intent: Intent) => Promise<readonly Sighting[]>;
    feeOf?: (intent: Intent) => Amount | undefined;
    onChanged?: (change: IntentChange) => void;
  } = {},
): Arranged {
  const {
    store = memoryStore(),
    clock = testClock(),
    isConfigured = async () => true,
    send = async () => ({ kind: "ok", returnData: ["01"] }),
    holdings = async () => undefined,
    seen = async () => [],
    feeOf = () => undefined,
  } = options;
  const sent: Arranged["sent"] = [];
  const rechecks: Arranged["rechecks"] = new Map();
  const { prepare } = options;
  const gateway: Pick<ContractGateway, "begin" | "interrupted"> = {
    begin: async ({ id, call, terms }) => {
      if (prepare !== undefined) return { kind: "request", transaction: await prepare() };
      const sendNow = () => {
        sent.push({ intentId: id, caller: terms.payout, call });
        return send().then(answered);
      };
      return { kind: "call", send: sendNow };
    },
    interrupted: prepare === undefined ? "unknown" : "not-sent",
  };
  const ended: string[] = [];
  const run = `run-${(runs += 1)}`;
  const requested: string[] = [];
  const unreadable: unknown[] = [];
  let count = 0;
  const newId = () => `${options.prefix ?? "intent"}-${(count += 1)}`;
  const events: IntentParts["events"] = new EventEmitter();
  events.on("changed", (change) => {
    options.onChanged?.(change);
    const { before, after } = change;
    if (!before?.outcome && after.outcome) ended.push(after.id);
    if (isRequest(after) && before?.transaction !== after.transaction) {
      const { transaction } = after;
      const end = transaction.phase === "withdrawn" ? transaction.end : "open";
      requested.push(`${after.id} ${typeof end === "string" ? end : "FAILED"}`);
    }
  });
  const intents = createIntents({
    store,
    gateway,
    clock,
    log: silent,
    newId,
    run,
    objection: standingObjection(clock.now),
    noteChange: noteStandingChange(clock.now),
    kinds: {
      recordEffects,
      isConfigured,
      recheck: (intent, person) => (rechecks.get(intent.id) ?? holds)(intent, person),
      holdings,
      seen,
      flowOf: (intent) => {
        const fee = feeOf(intent);
        return { paid: [amountOf(klv, 1n)], ...(fee !== undefined && { fee }) };
      },
    },
    events,
    outbox: { wakeBy: () => undefined },
    onUnreadable: (error) => void unreadable.push(error),
  });
  const list: Arranged["list"] = async (whose) => {
    const own = store.db.selectFrom("intents").select("id").where("owner", "=", whose);
    const number = ({ id }: { readonly id: string }) => Number(/\d+$/.exec(id)?.[0] ?? 0);
    const rows = (await own.execute()).toSorted((one, other) => number(other) - number(one));
    const found = await Promise.all(rows.map(({ id }) => intents.find(whose, id)));
    return found.filter((intent) => intent !== undefined);
  };
  const changePerson: Arranged["changePerson"] = (change) =>
    store.update(people, String(owner), (person) => [change(person), undefined]);
  const confirm: Arranged["confirm"] = (by, id, recheck) => {
    rechecks.set(id, recheck);
    return intents.confirm(by, id);
  };
  /** Whoever has a card has the address that it pays to. */
  const open: Arranged["open"] = async (by, ...card) => {
    await store.update(people, String(by), (person) => [
      { wallet: { address: alice, since: 0 }, ...person },
      undefined,
    ]);
    return intents.open(by, ...card);
  };
  return { ...intents, open, confirm, rechecks, store, clock, sent, ended, requested, unreadable, list, changePerson };
}

/** `arrange` with an open card of the owner. */
export async function opened(options?: Parameters<typeof arrange>[0]): Promise<Arranged & { readonly id: string }> {
  const intents = arrange(options);
  const { id } = await intents.open(owner, chatId, draft);
  return { ...intents, id };
}

/** What a confirm returns if nothing was sent, for this reason. */
export const notSent = (code: string) => ({
  kind: "ended",
  intent: { state: "FAILED", outcome: { kind: "not-sent", code } },
});
