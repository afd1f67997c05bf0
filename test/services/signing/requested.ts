import { expect } from "vitest";
import type { SignedIntent } from "../../../src/services/intent/intent.js";
import { bigints } from "../../support/wallet-chat.js";
import { keys, signedBy, swapBody } from "../../sandbox/node/real-node.js";
import { walletDesk } from "./wallet-world.js";

export type Desk = Awaited<ReturnType<typeof walletDesk>>;

/** A desk and a request that waits for its signature. */
export async function requested() {
  const desk = await walletDesk();
  return { desk, request: await desk.request() };
}

/** Expects the request to end well, and the chain to have executed its transaction once and no other. */
export async function isCarriedOut(desk: Desk, { id, transaction }: SignedIntent): Promise<void> {
  expect((await desk.ended(id)).state).toBe("OK");
  expect([...desk.carriedOut()]).toEqual([[transaction.hash, "ok"]]);
}

export async function isTakenAndCarriedOut(desk: Desk, request: SignedIntent): Promise<void> {
  expect(await desk.post(request)).toEqual({ kind: "accepted" });
  await isCarriedOut(desk, request);
}

/** Broadcasts a transaction of the user's own with the same nonce. @returns its hash. */
export function ownTransaction(desk: Desk): string {
  const built = desk.real.node.build(bigints(swapBody({}, "02")), false) as { result: never };
  return (desk.real.node.broadcast(signedBy(keys.alice, built.result)) as { readonly txHash: string }).txHash;
}
