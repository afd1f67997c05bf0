import { createHash } from "node:crypto";
import { bytesOf, type Address } from "../chain/address.js";
import type { ChainState } from "../chain/state.js";
import { assetOf, isHolder } from "../chain/ledger.js";
import { NATIVE_TOKEN } from "../chain/token-id.js";
import { isSignedBy } from "./key.js";

/** In the place of the root of an account's own trie, which holds all its tokens but the native one. */
function rootHash(state: ChainState, account: Address): string | undefined {
  const own = state.ledger.holdings().filter(({ owner, asset }) => owner === account && asset !== NATIVE_TOKEN);
  const text = own.map(({ asset, units }) => `${asset}=${units}`).sort();
  return text.length === 0 ? undefined : createHash("sha256").update(text.join()).digest("base64");
}

/** The node's view of accounts: nonces, balances, and whose signatures count. */
export function createAccounts(state: ChainState) {
  const declared = new Map(state.world.accounts.map((account) => [account.address, account]));
  const nonces = state.journal.table<Address, bigint>();
  for (const { address, nonce } of declared.values()) if (nonce > 0n) nonces.set(address, nonce);

  const nonce = (account: Address): bigint => nonces.get(account) ?? 0n;
  const balance = (account: Address, asset: string): bigint => state.ledger.balance(account, assetOf(asset));
  const permissionsOf = (account: Address) => declared.get(account)?.permissions ?? [];

  return {
    /** Whether the account ever sent or received anything. */
    isKnown: (account: Address): boolean => nonces.has(account) || isHolder(state.ledger, account),
    nonces,
    nonce,
    balance,
    /** The account as in `GET /address/{address}`, without zeros. */
    describe: (account: Address): object => {
      const permissions = permissionsOf(account).map(({ id, threshold, signers }) => ({
        ...(id > 0n && { ID: id }),
        Threshold: threshold,
        Signers: signers.map(({ address, weight }) => ({ address: base64(address), weight })),
      }));
      return {
        Address: base64(account),
        ...(rootHash(state, account) !== undefined && { RootHash: rootHash(state, account) }),
        ...(nonce(account) > 0n && { Nonce: nonce(account) }),
        ...(balance(account, NATIVE_TOKEN) > 0n && { Balance: balance(account, NATIVE_TOKEN) }),
        ...(permissions.length > 0 && { Permissions: permissions }),
      };
    },
    /** @returns why the signatures don't count for the account; undefined if they do. */
    signatureProblem: (
      account: Address,
      permissionId: bigint,
      hash: Buffer,
      signatures: readonly Buffer[],
    ): string | undefined => {
      const permissions = permissionsOf(account);
      const own = { id: 0n, threshold: 1n, signers: [{ address: account, weight: 1n }] };
      const permission = (permissions.length > 0 ? permissions : [own]).find(({ id }) => id === permissionId);
      if (permission === undefined) return "permission not found";
      if (signatures.some(({ length }) => length !== 64)) return "invalid signature length";
      let weight = 0n;
      for (const signature of signatures) {
        const signer = permission.signers.find(({ address }) => isSignedBy(address, hash, signature));
        if (signer === undefined) return "invalid signature";
        weight += signer.weight;
      }
      return weight < permission.threshold
        ? `invalid signature threshold: (${weight}/${permission.threshold})`
        : undefined;
    },
  };
}

function base64(address: Address): string {
  return bytesOf(address).toString("base64");
}
