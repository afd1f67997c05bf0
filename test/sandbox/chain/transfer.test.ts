import { expect, test } from "vitest";
import { assetAnswer } from "../../../sandbox/chain/asset.js";
import { createChain } from "../../../sandbox/chain/chain.js";
import { withIssuers } from "../../../sandbox/issuers.js";
import { loadWorld } from "../../../sandbox/world.js";
import { defaultWorld } from "../../support/sandbox-desk.js";
import { addresses, alice, operator } from "./local-chain.js";

function begin() {
  const chain = createChain(loadWorld(withIssuers(defaultWorld)), { clock: { now: () => 0 } });
  const swap = (amount: string, from: string, to: string) => {
    const args = [`address:${operator}`, "u64:1000", `string:${from}`, `string:${to}`, "BigUint:1", `address:${alice}`];
    const call = { scAddress: addresses.referral, funcName: "swap", args, value: `${from}=${amount}` };
    const { returnCode, returnMessage } = (chain.query(call).body as { data: Record<string, unknown> }).data;
    return [returnCode, returnMessage];
  };
  const held = (id: string) => chain.state.ledger.balance(alice, { tokenId: id, nonce: 0n });
  return { chain, swap, held };
}

test("a token that its pair may only send is bought, and never sold", () => {
  const { swap, held } = begin();
  expect(swap("100000000", "KLV", "HONEY-8K2P")).toEqual(["ok", ""]);
  const bought = held("HONEY-8K2P");
  expect(bought).toBeGreaterThan(0n);
  expect(swap("1000000", "HONEY-8K2P", "KLV")).toEqual(["KDATransferNotAllowed", "kda transfer not allowed"]);
  expect(held("HONEY-8K2P")).toBe(bought);
});

test("one that all between may send and receive is bought and sold", () => {
  const { swap } = begin();
  expect(swap("100000000", "KLV", "CLUB-9C4M")).toEqual(["ok", ""]);
  expect(swap("1000000", "CLUB-9C4M", "KLV")).toEqual(["ok", ""]);
});

test("one that is stopped doesn't move, until its issuer resumes it", () => {
  const { chain, swap, held } = begin();
  expect(swap("100000000", "KLV", "STOP-6H3Q")).toEqual(["AssetPaused", "asset is paused"]);
  expect(held("STOP-6H3Q")).toBe(0n);
  const before = chain.state.issued.get("STOP-6H3Q")!;
  chain.issue("STOP-6H3Q", { ...before, Attributes: { ...before.Attributes, IsPaused: false } });
  expect(swap("100000000", "KLV", "STOP-6H3Q")).toEqual(["ok", ""]);
});

test("the node writes rights as klever-go does: in its names, bytes in base64, without what is zero, false or empty", async () => {
  const { chain } = begin();
  const asset = async (id: string) =>
    ((await assetAnswer(chain.state, id).json()) as { data: { asset: unknown } }).data.asset;
  expect(await asset("MOON-4R7T")).toEqual({
    ID: "TU9PTi00UjdU",
    Name: "TU9PTg==",
    Ticker: "TU9PTg==",
    Precision: 6,
    OwnerAddress: expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/) as string,
    CirculatingSupply: 400_000_000_000,
    Royalties: {
      TransferFixed: 3_000_000,
      TransferPercentage: [
        { Amount: 1_000_000_000, Percentage: 500 },
        { Amount: 100_000_000_000, Percentage: 200 },
      ],
    },
    Properties: { CanWipe: true, CanBurn: true, CanPause: true, CanMint: true },
    Attributes: {},
  });
  const role = { Address: expect.any(String) as string, HasRoleTransfer: true };
  expect(await asset("HONEY-8K2P")).toMatchObject({
    Properties: { LimitTransfer: true, CanAddRoles: true },
    Roles: [role, role, role],
  });
  expect(await asset("KFI")).not.toHaveProperty("Roles");
});
