import { z } from "zod";

/** A token as the token list or the node describes it. */
export interface Token {
  readonly id: string;
  /** What people call it. Never trusted to be unique: the id is. */
  readonly name: string;
  /** Decimals between a whole token and its smallest unit. Absent when not known: then only smallest units are shown. */
  readonly precision?: number;
  readonly kind: "fungible" | "semi-fungible";
}

/** A token of which only the id is known: its amounts are shown in smallest units, which is always true. */
export function unlistedToken(id: string, name = id): Token {
  return { id, name, kind: "fungible" };
}

/** A token in what is stored. */
export const tokenSchema: z.ZodType<Token> = z.object({
  id: z.string(),
  name: z.string(),
  precision: z.number().exactOptional(),
  kind: z.enum(["fungible", "semi-fungible"]),
});
