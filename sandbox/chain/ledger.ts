import { ZERO_ADDRESS, type Address } from "./address.js";
import { CallFailure } from "./failure.js";
import type { Journal } from "./journal.js";
import { NATIVE_TOKEN } from "./token-id.js";

/** A fungible token (nonce 0), or one nonce of a semi-fungible token. */
export interface Asset {
  readonly tokenId: string;
  readonly nonce: bigint;
}

export interface Payment extends Asset {
  /** In base units. */
  readonly units: bigint;
}

/** A movement of units. What is minted comes from the zero address, what is burned goes there. */
export interface Transfer extends Payment {
  readonly from: Address;
  readonly to: Address;
}

/** `KLV`, or `LKTOK-1A2B/7`. */
export function assetText(asset: Asset): string {
  return asset.nonce === 0n ? asset.tokenId : `${asset.tokenId}/${asset.nonce}`;
}

/** The reverse of {@link assetText}, for validated texts. */
export function assetOf(text: string): Asset {
  const [tokenId = "", nonce = "0"] = text.split("/");
  return { tokenId, nonce: BigInt(nonce) };
}

/**
 * All balances. Units are created only by `mint` and destroyed only by `burn`; an asset's supply is what was minted
 * less what was burned, and equals the sum of its balances. Spending more than a balance throws a CallFailure.
 */
export function createLedger(journal: Journal) {
  const balances = journal.table<string, bigint>();
  const supplies = journal.table<string, bigint>();

  /** Those of the `recorded` that is running. */
  let transfers: Transfer[] | undefined;

  const keyOf = (owner: Address, asset: Asset): string => `${owner} ${assetText(asset)}`;
  const balance = (owner: Address, asset: Asset): bigint => balances.get(keyOf(owner, asset)) ?? 0n;
  const supply = (asset: Asset): bigint => supplies.get(assetText(asset)) ?? 0n;
  const credit = (owner: Address, payment: Payment): void => {
    balances.set(keyOf(owner, payment), balance(owner, payment) + payment.units);
  };
  const debit = (owner: Address, payment: Payment): void => {
    const left = balance(owner, payment) - payment.units;
    if (left < 0n) {
      const isNative = payment.tokenId === NATIVE_TOKEN;
      throw new CallFailure(
        isNative ? "failed transfer (insufficient funds)" : "insufficient funds",
        "VMExecutionFailed",
      );
    }
    balances.set(keyOf(owner, payment), left);
  };

  return {
    balance,
    supply,
    mint: (owner: Address, payment: Payment): void => {
      credit(owner, payment);
      supplies.set(assetText(payment), supply(payment) + payment.units);
      transfers?.push({ ...payment, from: ZERO_ADDRESS, to: owner });
    },
    burn: (owner: Address, payment: Payment): void => {
      debit(owner, payment);
      supplies.set(assetText(payment), supply(payment) - payment.units);
      transfers?.push({ ...payment, from: owner, to: ZERO_ADDRESS });
    },
    transfer: (from: Address, to: Address, payment: Payment): void => {
      debit(from, payment);
      credit(to, payment);
      transfers?.push({ ...payment, from, to });
    },
    /** Runs the work, and returns what it moved, in order, along with its result. */
    recorded: <Result>(work: () => Result): { readonly result: Result; readonly transfers: readonly Transfer[] } => {
      const own: Transfer[] = [];
      transfers = own;
      try {
        return { result: work(), transfers: own };
      } finally {
        transfers = undefined;
      }
    },
    /** Every balance above zero. */
    holdings: () =>
      balances.entries().flatMap(([key, units]) => {
        const [owner, asset = ""] = key.split(" ");
        return units === 0n ? [] : [{ owner: owner as Address, asset, units }];
      }),
    supplies: () => supplies.entries(),
  };
}

export function isHolder(ledger: ReturnType<typeof createLedger>, account: Address): boolean {
  return ledger.holdings().some(({ owner }) => owner === account);
}
