import { join } from "node:path";
import { expect, it } from "vitest";
import { realNodeDesk } from "../sandbox/node/real-node.js";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";

/** The inspector of a sandbox with a real node and a wallet. */

it("shows pending transactions and those in a block, and can make node and wallet misbehave", async () => {
  const { sandbox, real, sendSwap } = await realNodeDesk();
  const { page } = await openPage(sandbox.url, { viewport: { width: 1440, height: 900 } });
  await page.getByRole("tab", { name: "Transactions" }).click();
  await page.getByText("Signed transactions appear here").waitFor();
  await sendSwap();
  const card = page.locator(".card", { hasText: "Alice, nonce 0" });
  await card.getByText("waits").waitFor();

  await page.getByRole("tab", { name: "Chain" }).click();
  await page.getByRole("button", { name: "+1 block" }).click();
  await page.getByRole("tab", { name: "Transactions" }).click();
  await card.getByText("block 29146852").waitFor();
  await page.screenshot({ path: join(screenshots, "transactions-1440.png") });
  await page.getByRole("button", { name: "Take the last block back" }).click();
  await card.getByText("waits").waitFor();
  await page.getByRole("button", { name: "Forget what waits" }).click();
  await page.getByText("Signed transactions appear here").waitFor();

  await page.getByLabel("The wallet").selectOption("declines");
  await page.getByLabel("Its account").selectOption("Bob");
  await page.getByLabel("The node changes").selectOption("amount");
  await page.getByLabel("it keeps no broadcast").check();
  await page.getByLabel("it takes twice the fees").check();
  await page.getByLabel("it is not ready for queries").check();
  await page.getByLabel("calls run out of gas").check();
  const switched = {
    alteration: "amount",
    losesBroadcasts: true,
    raisesFees: true,
    isNotReady: true,
    runsOutOfGas: true,
  };
  await expect.poll(() => real.node.switches()).toEqual(switched);
  expect(real.wallet.mode()).toBe("declines");
  await page.getByLabel("The node changes").selectOption("nothing");
  await expect.poll(() => real.node.switches().alteration).toBeUndefined();

  await page.getByLabel("Its blocks").selectOption("one missing");
  await expect.poll(() => real.node.switches().blockFault).toBe("one missing");
  await page.getByLabel("Its blocks").selectOption("are as they should be");
  await expect.poll(() => real.node.switches().blockFault).toBeUndefined();

  await page.getByRole("tab", { name: "Faults" }).click();
  await page.getByRole("group", { name: "Node: broadcasts" }).getByRole("button", { name: "cut after" }).click();
  await page.getByText("node-broadcast: drop-after").waitFor();
  expect(sandbox.faults.current()).toEqual({ "node-broadcast": "drop-after" });
});
