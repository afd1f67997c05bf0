import type { Address } from "../encoding/address.js";

/**
 * A change that takes a guard of a person's money away. It takes effect after a while, in which it can be undone: whoever holds the
 * phone for a moment should not be able to make it unnoticed. A raised limit waits with its limit.
 */
export type Later = {
  /** In milliseconds since 1970. */
  readonly from: number;
} & ({ readonly guard: "wallet"; readonly address: Address } | { readonly guard: "unfreeze" });
