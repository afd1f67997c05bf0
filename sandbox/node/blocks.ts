import type { Address } from "../chain/address.js";
import type { Chain } from "../chain/chain.js";
import type { Table } from "../chain/journal.js";
import { NATIVE_TOKEN } from "../chain/token-id.js";
import { carryOut, type Outcome } from "./execution.js";
import type { Fees } from "./fees.js";
import { senderOf, type Transaction } from "./transaction.js";

/** A transaction that the node took, and once it is in a block, what became of it. */
export interface Known {
  readonly hash: string;
  readonly transaction: Transaction;
  readonly block?: number;
  readonly outcome?: Outcome;
}

interface Block {
  readonly undo: () => void;
  readonly included: readonly Known[];
}

/** How many of the last blocks can be taken back. */
const REVERSIBLE_BLOCKS = 10;
/** For how long a node answers for a transaction (klever-go config/node/config.yaml). */
const REMEMBERED_EPOCHS = 10;

/**
 * The pool of what waits, and the blocks that carry it out.
 * @param parts.nonces the next nonce of each account; `costs` are those of the moment.
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
  const blocks: Block[] = [];
  let last = time.block();

  const nonceOf = (sender: Address): bigint => nonces.get(sender) ?? 0n;
  const nonceIn = ({ transaction }: Known): bigint => transaction.RawData.Nonce ?? 0n;
  const feeOf = ({ transaction: { RawData: raw } }: Known): bigint => (raw.BandwidthFee ?? 0n) + (raw.KAppFee ?? 0n);

  /** The dearest of those whose turn it is. */
  const next = (): Known | undefined =>
    waiting
      .filter((known) => nonceIn(known) === nonceOf(senderOf(known.transaction.RawData)))
      .sort((one, other) => (feeOf(one) > feeOf(other) ? -1 : 1))[0];

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
    blocks.push({ undo, included: done });
    if (blocks.length > REVERSIBLE_BLOCKS) blocks.shift();
    // What has another's nonce can never be executed.
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

  /** Makes the blocks for which it is time. */
  const catchUp = (): void => {
    const now = time.block();
    let changed = false;
    while (last < now) {
      last += 1;
      const isIdle = makeBlock(last).length === 0;
      changed ||= !isIdle;
      // Nothing comes into the pool meanwhile; of the empty blocks only those that can be taken back matter.
      if (isIdle) last = Math.max(last, now - REVERSIBLE_BLOCKS);
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
    /** In a block, oldest first. */
    onChain: (): readonly Known[] => [...included.values()],
    /** Forgets everything that waits, as a pool does by time and size. */
    emptyPool: (): void => {
      waiting = [];
    },
    catchUp,
    /** Takes the last blocks back; what they carried waits again. */
    rollBack: (count: number): void => {
      catchUp();
      const undoneBlocks = blocks.splice(-count).reverse();
      for (const { undo, included: undone } of undoneBlocks) {
        undo();
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
