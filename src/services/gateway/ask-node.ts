import type { Logger } from "pino";
import { z } from "zod";
import { within, type Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { parseAssetId, type Token } from "../../encoding/amount.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import { endpoint, expectSuccess, parseAs, wholeOrText } from "../clients/http.js";
import type { Http, HttpAnswer, HttpRequest } from "../clients/http.js";
import type { Holdings } from "../intent/kind.js";
import { createKeyedQueue } from "../limits/keyed-queue.js";

export interface NodeParts {
  readonly nodeUrl: string;
  readonly http: Http;
}

/** A GET, or a POST where there is a body of JSON. Retried unless `retry` says no. @throws as {@link Http.request}. */
export function askNode(
  { nodeUrl, http }: NodeParts,
  path: string,
  more: Partial<Pick<HttpRequest, "body" | "retry" | "maximumBytes">> = {},
): Promise<HttpAnswer> {
  return http.request({ service: "node", url: endpoint(nodeUrl, path), retry: true, ...more });
}

const MAX_ASSET_BYTES = 256 * 1024;

/** klever-go writes no empty fields. */
const assetSchema = z.object({
  ID: z.string(),
  AssetType: z.union([z.number(), z.string()]).optional(),
  Precision: z.number().int().min(0).max(30).default(0),
});
const assetAnswer = z.object({ data: z.object({ asset: assetSchema }) });

/**
 * A token as the node describes it, named by its ticker: anybody can choose any name.
 * @throws Fault `asset-invalid`, `token-unknown`, `answer-unreadable`, `service-…`.
 */
export async function readListedToken(node: NodeParts, text: string): Promise<Token> {
  const { tokenId: id } = parseAssetId(text);
  const answer = await askNode(node, `asset/${id}`, { maximumBytes: MAX_ASSET_BYTES });
  if (answer.status === 404) throw new Fault("token-unknown", { text: id, ids: [] });
  expectSuccess("node", answer);
  const reason = `no token ${id} in the node's answer`;
  const { ID, AssetType: type, Precision: precision } = parseAs(assetAnswer, answer.text, Number, reason).data.asset;
  if (ID !== id) throw new Fault("answer-unreadable", { reason });
  const kind = type === 2 || type === "SemiFungible" ? "semi-fungible" : "fungible";
  return { id, name: id.replace(/-.*/, ""), precision, kind };
}

const balanceAnswer = z.object({ data: z.object({ balance: z.bigint().nonnegative() }) });

/**
 * In base units.
 * @throws Fault `balances-untold` for a node without the read, `account-unknown`, `service-…`, `answer-unreadable`.
 */
export async function readBalance(node: NodeParts, address: Address, asset: string): Promise<bigint> {
  const answer = await askNode(node, `address/${address}/balance?asset=${encodeURIComponent(asset)}`);
  // An account that never received anything is answered as an error of the server.
  if (answer.status >= 400 && /account (?:was )?not found/i.test(answer.text)) {
    throw new Fault("account-unknown", { address });
  }
  if ([404, 405, 501].includes(answer.status)) throw new Fault("balances-untold", {});
  expectSuccess("node", answer);
  return parseAs(balanceAnswer, answer.text, wholeOrText, "a balance in another form").data.balance;
}

/** When a node without the read is asked again. */
const RETRY_READ_MS = 600_000;
const TIMEOUT_MS = 1500;
const MAX_CONCURRENT_READS = 8;

/** What accounts hold. A node that does not offer the read is left alone for a while. */
export type Balances = ReturnType<typeof createBalances>;

export function createBalances(parts: NodeParts & { readonly clock: Clock; readonly log: Logger }) {
  const { clock, log } = parts;
  const queue = createKeyedQueue(MAX_CONCURRENT_READS);
  let untoldUntil = Number.NEGATIVE_INFINITY;
  /** False where the node did not offer the read when it was asked last. */
  const areTold = (): boolean => clock.monotonic() >= untoldUntil;

  const readOne = async (address: Address, asset: string) => {
    if (!areTold()) throw new Fault("balances-untold", {});
    const units = await readBalance(parts, address, asset).catch((error: unknown) => {
      if (isFault(error, "balances-untold")) untoldUntil = clock.monotonic() + RETRY_READ_MS;
      throw error;
    });
    return [asset, units] as const;
  };
  /** How much an account holds of some assets (`KLV`, `LKTOK-1A2B/7`). @throws as {@link readBalance}. */
  const read = async (address: Address, assets: readonly string[]): Promise<Holdings> => {
    const held = assets.map((asset) => queue.take(`${address} ${asset}`, () => readOne(address, asset)));
    return Object.fromEntries(await Promise.all(held));
  };
  /** Undefined where the node does not answer in a moment. Never throws a Fault. */
  const known = (address: Address, assets: readonly string[]): Promise<Holdings | undefined> => {
    const told = unlessFault(
      () => read(address, assets),
      (err) => {
        if (err.code !== "balances-untold") log.info({ err }, "Balances unreadable");
      },
    );
    return within(clock, TIMEOUT_MS, told);
  };

  return { areTold, read, known };
}
