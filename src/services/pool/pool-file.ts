import { z } from "zod";
import { parseContractAddress } from "../../encoding/address.js";
import { isTokenId } from "../../encoding/asset.js";
import { listFile, type ListFile } from "../token/list-file.js";
import type { Pool } from "./pool.js";

const units = z
  .string()
  .regex(/^(?:0|[1-9][0-9]*)$/, "is not an amount in smallest units")
  .transform(BigInt);
const tokenId = z.string().refine(isTokenId, "is not a token id");

const poolSchema = z.object({
  address: z.string().transform((text, context) => {
    try {
      return parseContractAddress(text);
    } catch {
      context.addIssue({ code: "custom", message: "address is not the klv1… address of a contract" });
      return z.NEVER;
    }
  }),
  first: tokenId,
  second: tokenId,
  reserveFirst: units,
  reserveSecond: units,
  feePercent: z.int().min(0).max(99_999).default(300).transform(BigInt),
  state: z.enum(["Inactive", "Active", "PartialActive"]).default("Active"),
});

/**
 * Pools for nodes without the router's views: entries `{address, first, second, reserveFirst, reserveSecond, feePercent, state}`,
 * reserves as text in smallest units, the fee base 100000. The file's faults are `pools-file-invalid`.
 */
export function poolFile(file: string): ListFile<Pool> {
  return listFile(file, z.array(poolSchema, "it is not a JSON array"), "pools-file-invalid");
}
