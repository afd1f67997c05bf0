import { expect } from "vitest";
import { bytesOf } from "../../sandbox/chain/address.js";
import { readJson, writeJson, type RawData } from "../../sandbox/node/transaction.js";
import { bob, keys, signedBy } from "../sandbox/node/real-node.js";
import type { SandboxDesk } from "./sandbox-desk.js";

/** Has Bob pay somebody from his own wallet: a lock whose epoch has begun passes on what it is paid. */
export async function paidByBob(
  { sandbox, address }: SandboxDesk,
  units: number,
  { asset = "KLV", payee = "Alice" } = {},
) {
  const { url, world, real } = sandbox;
  const send = async (path: string, body: unknown): Promise<string> => {
    const answer = await fetch(`${url}/transaction/${path}`, { method: "POST", body: writeJson(body) });
    const text = await answer.text();
    expect(answer.status, text).toBe(200);
    return text;
  };
  const to = Buffer.from(bytesOf(address(payee) as never)).toString("hex");
  const data = [Buffer.from(`lockTokens@01@${to}`).toString("base64")];
  const contract = { scType: 0, address: world.simpleLock.address, callValue: { [asset]: units } };
  // Read first: it makes the blocks that are due, which take from the pool and raise the nonce.
  const waiting = real!.node.pool(bob).length;
  const nonce = Number(real!.node.accounts.nonce(bob)) + waiting;
  const built = await send("send", { type: 63, sender: bob, nonce, data, contract });
  const { result } = (readJson(built) as { data: { result: { RawData: RawData } } }).data;
  await send("broadcast", signedBy(keys.bob, result));
}
