import { endpoint, type Http, type HttpAnswer, type HttpRequest, expectSuccess } from "../clients/http.js";
import { z } from "zod";
import { parseAssetId } from "../../encoding/asset.js";
import type { Token } from "../../encoding/token.js";
import { Fault } from "../../fault.js";
import { parseAs } from "../clients/json.js";

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
