import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import type { WorldJson } from "../../../sandbox/world.js";
import { systemClock, type Clock } from "../../../src/clock.js";
import { parseAddress } from "../../../src/encoding/address.js";
import { amountOf } from "../../../src/encoding/amount.js";
import { contractCall } from "../../../src/encoding/call.js";
import type { Fault } from "../../../src/fault.js";
import type { IntentParts } from "../../../src/services/intent/change.js";
import type { Draft } from "../../../src/services/intent/trade-kind.js";
import type { Intent, Reason, SignedIntent } from "../../../src/services/intent/intent.js";
import { isSigned } from "../../../src/services/intent/intent.js";
import { isUnderWay } from "../../../src/services/intent/machine.js";
import type { SwapTerms } from "../../../src/services/terms/swap-terms.js";
import { toldBlocks } from "../../support/told-blocks.js";
import { people } from "../../support/documents.js";
import type { Person } from "../../../src/services/person/person.js";
import { createTradingPause } from "../../../src/services/operator/operator.js";
import { createHttp } from "../../../src/services/base/http.js";
import { noteStandingChange, standingObjection } from "../../../src/services/standing/standing-claims.js";
import { createIntents } from "../../../src/services/intent/intent-service.js";
import { createChainCheck } from "../../../src/services/chain/checks.js";
import { createSigningRequests, type SigningRequests } from "../../../src/services/signing/signing-requests.js";
import { createTransactionTracker } from "../../../src/services/signing/transaction-tracker.js";
import { createWalletGateway } from "../../../src/services/signing/prepare.js";
import { createChainNode } from "../../../src/services/signing/chain-node.js";
import { bob, keys, realNodeDesk, signedBy } from "../../sandbox/node/real-node.js";
import { addresses } from "../../sandbox/chain/local-chain.js";
import { signHash } from "../../support/signer.js";
import { createSwiftClock } from "../../support/swift-clock.js";
import { until } from "../../support/until.js";
import { memoryStore } from "../intent/memory-store.js";
import { alice, kfi, klv, operator, silent } from "../samples.js";

export const owner = 1001;
/** Another user with the same address. */
export const friend = 1002;
/** The clock runs a hundred times faster than real time, so that pauses cost a test next to nothing. */
const SWIFT = 100;
/** Time-out of real requests: two seconds of real time. */
const AMPLE_SECONDS = 200;
const SIGN_SECONDS = 3600;

const terms: SwapTerms = {
  kind: "swap",
  amountIn: amountOf(klv, 1_000_000n),
  request: { kind: "swap", pay: amountOf(klv, 1_000_000n), from: klv, to: kfi },
  quotedOut: amountOf(kfi, 9000n),
  minimumOut: amountOf(kfi, 1n),
  slippageBps: 100,
  referralPercentage: 1000,
  payout: alice,
};

/** A swap of 1 KLV by Alice. */
export function swapDraft(minimum = 1n): Draft {
  const referral = { contract: "referral", address: parseAddress(addresses.referral) } as const;
  const call = contractCall(
    referral,
    "swap",
    {
      referral_address: operator,
      referral_percentage: 1000n,
      token_in: "KLV",
      token_out: "KFI",
      amount_out_min: minimum,
      amount_out_destination: alice,
    },
    [{ tokenId: "KLV", units: 1_000_000n }],
  );
  return { terms, call, expiresAt: 1e15 };
}

/** Wallet mode's services over the sandbox's node and a store in memory; `restart` stops them and starts new ones. */
export async function walletDesk(
  options: { readonly world?: WorldJson; readonly clock?: Clock; readonly told?: ReturnType<typeof toldBlocks> } = {},
) {
  const { real, sandbox, block, balance, buildSwap, post: postToNode } = await realNodeDesk(options.world);
  const swift = options.clock ?? createSwiftClock(SWIFT);
  let ahead = 0;
  const clock: Clock = { ...swift, now: () => swift.now() + ahead };
  const store = memoryStore();
  for (const each of [owner, friend]) {
    await store.update(people, String(each), (person): readonly [Person, undefined] => [
      { ...person, wallet: { address: alice, since: 0 } },
      undefined,
    ]);
  }
  let recheck: () => Promise<Draft | undefined> = async () => undefined;
  let chainFault: Fault | undefined;
  const tradingPause = createTradingPause({ store, clock });
  const shown: string[] = [];
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });

  const start = () => {
    const http = createHttp({ timeoutSeconds: AMPLE_SECONDS, clock, log: silent });
    const node = createChainNode({ nodeUrl: sandbox.url, http, clock: systemClock, hide: (text) => text });
    const gateway = createWalletGateway({
      nodeUrl: sandbox.url,
      node,
      http,
      hide: (text) => text,
      chainId: "109",
      maxNetworkFee: 50_000_000n,
      signSeconds: SIGN_SECONDS,
      chainCheck: createChainCheck({ node, chainId: "109", clock, log: silent }),
      clock,
      log,
    });
    const events: IntentParts["events"] = new EventEmitter();
    const intents = createIntents({
      store,
      clock,
      log: silent,
      gateway,
      newId: () => randomBytes(16).toString("base64url"),
      run: randomBytes(8).toString("hex"),
      objection: standingObjection(clock.now),
      noteChange: noteStandingChange(clock.now),
      kinds: {
        recordEffects: async () => undefined,
        flowOf: () => ({ paid: [] }),
        holdings: async () => undefined,
        seen: async () => [],
        isConfigured: async () => true,
        recheck: async ({ state }) => (state === "CLAIMED" ? undefined : recheck()),
      },
      onUnreadable: () => undefined,
      events,
      outbox: { wakeBy: () => undefined },
    });
    const tracker = createTransactionTracker({
      node,
      blocks: (options.told ?? toldBlocks({ isCurrent: false })).blocks,
      intents,
      present: async ({ state }) => void shown.push(state),
      store,
      clock,
      log: silent,
    });
    events.on("changed", tracker.wakeAfter);
    const desk: SigningRequests = createSigningRequests({
      node,
      intents,
      chainId: "109",
      assertOpen: tradingPause.assertOpen,
      chainCheck: {
        assertMatch: async () => {
          if (chainFault !== undefined) throw chainFault;
        },
      },
      walletNodeUrl: sandbox.url,
      walletApiUrl: sandbox.url,
      clock,
      log: silent,
      describe: async ({ state, transaction, outcome }) => ({
        language: "en",
        botName: "swapdesk_bot",
        title: "Swap",
        figures: [],
        lines: [],
        more: [],
        networkFee: "fee",
        ending: {
          heading: "",
          about: "",
          sentence: [
            state,
            transaction?.phase === "withdrawn" && (typeof transaction.end === "string" ? transaction.end : "FAILED"),
            outcome !== undefined && "code" in outcome ? outcome.code : "",
          ].join(),
          lines: [],
        },
      }),
      presentWorse: async () => void shown.push("worse"),
    });
    const stopping = new AbortController();
    const following = tracker.run(stopping.signal);
    const stop = async () => {
      stopping.abort();
      await following;
      await http.close();
    };
    return { gateway, intents, desk, node, stop };
  };
  let running = start();
  const stop = async () => {
    await running.stop();
  };
  onTestFinished(stop);

  const find = async (id: string): Promise<Intent> =>
    ((await running.intents.find(owner, id)) ?? (await running.intents.find(friend, id)))!;
  /** Confirms a card. @returns its request, or the reason why it was refused. */
  const confirm = async (draft = swapDraft(), by = owner): Promise<SignedIntent | Reason> => {
    const { id } = await running.intents.open(by, by, draft);
    await running.intents.confirm(by, id);
    const intent = await find(id);
    if (intent.outcome?.kind === "not-sent") return intent.outcome;
    if (!isSigned(intent)) throw new Error(`it is ${intent.state}`);
    return intent;
  };
  const request = async (draft?: Draft, by?: number): Promise<SignedIntent> => {
    const confirmed = await confirm(draft, by);
    if (!("state" in confirmed)) throw new Error(`not sent: ${confirmed.code}`);
    return confirmed;
  };
  const signatureOf = ({ transaction }: SignedIntent, key: string = keys.alice): string =>
    Buffer.from(signHash(key, Buffer.from(transaction.hash, "hex"))).toString("hex");
  const post = (intent: SignedIntent, signature = signatureOf(intent)) =>
    running.desk.postSignature(intent.transaction.token, signature);
  /** Makes blocks until the intent has ended. @returns the intent. */
  const ended = async (id: string, blocks = true): Promise<Intent> => {
    let intent = await find(id);
    await until(
      async () => {
        intent = await find(id);
        if (!isUnderWay(intent.state)) return true;
        if (blocks) block();
        return false;
      },
      () => `it is still ${intent.state}`,
    );
    return intent;
  };

  return {
    real,
    sandbox,
    clock,
    store,
    shown,
    logged,
    block,
    balance,
    find,
    /** The states of all intents. */
    states: async () => (await store.db.selectFrom("intents").select("state").execute()).map(({ state }) => state),
    confirm,
    request,
    signatureOf,
    post,
    ended,
    gateway: () => running.gateway,
    intents: () => running.intents,
    desk: () => running.desk,
    /** Ends the time to sign every open request. */
    passSigningTime: () => {
      ahead += SIGN_SECONDS * 1000;
    },
    /** Outdates what was checked when the signature came. */
    passFreshness: () => {
      ahead += 10_000;
    },
    setRecheck: (next: typeof recheck) => {
      recheck = next;
    },
    pause: tradingPause.pause,
    resume: tradingPause.resume,
    setChainFault: (fault: Fault | undefined) => {
      chainFault = fault;
    },
    change: (change: (person: Person) => Person) =>
      store.update(people, String(owner), (person) => [change(person), undefined]),
    restart: async () => {
      await stop();
      running = start();
      await running.intents.recover();
    },
    /** Bob swaps enough to move the price. */
    swapByBob: async () => {
      const contract = { scType: 0, address: addresses.referral, callValue: { KLV: 40_000_000_000 } };
      await postToNode("/transaction/broadcast", signedBy(keys.bob, await buildSwap({ sender: bob, contract })));
      block();
    },
    /** The transactions in blocks by hash, each with its failure or "ok". */
    carriedOut: () =>
      new Map(
        real.node
          .transactions()
          .filter((each) => each.block !== undefined)
          .map((each) => [each.hash, each.failure ?? "ok"] as const),
      ),
  };
}
