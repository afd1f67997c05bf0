import { stringify } from "lossless-json";
import { addressToBytes, type Address } from "../../../src/encoding/address.js";
import type { RoyaltyBand } from "../../../src/services/market/most-payable.js";
import { createTokenRights, type ToldRights, type TokenRights } from "../../../src/services/market/token-rights.js";
import { alice, operator, silent, testClock } from "../samples.js";
import { poolAddress } from "./pool-samples.js";

export const bytes = (text: string): string => Buffer.from(text).toString("base64");
const account = (address: Address): string => Buffer.from(addressToBytes(address)).toString("base64");

/** The pair in which each of the tokens trades. */
export const pair = { address: poolAddress(0), first: "KLV", second: "GEM-5D0X" };
const role = (address: Address, ...having: readonly string[]) => ({
  Address: account(address),
  ...Object.fromEntries(having.map((right) => [right, true])),
});
const moves = (...having: readonly string[]) => ({
  Properties: { LimitTransfer: true },
  Roles: [role(pair.address, ...having)],
});

/** Tokens as klever-go writes them, without what it leaves out; each with an id and an owner. */
export const issued = {
  "nothing allowed": {},
  "can be staked": { Properties: { CanFreeze: true } },
  "wipe without burn": { Properties: { CanWipe: true } },
  "burn without wipe": { Properties: { CanBurn: true } },
  "wipe and burn": { Properties: { CanWipe: true, CanBurn: true } },
  "can be stopped": { Properties: { CanPause: true } },
  "stopped, for the last time": { Attributes: { IsPaused: true } },
  "stopped, and again at any time": { Properties: { CanPause: true }, Attributes: { IsPaused: true } },
  "more without limit": { Properties: { CanMint: true }, CirculatingSupply: 5_000_000n },
  "more up to a maximum, by two": {
    ...{ Properties: { CanMint: true }, MaxSupply: 9_223_372_036_854_775_807n, CirculatingSupply: 1_000_000n },
    Roles: [
      role(alice, "HasRoleMint"),
      role(operator, "HasRoleMint", "HasRoleDeposit"),
      role(pair.address, "HasRoleTransfer"),
    ],
  },
  "a role to make more, but none can be made": { Roles: [role(alice, "HasRoleMint")] },
  "the pair may send and receive": moves("HasRoleTransfer", "HasRoleDeposit"),
  "the pair may only send": moves("HasRoleTransfer"),
  "the pair may only receive": moves("HasRoleDeposit"),
  "the pair has no role": moves(),
  "the pair is the owner": { Properties: { LimitTransfer: true }, OwnerAddress: account(pair.address) },
  "roles without a limit": { Roles: [role(pair.address, "HasRoleTransfer")] },
  "royalties of one share": { Royalties: { TransferPercentage: [{ Amount: 1n, Percentage: 100n }] } },
  "royalties in bands and a fixed one, final": {
    Royalties: {
      TransferPercentage: [
        { Amount: 1_000_000n, Percentage: 500n },
        { Amount: 9_000_000n, Percentage: 25n },
      ],
      TransferFixed: 3_000_001n,
    },
    Attributes: { IsRoyaltiesChangeStopped: true },
  },
  "a fixed royalty": { Royalties: { Address: account(operator), TransferFixed: 3_000_000n } },
  everything: {
    Properties: { CanWipe: true, CanBurn: true, CanPause: true, CanMint: true, LimitTransfer: true },
    Attributes: { IsPaused: true },
    Roles: [role(pair.address, "HasRoleTransfer"), role(alice, "HasRoleMint")],
    Royalties: { TransferPercentage: [{ Percentage: 10_000n }] },
  },
} as const;

/** What a node answers to `GET /asset/GEM-5D0X`. */
export function assetText(fields: object = {}): string {
  const asset = { ID: bytes("GEM-5D0X"), Precision: 6n, OwnerAddress: account(operator), Properties: {}, ...fields };
  return stringify({ data: { asset }, error: "", code: "successful" }) ?? "";
}

type NodeAnswer = { readonly status?: number; readonly text: string };

/** A reader of a node that answers as a test says. */
export function readerOver(answer: (path: string) => NodeAnswer | Promise<NodeAnswer>, now?: number) {
  const clock = testClock(now);
  const asked: string[] = [];
  const request = async ({ url }: { readonly url: string }) => {
    const path = url.replace("http://node", "");
    asked.push(path);
    return { status: 200, headers: {}, receivedAt: clock.now(), ...(await answer(path)) };
  };
  const http = { request, close: async () => undefined };
  return { clock, asked, ...createTokenRights({ nodeUrl: "http://node", http, clock, log: silent }) };
}

/** What is known of a token that the node describes so. */
export const toldOf = (fields: object, now?: number): Promise<ToldRights> =>
  readerOver(() => ({ text: assetText(fields) }), now).known("GEM-5D0X");

/** A token with nothing but a royalty. */
export function rightsWith(tokenId: string, bands: readonly RoyaltyBand[], fixed: bigint): TokenRights {
  const shares = bands.map(({ bps }) => Number(bps));
  const royalties = { leastBps: Math.min(...shares, 10_000), mostBps: Math.max(...shares, 0), fixed };
  const taken = { bands, ...((royalties.mostBps > 0 || fixed > 0n) && { royalties }) };
  const now = { isPaused: false, maximum: 0n, circulating: 0n, minters: 0, areRoyaltiesFinal: false, ...taken };
  const nobody = { senders: new Set<Address>(), receivers: new Set<Address>() };
  const lasting = { canDestroy: false, canPause: false, canMint: false, isLimited: false };
  return { tokenId, readAt: 0, precision: 6, ...lasting, now: { ...now, ...nobody } };
}
