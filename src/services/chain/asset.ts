import * as z from "zod";
import { addressFromBytes, parseAddress, type Address } from "../../encoding/address.js";
import { NATIVE_TOKEN, parseAssetId, type Token } from "../../encoding/amount.js";
import { Fault, unlessFaultSync } from "../../fault.js";
import { expectSuccess, isSuccess, parseAs, wholeOrText } from "../base/http.js";
import { askNode, dataOf, isNotFound, type NodeParts } from "./node.js";

/** An issuer can make the answer long: beyond this, or with more roles, nothing of it is believed. */
const MAX_ASSET_BYTES = 4 * 1024 * 1024;
export const MAX_ROLES = 100_000;
const MAX_I64 = (1n << 63n) - 1n;
const HUNDRED_PERCENT = 10_000n;

/** klever-go leaves out what is zero, false or empty (kapps/kda.pb.go). */
const orElse = <Schema extends z.ZodType>(leftOut: unknown, schema: Schema) =>
  z.preprocess((value) => value ?? leftOut, schema);
const right = orElse(false, z.boolean());
const wholeNumber = orElse(0n, z.bigint().min(0n).max(MAX_I64));
/** Bytes are in base64. Undefined for nobody's address. */
const account = orElse(
  "",
  z.string().transform((text, context): Address | undefined => {
    const bytes = Buffer.from(text, "base64");
    if (bytes.every((byte) => byte === 0)) return undefined;
    const address = unlessFaultSync(() => (text.startsWith("klv1") ? parseAddress(text) : addressFromBytes(bytes)));
    if (address === undefined) context.addIssue("no address");
    return address;
  }),
);

const properties = { CanWipe: right, CanPause: right, CanMint: right, CanBurn: right, LimitTransfer: right };
const role = z.object({ Address: account, HasRoleMint: right, HasRoleDeposit: right, HasRoleTransfer: right });
/** Counted before they are read. */
const roles = z
  .unknown()
  .refine((value) => !Array.isArray(value) || value.length <= MAX_ROLES)
  .pipe(z.array(role));
const band = z.object({ Amount: wholeNumber, Percentage: orElse(0n, z.bigint().min(0n).max(HUNDRED_PERCENT)) });
const royalties = { TransferFixed: wholeNumber, TransferPercentage: orElse([], z.array(band)) };

/** Texts that the issuer chose, such as its name, are not among them. */
const nodeAssetSchema = z.object({
  ID: orElse("", z.string()),
  AssetType: z.union([z.bigint(), z.string()]).nullish(),
  Precision: orElse(0n, z.bigint().min(0n).max(30n)),
  OwnerAddress: account,
  CirculatingSupply: wholeNumber,
  MaxSupply: wholeNumber,
  Properties: orElse({}, z.object(properties)),
  Attributes: orElse({}, z.object({ IsPaused: right, IsRoyaltiesChangeStopped: right })),
  Roles: orElse([], roles),
  Royalties: orElse({}, z.object(royalties)),
});
const assetAnswer = dataOf({ asset: orElse({}, nodeAssetSchema) });
/** A token as klever-go writes it, with what it leaves out. */
export type NodeAsset = z.infer<typeof nodeAssetSchema>;

/**
 * @throws Fault `token-nonexistent`, `assets-untold` if the node doesn't serve tokens, `answer-unreadable`, `service-…`.
 */
export async function readAsset(node: NodeParts, id: string): Promise<NodeAsset> {
  const answer = await askNode(node, `asset/${id}`, { maximumBytes: MAX_ASSET_BYTES });
  const { status } = answer;
  if (isNotFound(answer, "asset")) throw new Fault("token-nonexistent", { token: id, ids: [] });
  if (status === 404 && id !== NATIVE_TOKEN && isSuccess(await askNode(node, `asset/${NATIVE_TOKEN}`))) {
    throw new Fault("token-nonexistent", { token: id, ids: [] });
  }
  if ([404, 405, 501].includes(status)) throw new Fault("assets-untold", { status });
  expectSuccess("node", answer);
  const reason = `no token ${id} in the node's answer`;
  const { asset } = parseAs(assetAnswer, answer.text, wholeOrText, reason).data;
  // All fields are left out for a token that doesn't exist.
  if (asset.ID === "") throw new Fault("token-nonexistent", { token: id, ids: [] });
  if (![id, Buffer.from(id).toString("base64")].includes(asset.ID)) throw new Fault("answer-unreadable", { reason });
  return asset;
}

/**
 * Reads a token from the node, named by its ticker, since anybody can choose any name.
 * @throws Fault `asset-invalid`, and as {@link readAsset}.
 */
export async function readListedToken(node: NodeParts, text: string): Promise<Token> {
  const { tokenId: id } = parseAssetId(text);
  const { AssetType: type, Precision: precision } = await readAsset(node, id);
  // A non-fungible token has nonces, too, so that no amount of it can be paid.
  const hasNonces = [1n, 2n, "NonFungible", "SemiFungible"].includes(type ?? 0n);
  const kind = hasNonces ? "semi-fungible" : "fungible";
  // oxlint-disable-next-line money/no-floating-point -- a count of decimals
  return { id, name: id.replace(/-.*/, ""), precision: Number(precision), kind };
}
