import type { Address } from "../chain/address.js";
import type { ChainState } from "../chain/state.js";
import { altered } from "./alterations.js";
import { addressOfKey, sign } from "./key.js";
import type { ChainNode } from "./node.js";
import { hashOf, transaction, type Transaction } from "./transaction.js";

/**
 * What the wallet does when asked for a signature: it `signs`; `asks` its owner first, in its own window; shows
 * `another-account`; `declines`; signs an `altered` transaction or `another-hash`; signs and `broadcasts`; appears
 * `late` on the page; `waits` for its owner until the mode changes; or is `absent`.
 */
export const walletModes = [
  "signs",
  "asks",
  "another-account",
  "declines",
  "altered",
  "another-hash",
  "broadcasts",
  "late",
  "waits",
  "absent",
] as const;
export type WalletMode = (typeof walletModes)[number];

/** What a page finds: `kleverHub` with `kleverWeb`, as in today's extensions, or only the older `kleverWeb`. */
export const walletShapes = ["hub", "web"] as const;
type WalletShape = (typeof walletShapes)[number];

export type Wallet = ReturnType<typeof createWallet>;

/** A wallet with the world's test keys: the extension behind `window.kleverWeb`. */
export function createWallet(state: ChainState, node: ChainNode) {
  const keys = new Map(
    state.world.accounts.flatMap(({ privateKey }) =>
      privateKey === undefined ? [] : [[addressOfKey(privateKey), privateKey]],
    ),
  );
  const accounts = [...keys.keys()];
  let mode: WalletMode = "signs";
  let shape: WalletShape = "hub";
  let chosen = accounts[0];
  const waiting = new Set<() => void>();

  /** The account that the wallet presents. */
  const account = (): Address | undefined =>
    mode === "another-account" ? accounts.find((each) => each !== chosen) : chosen;

  const signed = ({ RawData: raw }: Transaction, hash = hashOf(raw)): Transaction => {
    const privateKey = keys.get(account() ?? ("" as Address));
    if (privateKey === undefined) throw new Error("the wallet has no account");
    return { RawData: raw, Signature: [sign(privateKey, hash).toString("base64")] };
  };

  return {
    accounts,
    mode: () => mode,
    shape: () => shape,
    account,
    set: (change: {
      mode?: WalletMode | undefined;
      shape?: WalletShape | undefined;
      account?: Address | undefined;
    }): void => {
      mode = change.mode ?? mode;
      shape = change.shape ?? shape;
      chosen = change.account ?? chosen;
      if (mode === "waits") return;
      for (const goOn of waiting) goOn();
      waiting.clear();
    },
    /** Signs a transaction. @throws Error with the wallet's message. */
    sign: async (json: unknown): Promise<Transaction> => {
      const asked = transaction.parse(json);
      if (mode === "waits") await new Promise<void>((resolve) => waiting.add(resolve));
      switch (mode) {
        case "declines":
          throw new Error("User rejected the request");
        case "altered":
          return signed({ RawData: altered({ raw: asked.RawData, hash: "" }, "amount").raw });
        case "another-hash":
          return signed(asked, Buffer.alloc(32, 1));
        case "broadcasts": {
          const result = signed(asked);
          node.broadcast({ tx: result });
          return result;
        }
        default:
          return signed(asked);
      }
    },
  };
}
