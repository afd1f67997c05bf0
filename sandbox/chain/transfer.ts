import { ZERO_ADDRESS, type Address } from "./address.js";
import { CallFailure } from "./failure.js";
import type { Payment } from "./ledger.js";
import { royaltiesOn } from "./royalties.js";
import type { ChainState } from "./state.js";
import { NATIVE_TOKEN } from "./token-id.js";

/**
 * Moves a payment if the token's issuer lets it, and takes their royalties (klever-go core/kapp/accounts/accounts.go,
 * kapps/kda.go). @throws CallFailure.
 */
export function transfer(state: ChainState, from: Address, to: Address, payment: Payment): void {
  const issued = state.issued.get(payment.tokenId);
  if (issued?.Attributes.IsPaused === true) throw new CallFailure("asset is paused", "AssetPaused");
  const roleOf = (account: Address) => issued?.Roles.find(({ Address: each }) => each === account);
  const isOwner = issued?.OwnerAddress === from || issued?.OwnerAddress === to;
  const isAllowed = isOwner || roleOf(from)?.HasRoleTransfer === true || roleOf(to)?.HasRoleDeposit === true;
  if (issued?.Properties.LimitTransfer === true && !isAllowed) {
    throw new CallFailure("kda transfer not allowed", "KDATransferNotAllowed");
  }
  const { kda, klv } = royaltiesOn(state, from, payment);
  const owner = issued?.OwnerAddress ?? ZERO_ADDRESS;
  if (klv > 0n) state.ledger.transfer(from, owner, { tokenId: NATIVE_TOKEN, nonce: 0n, units: klv });
  if (kda > 0n) state.ledger.transfer(from, owner, { ...payment, units: kda });
  state.ledger.transfer(from, to, payment);
}
