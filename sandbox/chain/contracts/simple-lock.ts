import { anyPayment, kdaPayment, type Call, type Implementation } from "../call.js";
import { lockedAttributesKey } from "../codec.js";
import { check, required } from "../failure.js";
import { assetText, type Payment } from "../ledger.js";
import type { LockedAttributes } from "../state.js";

/** Locks tokens until an epoch for a semi-fungible token, 1:1 (multiversx/mx-exchange-sc locked-asset/simple-lock). */
export const simpleLock: Implementation<"simpleLock"> = {
  lockTokens: (call, { unlock_epoch: unlockEpoch, opt_destination: destination = call.caller }) => {
    const paid = anyPayment(call);
    check(paid.units > 0n, "No payment");
    if (call.epoch >= unlockEpoch) {
      call.send(destination, paid);
      return [paid];
    }
    const locked = { ...nonceFor(call, paid, unlockEpoch), units: paid.units };
    call.state.ledger.mint(destination, locked);
    return [locked];
  },

  unlockTokens: (call, { opt_destination: destination = call.caller }) => {
    const paid = kdaPayment(call);
    check(paid.tokenId === call.state.world.simpleLock.lockedToken, "Invalid payment token");
    check(paid.units > 0n, "No payment");
    const attributes = required(call.state.lockedAttributes.get(assetText(paid)), "Invalid payment token");
    check(call.epoch >= attributes.unlockEpoch, "Cannot unlock yet");
    call.state.ledger.burn(call.self, paid);
    const original = {
      tokenId: attributes.originalTokenId,
      nonce: attributes.originalTokenNonce,
      units: paid.units,
    };
    call.send(destination, original);
    return [original];
  },

  getLockedTokenId: (call) => [call.state.world.simpleLock.lockedToken],
};

/** The locked token's nonce for this asset and epoch. The contract keeps a unit of a new nonce so that it lasts. */
function nonceFor(
  call: Call,
  paid: Payment,
  unlockEpoch: bigint,
): { readonly tokenId: string; readonly nonce: bigint } {
  const { lockNonces, lockedAttributes, ledger, world } = call.state;
  const attributes: LockedAttributes = {
    originalTokenId: paid.tokenId,
    originalTokenNonce: paid.nonce,
    unlockEpoch,
  };
  const key = lockedAttributesKey(attributes);
  const tokenId = world.simpleLock.lockedToken;
  const known = lockNonces.get(key);
  if (known !== undefined) return { tokenId, nonce: known };
  const nonce = lockNonces.entries().reduce((highest, [, each]) => (each > highest ? each : highest), 0n) + 1n;
  const asset = { tokenId, nonce };
  lockNonces.set(key, nonce);
  lockedAttributes.set(assetText(asset), attributes);
  ledger.mint(call.self, { ...asset, units: 1n });
  return asset;
}
