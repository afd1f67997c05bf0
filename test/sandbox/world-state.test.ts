import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keepWorldIn } from "../../sandbox/world-state.js";
import { startSandbox } from "../../sandbox/sandbox.js";
import { swapBody } from "../support/scripted-bot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

async function worldFile(): Promise<string> {
  const folder = await temporaryFolder();
  return join(folder, "1", "world");
}

async function started() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  return sandbox;
}

it("the chain, the chats and the exchange are the same after a restart, and continue from there", async () => {
  const file = await worldFile();
  const before = await started();
  const end = await keepWorldIn(file, before);
  before.chain.query(swapBody(before));
  before.time.skip(3_600_000);
  before.chain.advanceEpoch(3);
  const order = before.market.add({ symbol: "KLV-USDT", side: "BUY", price: "0.0067", quantity: "10", moves: false });
  before.market.fill(order.orderId, "4");
  const said = before.telegram.sendText(1001, "hello");
  before.telegram.setBlocked(1002, true);
  await end();

  const after = await started();
  await (await keepWorldIn(file, after))();
  expect(after.chain.balances()).toEqual(before.chain.balances());
  expect(after.chain.pools()).toEqual(before.chain.pools());
  expect(after.chain.epoch()).toBe(before.chain.epoch());
  expect(after.time.ahead()).toBe(3_600_000);
  expect(after.market.orders()).toEqual(before.market.orders());
  expect(after.telegram.chat(1001)).toEqual(before.telegram.chat(1001));
  expect(after.telegram.people()).toEqual(before.telegram.people());
  const next = after.telegram.sendText(1001, "again");
  expect(next.updateId).toBeGreaterThan(said.updateId);
  expect(next.messageId).toBeGreaterThan(said.messageId);
  // Updates that the bot had not fetched are still delivered.
  const { result } = (await (await fetch(`${after.url}/bot${after.token}/getUpdates`)).json()) as {
    result: { update_id: number }[];
  };
  expect(result.map(({ update_id }) => update_id)).toContain(said.updateId);
});

it("a file that is not a world is refused", async () => {
  const file = (await worldFile()).replace("/1/", "/");
  await writeFile(file, "no world");
  await expect(keepWorldIn(file, await started())).rejects.toThrow();
});
