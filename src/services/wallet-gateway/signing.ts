import type { Address } from "../../encoding/address.js";

/**
 * What the signing page may ask. A request is named by its token alone, 32 random bytes in base64url: whoever has it may
 * look, decline, or bring a signature, and nothing else.
 */
export interface SigningDesk {
  /** What is to be signed. Changes nothing, however often it is asked: Telegram fetches previews of links. */
  readonly request: (token: string) => Promise<SigningRequest | SigningClosed | SigningUnknown>;
  /**
   * Takes the signature of the transaction that `request` gave: 64 bytes in hex. `accepted` once the call is recorded as
   * sent; of several posts at once, one is. After `wrong-signature` the request stays open.
   */
  readonly postSignature: (
    token: string,
    signature: string,
  ) => Promise<{ readonly kind: "accepted" } | { readonly kind: "wrong-signature" } | SigningClosed | SigningUnknown>;
  /** The person said no: the request ends, and nothing is sent. */
  readonly decline: (token: string) => Promise<{ readonly kind: "declined" } | SigningClosed | SigningUnknown>;
}

/** A request that waits for its signature. */
export interface SigningRequest {
  readonly kind: "open";
  readonly language: string;
  /** What the card in the chat shows, line by line, in that language. */
  readonly lines: readonly string[];
  /** At most what the transaction costs besides, with its token: `4.51 KLV`. */
  readonly networkFee: string;
  /** Whose wallet has to sign. */
  readonly address: Address;
  readonly chainId: string;
  /** For the wallet's `provider`; these are public and without credentials. */
  readonly provider: { readonly node: string; readonly api: string };
  readonly secondsLeft: number;
  /** The hash that the wallet has to sign, 64 hex digits. */
  readonly hash: string;
  /** The unsigned transaction in the node's JSON form, for the wallet. Every number in it is below 2^53. */
  readonly transaction: Readonly<Record<string, unknown>>;
}

/** It takes no signature any more: signed, declined, cancelled, expired or replaced. */
export interface SigningClosed {
  readonly kind: "closed";
  readonly language: string;
  /** What became of it, in that language. */
  readonly sentence: string;
  /** Whether that is the end of it; otherwise the chain still has its say. */
  readonly isOver: boolean;
}

/** Nobody knows this token (any more). */
export interface SigningUnknown {
  readonly kind: "unknown";
}
