import { z } from "zod";

export interface Token {
  readonly id: string;
  /** What people call it. Never trusted to be unique: the id is. */
  readonly name: string;
  /** Absent when not known: amounts are in base units then. */
  readonly precision?: number;
  readonly kind: "fungible" | "semi-fungible";
}

/** A token of which only the id is known. */
export function unlistedToken(id: string, name = id): Token {
  return { id, name, kind: "fungible" };
}

export const tokenSchema: z.ZodType<Token> = z.object({
  id: z.string(),
  name: z.string(),
  precision: z.number().exactOptional(),
  kind: z.enum(["fungible", "semi-fungible"]),
});
