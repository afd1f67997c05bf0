import { onTestFinished } from "vitest";
import { addressOfKey, sign } from "../../../sandbox/node/key.js";
import { hashOf, readJson, writeJson, type RawData } from "../../../sandbox/node/transaction.js";
import { startSandbox } from "../../../sandbox/sandbox.js";
import type { Clock } from "../../../sandbox/telegram/clock.js";
import type { WorldJson } from "../../../sandbox/world.js";
import { addresses } from "../chain/local-chain.js";

/** The test keys of the default world. */
export const keys = {
  alice: "8734062c1158f26a3ca8a4a0da87b527a7c168653f7f4c77045e5cf571497d9d",
  bob: "c579c0e28077debed12568b04d25e792fb6577bdff5fbd19ee09ab6ad7c1953b",
} as const;
export const alice = addressOfKey(keys.alice);
export const bob = addressOfKey(keys.bob);

/** The parts of the node's answers that tests read; which ones are present depends on the request. */
interface NodeData {
  readonly result: { readonly RawData: RawData };
  readonly txHash: string;
  readonly transaction: {
    readonly RawData: RawData;
    readonly status: string;
    readonly logs: { readonly events: readonly NodeEvent[] };
    readonly Receipts: readonly { readonly Data: readonly string[] }[];
  };
  readonly account: Readonly<Record<string, unknown>>;
  readonly nonce: bigint;
  readonly metrics: Readonly<Record<string, unknown>>;
  readonly data: { readonly returnData: readonly string[] };
}

interface NodeEvent {
  readonly identifier: string;
  readonly data: readonly string[];
}

interface Answer {
  readonly status: number;
  readonly body: { readonly data: NodeData; readonly error: string; readonly code: string };
}

export type RealNodeDesk = Awaited<ReturnType<typeof realNodeDesk>>;

export function signedBy(key: string, { RawData }: { RawData: RawData }): object {
  return { tx: { RawData, Signature: [sign(key, hashOf(RawData)).toString("base64")] } };
}

/** The body of `POST /transaction/send` for a swap of 1 KLV by Alice. */
export function swapBody(change: Readonly<Record<string, unknown>> = {}, minimum = "01"): object {
  const referral = Buffer.alloc(32, 7).toString("hex");
  const data = `swap@${referral}@03e8@4b4c56@4b4649@${minimum}`;
  return {
    type: 63,
    sender: alice,
    nonce: 0,
    data: [Buffer.from(data).toString("base64")],
    contract: { scType: 0, address: addresses.referral, callValue: { KLV: 1_000_000 } },
    ...change,
  };
}

/** A real node over HTTP, with a stopped clock, so that blocks are made by hand. */
export async function realNodeDesk(world?: WorldJson, clock: Clock = { now: () => 0, sleep: async () => undefined }) {
  const sandbox = await startSandbox({
    wallet: true,
    clock,
    ...(world !== undefined && { world }),
  });
  onTestFinished(() => sandbox.close());
  const real = sandbox.real!;
  const answer = async (response: Response): Promise<Answer> => ({
    status: response.status,
    body: readJson(await response.text()) as Answer["body"],
  });
  const get = async (path: string) => answer(await fetch(sandbox.url + path));
  const post = async (path: string, body: unknown) =>
    answer(await fetch(sandbox.url + path, { method: "POST", body: writeJson(body) }));
  /** Lets the node build a swap by Alice. */
  const buildSwap = async (change?: Readonly<Record<string, unknown>>): Promise<{ RawData: RawData }> =>
    (await post("/transaction/send", swapBody(change))).body.data.result;
  return {
    sandbox,
    real,
    get,
    post,
    buildSwap,
    /** @returns The hash of a swap by Alice that it builds, signs and broadcasts. */
    sendSwap: async (change?: Readonly<Record<string, unknown>>): Promise<string> =>
      (await post("/transaction/broadcast", signedBy(keys.alice, await buildSwap(change)))).body.data.txHash,
    block: (count = 1) => sandbox.chain.advanceBlocks(count),
    balance: (asset: string): bigint => real.node.accounts.balance(alice, asset),
  };
}
