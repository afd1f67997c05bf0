import { createHash, randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import type { PeriodicCheck } from "../../../src/services/chain/checks.js";
import { NotConnected } from "../../../src/services/base/requests.js";
import type { CallGateway, IntentParts } from "../../../src/services/intent/change.js";
import type { Draft } from "../../../src/services/intent/trade-kind.js";
import type { ContractOutcome, Intent, IntentState, TransactionPhase } from "../../../src/services/intent/intent.js";
import { isSigned } from "../../../src/services/intent/intent.js";
import { isUnderWay, signatureOf } from "../../../src/services/intent/machine.js";
import { noteStandingChange, standingObjection } from "../../../src/services/standing/standing-claims.js";
import { createIntents } from "../../../src/services/intent/intent-service.js";
import { intentOf } from "../../../src/services/intent/intent-row.js";
import { pauseIn } from "../../../src/services/person/pause.js";
import { changePerson, personIn, type Person } from "../../../src/services/person/person.js";
import { createTradingPause } from "../../../src/services/operator/operator.js";
import type { ChainNode, ChainTransaction } from "../../../src/services/signing/chain-node.js";
import { createSigningRequests } from "../../../src/services/signing/signing-requests.js";
import { createTransactionTracker } from "../../../src/services/signing/transaction-tracker.js";
import { readSums } from "../../../src/services/intent/totals.js";
import { Fault } from "../../../src/fault.js";
import type { Store, Transaction } from "../../../src/store/store.js";
import { createMemoryDisk } from "../../support/memory-store.js";
import { signHash } from "../../support/signer.js";
import { toldBlocks } from "../../support/told-blocks.js";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.js";
import { preparedTransaction } from "../../support/wallet-transaction.js";
import { keys } from "../../sandbox/node/real-node.js";
import { alice, silent } from "../samples.js";
import { chatId, draft, fresh, owner } from "./arrange.js";

/** How calls are made: the node is asked for them, or a wallet signs. */
export type GatewayKind = "query" | "wallet";

/** What becomes of a call or a broadcast: `lost` arrives without an answer, `swallowed` has neither. */
export type Delivery = "answered" | "lost" | "swallowed" | "never-left" | "refused";

/** A transaction's place in its life. */
export type PhaseName = TransactionPhase | "none";

export const phaseIn = ({ transaction }: Intent): PhaseName => transaction?.phase ?? "none";

/** Since when the disk says that the network may have a transaction. */
const mayBeBroadcast = (intent: Intent): boolean => phaseIn(intent) === "broadcast";

/** How a state and a phase may go together, and what may follow, written a second time, apart from the code under test. */
const together: Readonly<Record<IntentState, readonly PhaseName[]>> = {
  QUOTED: ["none"],
  CLAIMED: ["none"],
  SIGNING: ["to-sign", "withdrawn"],
  SENT: ["none", "signed", "broadcast"],
  OK: ["none", "on-chain"],
  FAILED: ["none", "to-sign", "withdrawn", "signed", "broadcast", "on-chain", "abandoned"],
  UNKNOWN: ["none", "signed", "broadcast", "abandoned"],
  EXPIRED: ["none", "withdrawn", "abandoned"],
  CANCELED: ["none", "withdrawn", "signed", "abandoned"],
  SUPERSEDED: ["none", "withdrawn", "abandoned"],
};
const nextStates: Readonly<Record<IntentState, readonly IntentState[]>> = {
  QUOTED: ["CLAIMED", "EXPIRED", "CANCELED", "SUPERSEDED"],
  CLAIMED: ["SIGNING", "SENT", "SUPERSEDED", "FAILED", "UNKNOWN"],
  SIGNING: ["SENT", "EXPIRED", "CANCELED", "SUPERSEDED", "FAILED"],
  SENT: ["OK", "FAILED", "UNKNOWN", "CANCELED"],
  OK: [],
  FAILED: ["SENT"],
  UNKNOWN: ["SENT"],
  EXPIRED: ["SENT"],
  CANCELED: ["SENT"],
  SUPERSEDED: ["SENT"],
};
const nextPhases: Readonly<Record<PhaseName, readonly PhaseName[]>> = {
  none: ["to-sign"],
  "to-sign": ["withdrawn", "signed", "broadcast", "abandoned"],
  withdrawn: ["broadcast", "abandoned"],
  signed: ["broadcast", "on-chain", "abandoned"],
  // Back only if it is certain that nothing left.
  broadcast: ["signed", "on-chain", "abandoned"],
  "on-chain": [],
  abandoned: [],
};

const never = () => new Promise<never>(() => undefined);

type Chain = ReturnType<typeof createChain>;
type Mined = { readonly hash: string; readonly nonce: bigint; readonly signature: string; readonly isOk: boolean };

/** The account's first nonce in a world. */
const FIRST_NONCE = 7n;

/** A chain with the transactions of one account. Its newest block may be undone; one with another on top never is. */
function createChain() {
  let pool: Omit<Mined, "isOk">[] = [];
  const blocks: Mined[][] = [];
  let mayUndo = true;
  const mined = () => blocks.flat();
  const nextNonce = () => FIRST_NONCE + BigInt(mined().length);
  const chain = {
    /** Whether the node refuses connections. */
    isAway: false,
    /** Whether contracts refuse what is executed. */
    fails: false,
    delivery: "answered" as Delivery,
    /** Happens once, while the node is asked for the account's nonce. */
    meanwhile: async (): Promise<unknown> => undefined,
    nextNonce,
    height: () => BigInt(100 + blocks.length),
    pending: () => pool.length,
    find: (hash: string): ChainTransaction | undefined => {
      const at = blocks.findIndex((block) => block.some((one) => one.hash === hash));
      const one = blocks[at]?.find((each) => each.hash === hash);
      const waiting = pool.find((each) => each.hash === hash);
      if (one === undefined) {
        return waiting && { block: 0n, isOk: true, returnData: [], signature: waiting.signature };
      }
      const failure = one.isOk ? {} : { failure: { text: "Slippage exceeded" } };
      return { block: BigInt(101 + at), isOk: one.isOk, returnData: ["01"], signature: one.signature, ...failure };
    },
    /** The result of a transaction in a block, and whether there is another on top. */
    resultOf: (hash: string): { readonly isOk: boolean; readonly isBuried: boolean } | undefined => {
      const at = blocks.findIndex((block) => block.some((one) => one.hash === hash));
      const one = blocks[at]?.find((each) => each.hash === hash);
      return one && { isOk: one.isOk, isBuried: at < blocks.length - 1 };
    },
    enter: (hash: string, nonce: bigint, signature: string): void => {
      if (nonce < nextNonce() || pool.some((one) => one.hash === hash)) return;
      pool.push({ hash, nonce, signature });
    },
    /** Another transaction of the account, which no bot knows, takes the next nonce. */
    spendNonce: (): void => {
      pool = [{ hash: randomBytes(32).toString("hex"), nonce: nextNonce(), signature: "" }, ...pool];
      chain.mine();
    },
    mine: (): void => {
      const block: Mined[] = [];
      for (let nonce = nextNonce(); ; nonce += 1n) {
        const next = pool.find((one) => one.nonce === nonce);
        if (next === undefined) break;
        block.push({ ...next, isOk: !chain.fails });
      }
      blocks.push(block);
      pool = pool.filter(({ nonce }) => nonce >= nextNonce());
      mayUndo = true;
    },
    undo: (): void => {
      if (!mayUndo) return;
      pool.push(...(blocks.pop() ?? []));
      mayUndo = false;
    },
    forget: (): void => {
      pool = [];
    },
  };
  return chain;
}

const away = () => new Fault("service-unreachable", { service: "node" }, { cause: new NotConnected("ECONNREFUSED") });
const timeout = () => new Fault("service-timeout", { service: "node" });

type Life = ReturnType<typeof startLife>;

/** What all lives share, and what a test sets. */
interface Shared {
  readonly gateway: GatewayKind;
  readonly clock: VirtualClock;
  readonly chain: Chain;
  readonly disk: ReturnType<typeof createMemoryDisk>;
  /** Calls and broadcasts that were sent: a call's id, or a transaction's hash with its signature. */
  readonly wire: { readonly id: string; readonly body: string }[];
  /** How often each intent was handed to the gateway. */
  readonly begun: string[];
  /** Results of calls that a node executed, by intent. */
  readonly executed: Map<string, boolean>;
  /** What is wrong, in words. */
  readonly wrong: string[];
  /** Changes of intents that are on the disk. */
  readonly commits: string[];
  price: "holds" | "worse" | "away" | "hangs";
  isConfigured: boolean;
  /** Whether a node's answer to a call never comes. */
  hangs: boolean;
  /** What hangs goes on once this resolves. */
  readonly released: Promise<void>;
  /** The process dies before (even) or after (odd) a change of intents is on the disk. */
  diesAt: number;
  moments: number;
  transactions: number;
  cards: number;
  lives: number;
}

/** One life of the process, until it dies. */
function startLife(shared: Shared) {
  const { gateway: kind, clock, chain, disk, wire, begun, executed, wrong, commits } = shared;
  shared.lives += 1;
  const run = `run-${shared.lives}`;
  const life = { isDead: false };
  let die: () => void = () => undefined;
  const died = new Promise<void>((resolve) => {
    die = () => {
      life.isDead = true;
      resolve();
    };
  });
  const alive = async (): Promise<void> => {
    if (life.isDead) await never();
  };
  const assertAlive = (): void => {
    if (life.isDead) throw new Error("its process is dead");
  };
  const moment = (): void => {
    shared.moments += 1;
    if (shared.moments - 1 === shared.diesAt) die();
  };

  const inner = disk.open();
  const effects: string[] = [];
  const store: Pick<Store, "assertOwned" | "db" | "write"> = {
    db: inner.db,
    assertOwned: alive,
    write: async (work) => {
      await alive();
      try {
        const made = await inner.write(async (tx) => {
          assertAlive();
          const before = await allIn(tx);
          effects.length = 0;
          const result = await work(tx);
          const after = await allIn(tx);
          const changes = changesIn(before, after);
          wrong.push(...(await faultsOf(tx, { before, after, effects, chain })));
          await tx.deleteFrom("outbox").execute();
          if (changes.length > 0) moment();
          assertAlive();
          commits.push(...changes);
          return { result, changes };
        });
        if (made.changes.length > 0) moment();
        await alive();
        return made.result;
      } catch (error) {
        await alive();
        throw error;
      }
    },
  };

  /** What the disk says about an intent when its call or transaction leaves. */
  const assertSent = async (id: string, body: string): Promise<void> => {
    const intent = (await allIn(inner.db)).find((one) => one.id === id);
    const may = intent !== undefined && intent.state === "SENT" && (!isSigned(intent) || mayBeBroadcast(intent));
    if (!may) wrong.push(`${id} left while it was ${intent && nameOf(intent)}`);
    if (intent && isSigned(intent) && clock.now() >= intent.transaction.sendUntil) wrong.push(`${id} left too late`);
    const person = await personIn(inner.db, owner);
    if (person.frozenSince !== undefined) wrong.push(`${id} left while its owner had frozen trading`);
    if (person.wallet?.address !== alice) wrong.push(`${id} left from an address that is no longer its owner's`);
    if ((await pauseIn(inner.db)) !== undefined) wrong.push(`${id} left during a pause`);
    wire.push({ id, body });
  };

  const up = async (): Promise<void> => {
    await alive();
    if (chain.isAway) throw away();
  };
  const node: Pick<ChainNode, "broadcast" | "height" | "nonce" | "transaction"> = {
    nonce: async () => {
      await up();
      const { meanwhile } = chain;
      chain.meanwhile = async () => undefined;
      await meanwhile();
      await alive();
      return { nonce: chain.nextNonce(), txPending: BigInt(chain.pending()) };
    },
    height: async () => {
      await up();
      return chain.height();
    },
    transaction: async ({ transaction }) => {
      await up();
      return chain.find(transaction.hash);
    },
    broadcast: async ({ hash }, bytes) => {
      await up();
      if (chain.delivery === "never-left") throw away();
      const signature = Buffer.from(bytes).toString("hex");
      const intent = (await allIn(inner.db)).find((one) => one.transaction?.hash === hash);
      await assertSent(intent?.id ?? "nobody's", `${hash} ${signature}`);
      await alive();
      if (intent && signatureOf(intent) !== signature) wrong.push(`${intent.id} left with another signature`);
      if (chain.delivery === "swallowed") throw timeout();
      if (chain.delivery === "refused") return "transaction refused";
      chain.enter(hash, intent?.transaction?.nonce ?? -1n, signature);
      if (chain.delivery === "lost") throw timeout();
      await alive();
      return undefined;
    },
  };

  const send = async (id: string): Promise<ContractOutcome> => {
    await alive();
    if (chain.isAway || chain.delivery === "never-left") throw away();
    await assertSent(id, "call");
    if (shared.hangs) await shared.released.then(alive);
    if (chain.delivery === "swallowed") throw timeout();
    if (chain.delivery === "refused") return { kind: "failed", text: "no" };
    executed.set(id, !chain.fails);
    if (chain.delivery === "lost") throw timeout();
    await alive();
    return chain.fails ? { kind: "failed", text: "no" } : { kind: "ok", returnData: ["01"] };
  };
  const gateway: CallGateway = {
    begin: async ({ id }) => {
      await up();
      begun.push(id);
      if (kind === "query") return { kind: "call", send: () => send(id) };
      shared.transactions += 1;
      const name = `${shared.transactions}`;
      const transaction = preparedTransaction({
        hash: createHash("sha256").update(name).digest("hex"),
        nonce: chain.nextNonce(),
        token: `token-${name}`,
        signUntil: clock.now() + 60_000,
        sendUntil: clock.now() + 180_000,
      });
      return { kind: "request", transaction };
    },
    interrupted: kind === "query" ? "unknown" : "not-sent",
  };

  const recheck = async (): Promise<Draft | undefined> => {
    await alive();
    if (shared.price === "hangs") await shared.released.then(alive);
    if (shared.price === "away") throw timeout();
    return shared.price === "worse" ? { ...fresh, expiresAt: clock.now() + 30_000 } : undefined;
  };
  const events: IntentParts["events"] = new EventEmitter();
  const intents = createIntents({
    store,
    clock,
    log: silent,
    gateway,
    newId: () => `card-${(shared.cards += 1)}`,
    run,
    objection: standingObjection(clock.now),
    noteChange: noteStandingChange(clock.now),
    kinds: {
      recordEffects: async (_tx, { id }) => void effects.push(id),
      flowOf: () => ({ paid: [] }),
      holdings: async () => undefined,
      seen: async () => [],
      isConfigured: async () => shared.isConfigured,
      recheck,
    },
    events,
    outbox: { wakeBy: () => undefined },
    onUnreadable: (error) => void wrong.push(`unreadable: ${String(error)}`),
  });
  const tracker = createTransactionTracker({
    node: node as ChainNode,
    blocks: toldBlocks({ isCurrent: false }).blocks,
    intents,
    present: async () => undefined,
    store,
    clock,
    log: silent,
  });
  events.on("changed", tracker.wakeAfter);
  const pause = createTradingPause({ store, clock });
  const chainCheck: Pick<PeriodicCheck, "assertMatch"> = { assertMatch: async () => undefined };
  const ending = { heading: "", about: "", sentence: "", lines: [] };
  const page = { language: "en", botName: "bot", title: "", figures: [], lines: [], more: [], networkFee: "", ending };
  const requests = createSigningRequests({
    node,
    intents,
    chainId: "109",
    assertOpen: pause.assertOpen,
    chainCheck,
    walletNodeUrl: "",
    walletApiUrl: "",
    clock,
    log: silent,
    describe: async () => page,
    presentWorse: async () => undefined,
  });
  const stopping = new AbortController();
  const working = [intents.expiry.run(stopping.signal), ...(kind === "wallet" ? [tracker.run(stopping.signal)] : [])];
  return {
    intents,
    requests,
    pause,
    store,
    died,
    life,
    die,
    stop: async () => {
      stopping.abort();
      await Promise.race([Promise.all(working), died]);
    },
    change: (next: (person: Person) => Person): Promise<unknown> => store.write((tx) => changePerson(tx, owner, next)),
  };
}

const nameOf = (intent: Intent): string => `${intent.state}/${phaseIn(intent)}`;

/** All intents, and when each is looked at next. */
async function allIn(db: Pick<Transaction, "selectFrom">) {
  const rows = await db.selectFrom("intents").selectAll().orderBy("id").execute();
  return rows.map((row) => ({ ...intentOf(row), isOpen: row.open === 1, dueAt: row.due_at }));
}
type Seen = Awaited<ReturnType<typeof allIn>>[number];

function changesIn(before: readonly Seen[], after: readonly Seen[]): string[] {
  const old = new Map(before.map((one) => [one.id, nameOf(one)]));
  return after.flatMap((one) => {
    const [from, to] = [old.get(one.id), nameOf(one)];
    return from === to ? [] : [`${one.id} ${from ?? "new"} > ${to}`];
  });
}

interface Commit {
  readonly before: readonly Seen[];
  readonly after: readonly Seen[];
  readonly effects: readonly string[];
  readonly chain: Chain;
}

/** What a transaction that is about to be committed must not do. */
async function faultsOf(tx: Transaction, { before, after, effects, chain }: Commit): Promise<string[]> {
  const faults: string[] = [];
  const old = new Map(before.map((one) => [one.id, one]));
  const rows = await tx.selectFrom("outbox").select(["topic", "subject"]).execute();
  const announced = new Set(rows.filter(({ topic }) => topic === "card").map(({ subject }) => subject));
  for (const one of after) {
    const was = old.get(one.id);
    const [state, phase] = [one.state, phaseIn(one)];
    const name = `${one.id} ${was === undefined ? "new" : nameOf(was)} > ${nameOf(one)}`;
    if (was === undefined && state !== "QUOTED") faults.push(`${name}: a card begins as a quote`);
    if (!together[state].includes(phase)) faults.push(`${name}: no such pair`);
    if (was !== undefined && was.state !== state && !nextStates[was.state].includes(state)) {
      faults.push(`${name}: no such step`);
    }
    const before = was === undefined ? "none" : phaseIn(was);
    if (before !== phase && !nextPhases[before].includes(phase)) faults.push(`${name}: no such phase after that one`);
    if (one.times[state] === undefined) faults.push(`${name}: without a time`);
    if (phase !== "none") {
      const isFollowed = one.isOpen && one.dueAt !== null;
      const isSettled = phase === "on-chain" || phase === "abandoned";
      if (isFollowed === isSettled) faults.push(`${name}: ${isFollowed ? "still looked for" : "looked for no more"}`);
    }
    if (phase === "on-chain" && before !== "on-chain") {
      const result = chain.resultOf(one.transaction?.hash ?? "");
      if (!result?.isBuried) faults.push(`${name}: the chain can still say otherwise`);
      if (result !== undefined && result.isOk !== (state === "OK")) faults.push(`${name}: the chain says otherwise`);
    }
    const isAsked = was?.state === "SIGNING" && state !== "SIGNING" && state !== "SENT";
    if (isAsked && chain.find(one.transaction?.hash ?? "") !== undefined) faults.push(`${name}: the chain has it`);
    if (was !== undefined && was.transaction !== undefined && one.transaction?.hash !== was.transaction.hash) {
      faults.push(`${name}: has another transaction`);
    }
    if ((one.outcome !== undefined) !== /^(?:OK|FAILED|UNKNOWN)$/.test(state))
      faults.push(`${name}: ${one.outcome?.kind}`);
    const isEnd = was?.outcome === undefined && one.outcome !== undefined;
    const entered = effects.filter((id) => id === one.id).length;
    if (entered !== (isEnd ? 1 : 0)) faults.push(`${name}: its effects were recorded ${entered} times`);
    const isShown = was !== undefined && was.state !== state && one.replacedBy === undefined;
    const isSilent = state === "SENT" && phase === "none";
    if (isShown && !isSilent && !announced.has(one.id)) faults.push(`${name}: its card isn't shown`);
  }
  const toSign = after.filter((one) => nameOf(one) === "SIGNING/to-sign");
  if (toSign.length > 1) faults.push(`${toSign.map(({ id }) => id).join(" and ")} can both be signed`);
  for (const { id } of before) if (!after.some((one) => one.id === id)) faults.push(`${id} is gone`);
  return faults;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

const disk = createMemoryDisk();

/** A disk, a chain, and one life of the process after the other. */
export async function createWorld(gateway: GatewayKind) {
  // Clearing a disk is cheaper than creating one.
  await disk.open().write(async (tx) => {
    for (const table of ["intents", "users", "settings", "outbox"] as const) await tx.deleteFrom(table).execute();
  });
  const clock = createVirtualClock();
  const chain = createChain();
  let release: () => void = () => undefined;
  const shared: Shared = {
    released: new Promise<void>((resolve) => (release = resolve)),
    gateway,
    clock,
    chain,
    disk,
    wire: [],
    begun: [],
    executed: new Map(),
    wrong: [],
    commits: [],
    price: "holds",
    isConfigured: true,
    hangs: false,
    diesAt: -1,
    moments: 0,
    transactions: 0,
    cards: 0,
    lives: 0,
  };
  let life: Life = startLife(shared);
  await life.change((person) => ({ ...person, wallet: { address: alice, since: 1 } }));

  const find = async (id: string): Promise<Intent> => {
    const intent = (await allIn(disk.open().db)).find((one) => one.id === id);
    if (intent === undefined) throw new Error(`${id} is gone`);
    return intent;
  };
  const signatureOf = (hash: string): string =>
    Buffer.from(signHash(keys.alice, Buffer.from(hash, "hex"))).toString("hex");
  const restart = async (): Promise<void> => {
    life.die();
    shared.diesAt = -1;
    life = startLife(shared);
    await life.intents.recover();
  };
  const restartIfDead = async (): Promise<boolean> => {
    const { isDead } = life.life;
    if (isDead) await restart();
    return isDead;
  };
  /** Does something in the current life, until that ends. */
  const act = (work: (life: Life) => unknown): Promise<unknown> =>
    Promise.race([life.died, Promise.resolve(work(life)).catch(noFault)]);
  /** Opens a card. @returns its id, even if the process dies meanwhile and there is none. */
  const open = async (): Promise<string> => {
    let id = "none";
    await act(async ({ intents }) => {
      ({ id } = await intents.open(owner, chatId, { ...draft, expiresAt: clock.now() + 30_000 }));
    });
    return id;
  };

  return {
    shared,
    chain,
    clock,
    find,
    act,
    open,
    restart,
    restartIfDead,
    nameOf: async (id: string) => nameOf(await find(id)),
    /** Posts the wallet's signature to the signing page. */
    sign: async (id: string): Promise<unknown> => {
      const intent = await find(id);
      if (!isSigned(intent)) return undefined;
      return act(({ requests }) =>
        requests.postSignature(intent.transaction.token, signatureOf(intent.transaction.hash)),
      );
    },
    decline: async (id: string): Promise<unknown> => {
      const intent = await find(id);
      return isSigned(intent) && act(({ requests }) => requests.decline(intent.transaction.token));
    },
    /** The wallet broadcasts by itself what it was once shown. */
    walletBroadcasts: async (id: string): Promise<void> => {
      const intent = await find(id);
      if (!isSigned(intent)) return;
      // Not between a look at the chain and what is written of it.
      await clock.advance(0);
      const { hash, nonce } = intent.transaction;
      chain.enter(hash, nonce, signatureOf(hash));
    },
    stop: () => life.stop(),
    /** Ends all trouble, and lets time pass and blocks be made until nothing is under way and the cards agree with the chain. */
    settle: async (): Promise<void> => {
      Object.assign(chain, { isAway: false, fails: false, delivery: "answered" });
      Object.assign(shared, { price: "holds", isConfigured: true, hangs: false });
      release();
      for (let lap = 0; lap < 90; lap += 1) {
        await restartIfDead();
        await clock.advance(lap < 30 ? 5_000 : 60_000);
        chain.mine();
        const all = await allIn(disk.open().db);
        if (lap > 2 && !life.life.isDead && all.every((one) => isAtRest(one) && isTrue(one, shared))) return;
      }
    },
    /** Everything that is wrong in the end. */
    faults: async (): Promise<string[]> => {
      const faults = [...shared.wrong];
      const all = await allIn(disk.open().db);
      for (const one of all) {
        const sent = shared.wire.filter(({ id }) => id === one.id);
        if (!isAtRest(one)) faults.push(`${one.id} is still ${nameOf(one)}`);
        if (!isTrue(one, shared)) faults.push(`${one.id} says ${nameOf(one)}, unlike the chain`);
        if (gateway === "query" && sent.length > 1) faults.push(`${one.id} was sent ${sent.length} times`);
        if (new Set(sent.map(({ body }) => body)).size > 1) faults.push(`${one.id} left as two bodies`);
        if (shared.begun.filter((id) => id === one.id).length > 1) faults.push(`${one.id} was begun twice`);
      }
      const { total } = await readSums(disk.open().db, clock.now());
      for (const state of ["OK", "FAILED", "UNKNOWN"] as const) {
        const count = all.filter((one) => one.state === state).length;
        if ((total.reached[state] ?? 0) !== count) faults.push(`${count} are ${state}, not ${total.reached[state]}`);
      }
      return faults;
    },
  };
}

/** A fault is an answer like any other. */
function noFault(error: unknown): void {
  if (!(error instanceof Fault)) throw error;
}

/** The loop ends a card once: if the process dies meanwhile, it waits for a tap, which then says that it has expired. */
const isAtRest = ({ state, dueAt }: Seen): boolean => !isUnderWay(state) && (state !== "QUOTED" || dueAt === null);

/** Whether a card says what became of its call, as far as that can be known. */
function isTrue(intent: Intent, { chain, executed, gateway }: Shared): boolean {
  const { state, outcome, transaction } = intent;
  if (gateway === "query") {
    const isOk = executed.get(intent.id);
    if (state === "OK") return isOk === true;
    return state === "UNKNOWN" || isOk !== true;
  }
  const result = transaction && chain.resultOf(transaction.hash);
  const isCharged = outcome?.kind === "failed" && outcome.costsFee === true;
  // Nobody looks for it any more.
  if (phaseIn(intent) === "abandoned") return true;
  if (result === undefined) return state !== "OK" && !isCharged;
  return result.isOk ? state === "OK" : isCharged;
}
