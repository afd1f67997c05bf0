import type { Address } from "../../encoding/address.js";

/** When something takes effect that was asked for, in milliseconds since 1970. */
interface From {
  readonly from: number;
}

/** A change of what guards a person's money. */
export type GuardChange = From &
  ({ readonly guard: "wallet"; readonly address: Address } | { readonly guard: "unfreeze" });

/**
 * What takes a guard of a person's money away. It takes effect after a while, in which it can be undone: whoever holds the
 * phone for a moment should not be able to make it unnoticed. A raised limit waits with its limit. `forget` takes all away.
 */
export type Later = GuardChange | (From & { readonly guard: "forget" });
