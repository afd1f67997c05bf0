import { addressFromBytes, type Address } from "../../../src/encoding/address.js";
import { type Arrived, arrivalsTopic, createArrivals } from "../../../src/services/alerts/arrivals.js";
import { createBlocks } from "../../../src/services/chain/blocks.js";
import type { MovedTransaction } from "../../../src/services/chain/read-block.js";
import type { Transfer } from "../../../src/services/chain/transfers.js";
import { hasCalledAround, hasSigned } from "../../../src/services/intent/queries.js";
import { createPoolGraph } from "../../../src/services/market/route.js";
import { tokenListOf } from "../../../src/services/market/token-list.js";
import { changePerson, newPerson, type Person, putPerson } from "../../../src/services/person/person.js";
import { createChainOfBlocks } from "../../support/chain-of-blocks.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { poolOf } from "../market/pool-samples.js";
import { kfi, klv } from "../samples.js";
import { createChats } from "./chats.js";

export const MINUTE = 60_000;
export const KLV = 1_000_000n;

const bytesOf = (number: number) => Buffer.alloc(32, number % 251).fill(1 + (number >> 8), 0, 8);
/** The address of a person. */
export const addressOf = (userId: number): Address => addressFromBytes(bytesOf(userId));
export const accountOf = (userId: number): string => bytesOf(userId).toString("base64");
export const STRANGER = bytesOf(250).toString("base64");
export const CONTRACT = Buffer.from(bytesOf(200)).fill(0, 0, 8).toString("base64");

/** A chain, and a bot that tells people what it brings them. KFI has a pool, in which one is worth 100 KLV. */
export function createArrivalsWorld() {
  const clock = createVirtualClock(1_700_000_000_000);
  const chain = createChainOfBlocks(clock);
  const graph = createPoolGraph([poolOf(1, ["KFI", 1000n * KLV], ["KLV", 100_000n * KLV])]);
  let count = 0;
  let coming: MovedTransaction[] = [];
  const read = ({ amounts }: Arrived) => amounts.map(([asset, units]) => `${units} ${asset}`).join(", ");
  const world = Object.assign(createChats(clock, read), {
    chain,
    hasPools: true,
    /** A transaction in the next block. */
    pay: (
      userId: number,
      units: bigint,
      { asset = "KLV", from = STRANGER, more = [] as readonly Transfer[], isOk = true } = {},
    ): MovedTransaction => {
      const hash = (count += 1).toString(16).padStart(64, "0");
      const paid = { hash, block: 0, isOk, transfers: [{ from, to: accountOf(userId), asset, units }, ...more] };
      coming.push(paid);
      return paid;
    },
    /** Slots pass, each with a block. @param again what the first of them holds besides. */
    blocks: async (number: number, again: readonly MovedTransaction[] = []): Promise<void> => {
      let more = again;
      for (let at = 0; at < number; at += 1) {
        const now = coming;
        coming = [];
        await chain.slot([...now, ...more]);
        more = [];
      }
    },
    shorts: () => world.told.map(({ userId, what }) => `${userId}: ${what}`),
    start: () => {
      const { shared, run } = world.begin(arrivalsTopic({ clock }));
      const blocks = createBlocks({ ...chain.node, ...shared });
      const pools = { known: async () => (world.hasPools ? graph : undefined) };
      const arrivals = createArrivals({
        ...shared,
        blocks,
        calls: { hasSigned, hasCalledAround },
        pools,
        tokens: tokenListOf([klv, kfi]),
      });
      const process = run([blocks.run, ...arrivals.loops]);
      const change = (id: number, fields: Partial<Person>) =>
        process.store.write((tx) => changePerson(tx, id, (before) => ({ ...before, ...fields })));
      const put = (id: number, address = addressOf(id)) =>
        process.store.write((tx) => putPerson(tx, id, { ...newPerson(id), wallet: { address, since: 0 } }));
      return { ...process, arrivals, blocks, change, put };
    },
  });
  return world;
}
