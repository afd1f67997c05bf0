import { isFault } from "../../fault.js";
import { THREE_SLOTS_MS } from "../../services/chain/block-rhythm.js";
import { MAX_BLOCKS_BACK, serves } from "../../services/chain/block-steps.js";
import type { ChainBlock, ChainReader } from "../../services/chain/read-block.js";

type BlockParts = ChainReader & { readonly now: () => number };

/** What a node's blocks are for the bot. `isWell`: whether it can tell from them what happens as it happens. */
export interface BlockFinding {
  readonly isWell: boolean;
  readonly text: string;
}

/** How many of the last blocks are read, and how many transactions that they lack are asked for. */
const LAST_BLOCKS = 10;
const MAX_LACKING = 20;
const WITHOUT = "nobody can be told what arrives or of big trades, and prices are polled";

/** Reads the last blocks of a node. @throws Fault if it can't be reached. */
export async function examineBlocks({ readBlock, readMoved, height, now }: BlockParts): Promise<BlockFinding> {
  const top = Number(await height());
  const note = (text: string): BlockFinding => ({ isWell: false, text });
  const blocks: ChainBlock[] = [];
  try {
    for (let number = Math.max(0, top - LAST_BLOCKS + 1); number <= top; number += 1) {
      const block = await readBlock(number);
      if (block !== undefined) blocks.push(block);
    }
  } catch (error) {
    if (!serves(error)) return note(`NODE_URL doesn't serve /block/by-nonce: ${WITHOUT}`);
    if (!isFault(error, "answer-unreadable")) throw error;
    return note(`NODE_URL serves blocks in another form than klever-go: ${WITHOUT}`);
  }
  const newest = blocks.at(-1);
  if (newest === undefined)
    return note(`NODE_URL says that it has ${top} blocks, and shows none of the last: ${WITHOUT}`);
  const size = `the last ${blocks.length} take ${kilobytes(totalBytes(blocks) / blocks.length)} kB each, at most ${kilobytes(Math.max(...blocks.map(({ bytes }) => bytes)))}`;
  if (Math.abs(now() - newest.at) > THREE_SLOTS_MS)
    return note(`NODE_URL's newest block isn't of now: the node is catching up, or the clocks differ; ${size}`);
  const lacking = blocks.flatMap(({ missing }) => missing);
  if (lacking.length > 0) return note(`${await sayLacking(readMoved, blocks, lacking)}; ${size}`);
  const oldest = top - MAX_BLOCKS_BACK;
  if (oldest > 0 && (await readBlock(oldest, { withTransactions: false })) === undefined)
    return note(`NODE_URL keeps no blocks of six hours ago: less is told after an absence; ${size}`);
  return { isWell: true, text: `NODE_URL shows blocks, up to ${newest.number}; ${size}` };
}

async function sayLacking(
  readMoved: BlockParts["readMoved"],
  blocks: readonly ChainBlock[],
  lacking: readonly string[],
): Promise<string> {
  let unknown = 0;
  const asked = lacking.slice(0, MAX_LACKING);
  for (const hash of asked) if ((await readMoved(hash)) === undefined) unknown += 1;
  const all = lacking.length + blocks.reduce((count, { transactions }) => count + transactions.length, 0);
  const found =
    unknown === 0 ? "all are found by their hashes" : `${unknown} of ${asked.length} aren't found by their hashes`;
  const why = lacking.length === all ? " (is storagePruning off?)" : "";
  return `NODE_URL leaves ${lacking.length} of ${all} transactions out of its blocks${why}: ${found}, one by one, which is slow`;
}

const totalBytes = (blocks: readonly ChainBlock[]) => blocks.reduce((all, { bytes }) => all + bytes, 0);
const kilobytes = (bytes: number) => Math.ceil(bytes / 1000);
