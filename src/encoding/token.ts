import { z } from "zod";

export interface Token {
  readonly id: string;
  /** Not unique: the id is. */
  readonly name: string;
  /** Unknown when absent: amounts are then in base units. */
  readonly precision?: number;
  readonly kind: "fungible" | "semi-fungible";
}

export function unlistedToken(id: string, name = id): Token {
  return { id, name, kind: "fungible" };
}

export const tokenSchema: z.ZodType<Token> = z.object({
  id: z.string(),
  name: z.string(),
  precision: z.number().exactOptional(),
  kind: z.enum(["fungible", "semi-fungible"]),
});
