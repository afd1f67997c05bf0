import { createHash } from "node:crypto";
import type { Address } from "../chain/address.js";
import type { Chain } from "../chain/chain.js";
import type { Table } from "../chain/journal.js";
import { NATIVE_TOKEN } from "../chain/token-id.js";
import { carryOut, type Outcome } from "./execution.js";
import type { Fees } from "./fees.js";
import { senderOf, type Transaction } from "./transaction.js";

/** A transaction that the node accepted, and its outcome once it is in a block. */
export interface Known {
  readonly hash: string;
  readonly transaction: Transaction;
  readonly block?: number;
  readonly outcome?: Outcome;
}

/** A block as it was committed. Hashes are hex; a block that takes the place of an undone one has another. */
export interface Block {
  readonly nonce: number;
  readonly hash: string;
  readonly parentHash: string;
  /** In milliseconds since 1970. */
  readonly timestamp: number;
  readonly included: readonly Known[];
}

/** Number of recent blocks that a node shows, and that can be rolled back. */
const KEPT_BLOCKS = 20_000;
const REVERSIBLE_BLOCKS = 10;
/** How long a node remembers a transaction (klever-go config/node/config.yaml). */
const REMEMBERED_EPOCHS = 10;

/**
 * The pool of waiting transactions, and the blocks that execute them.
 * @param parts.nonces the next nonce of each account; `costs` returns the current ones.
 */
export function createBlocks(
  chain: Chain,
  parts: {
    readonly nonces: Table<Address, bigint>;
    readonly costs: () => { readonly fees: Fees; readonly usesMoreGas: boolean };
  },
) {
  const { state, time } = chain;
  const { nonces, costs } = parts;
  let waiting: Known[] = [];
  const included = new Map<string, Known>();
  const blocks: (Block & { readonly undo: () => void })[] = [];
  const kept = new Map<number, Block>();
  let made = 0;
  let last = time.block();

  const nonceOf = (sender: Address): bigint => nonces.get(sender) ?? 0n;
  const nonceIn = ({ transaction }: Known): bigint => transaction.RawData.Nonce ?? 0n;
  const feeOf = ({ transaction: { RawData: raw } }: Known): bigint => (raw.BandwidthFee ?? 0n) + (raw.KAppFee ?? 0n);

  /** Of the transactions with their account's next nonce, the one with the highest fee. */
  const next = (): Known | undefined =>
    waiting
      .filter((known) => nonceIn(known) === nonceOf(senderOf(known.transaction.RawData)))
      .sort((one, other) => (feeOf(one) > feeOf(other) ? -1 : 1))[0];

  const first = last;
  const hashBefore = (nonce: number) => createHash("sha256").update(`${nonce}`).digest("hex");
  const keep = (nonce: number, done: readonly Known[]): Block => {
    made += 1;
    const parentHash = kept.get(nonce - 1)?.hash ?? hashBefore(nonce - 1);
    const hash = createHash("sha256").update(`${nonce} ${parentHash} ${made}`).digest("hex");
    const block = { nonce, hash, parentHash, timestamp: time.at(nonce), included: done };
    kept.set(nonce, block);
    kept.delete(nonce - KEPT_BLOCKS);
    return block;
  };
  const makeBlock = (block: number): readonly Known[] => {
    const done: Known[] = [];
    const { undo } = state.journal.recorded(() => {
      for (let known = next(); known !== undefined; known = next()) {
        const chosen = known;
        const raw = chosen.transaction.RawData;
        const sender = senderOf(raw);
        waiting = waiting.filter((each) => each !== chosen);
        if (state.ledger.balance(sender, { tokenId: NATIVE_TOKEN, nonce: 0n }) < feeOf(chosen)) continue;
        nonces.set(sender, nonceOf(sender) + 1n);
        const moment = { block: () => block, epoch: () => time.epoch(block) };
        done.push({ ...chosen, block, outcome: carryOut(state, moment, costs(), raw) });
      }
    });
    for (const known of done) included.set(known.hash, known);
    blocks.push({ ...keep(block, done), undo });
    if (blocks.length > REVERSIBLE_BLOCKS) blocks.shift();
    // A transaction whose nonce has been used can never be executed.
    waiting = waiting.filter((known) => nonceIn(known) >= nonceOf(senderOf(known.transaction.RawData)));
    return done;
  };

  const forget = (): void => {
    const oldest = last - REMEMBERED_EPOCHS * state.world.chain.blocksPerEpoch;
    for (const [hash, { block = 0 }] of included) {
      if (block >= oldest) return;
      included.delete(hash);
    }
  };

  // What came before the world began is empty.
  const before = (nonce: number): Block | undefined => {
    if (nonce >= first || nonce < 0) return undefined;
    const [hash, parentHash] = [hashBefore(nonce), hashBefore(nonce - 1)];
    return { nonce, hash, parentHash, timestamp: time.at(nonce), included: [] };
  };
  keep(first, []);

  /** Makes the blocks that are due. */
  const catchUp = (): void => {
    const now = time.block();
    let changed = false;
    while (last < now) {
      last += 1;
      const isIdle = makeBlock(last).length === 0;
      changed ||= !isIdle;
      // Nothing is added to the pool meanwhile, so the others are empty, too.
      const empty = isIdle ? now - REVERSIBLE_BLOCKS : last;
      if (empty - last > KEPT_BLOCKS) last = empty - KEPT_BLOCKS;
      while (last < empty) keep((last += 1), []);
    }
    forget();
    if (changed) chain.changed();
  };

  return {
    add: (known: Known): void => {
      if (!waiting.some(({ hash }) => hash === known.hash)) waiting.push(known);
    },
    find: (hash: string): Known | undefined => waiting.find((known) => known.hash === hash) ?? included.get(hash),
    pool: (sender?: Address): readonly Known[] =>
      waiting.filter(({ transaction: { RawData: raw } }) => sender === undefined || senderOf(raw) === sender),
    /** Transactions in blocks, oldest first. */
    onChain: (): readonly Known[] => [...included.values()],
    /** Drops everything that waits, as real pools do after a time or when full. */
    emptyPool: (): void => {
      waiting = [];
    },
    catchUp,
    /** The blocks that can be rolled back, oldest first. */
    recent: (): readonly Block[] => blocks,
    at: (nonce: number): Block | undefined => kept.get(nonce) ?? before(nonce),
    /** Undoes the last blocks; their transactions wait again. */
    rollBack: (count: number): void => {
      catchUp();
      const undoneBlocks = blocks.splice(-count).reverse();
      for (const { nonce, undo, included: undone } of undoneBlocks) {
        undo();
        kept.delete(nonce);
        for (const { hash, transaction } of undone) {
          included.delete(hash);
          waiting.push({ hash, transaction });
        }
      }
      time.skipBlocks(-undoneBlocks.length);
      last -= undoneBlocks.length;
      chain.changed();
    },
  };
}
