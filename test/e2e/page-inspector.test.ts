import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { openPage } from "../support/pages.js";
import { swapBody } from "../support/scripted-bot.js";

/** The inspector next to the chat, in a real browser. */
let sandbox: Sandbox;
let page: Page;
let faults: string[];

beforeEach(async () => {
  sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  ({ page, faults } = await openPage(sandbox.url, { viewport: { width: 1440, height: 900 } }));
});

const show = async (tab: string): Promise<Locator> => {
  await page.getByRole("tab", { name: tab }).click();
  return page.getByRole("tabpanel", { name: tab });
};
const post = (path: string, body: unknown) =>
  fetch(sandbox.url + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("the wire", () => {
  it("shows each call with its bodies", async () => {
    await post("/vm/query", swapBody(sandbox));
    const call = (await show("Wire")).locator(".call", { hasText: "swap" });
    await call.getByText("node", { exact: true }).waitFor();
    await call.getByText("200", { exact: true }).waitFor();
    await call.locator("summary").click();
    await call.getByText('"value": "KLV=100000000"').waitFor();
    await call.getByText('"returnCode": "ok"').waitFor();
  });

  it("keeps every digit, and shows bodies that aren't JSON unchanged", async () => {
    await post("/quotation", { amountIn: "123456789012345678901234567890" });
    await fetch(`${sandbox.url}/quotation`, { method: "POST", body: '{"broken": <b>' });
    const calls = (await show("Wire")).locator(".call");
    await expect.poll(() => calls.count()).toBe(2);
    await calls.nth(1).locator("summary").click();
    await calls.nth(1).getByText('"amountIn": "123456789012345678901234567890"').waitFor();
    await calls.nth(0).locator("summary").click();
    await calls.nth(0).getByText('{"broken": <b>').waitFor();
  });

  it("can be filtered by service and cleared, and hides polls and reads by default", async () => {
    await fetch(`${sandbox.url}/bot${sandbox.token}/getUpdates`);
    await fetch(`${sandbox.url}/bot${sandbox.token}/getMe`);
    await post("/vm/query", { ...swapBody(sandbox), funcName: "getRouterAddress", args: [] });
    await post("/vm/query", swapBody(sandbox));
    const calls = (await show("Wire")).locator(".call");
    await expect.poll(() => calls.count()).toBe(2);
    await page.getByLabel("Kind of calls").selectOption("polls and reads");
    expect(await calls.count()).toBe(2);
    await page.getByLabel("Kind of calls").selectOption("all calls");
    expect(await calls.count()).toBe(4);
    await page.getByLabel("Calls of").selectOption("node");
    expect(await calls.count()).toBe(2);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByLabel("Calls of").selectOption("");
    expect(await calls.count()).toBe(0);
  });
});

describe("the world", () => {
  it("shows the balances that a call changed, with the difference", async () => {
    const panel = await show("Balances");
    const alice = panel.locator(".card", { hasText: "Alice" });
    await alice.getByRole("row", { name: "KLV 10,000" }).waitFor();
    await post("/vm/query", swapBody(sandbox));
    await alice.getByRole("row", { name: "KLV −100 9,900" }).waitFor();
    // 100 KLV through the pool's formula with a fee of 0.3 %; the operator gets one percent of that, rounded down.
    const received = alice.locator('[data-asset="KFI"] .change');
    expect(await received.textContent()).toMatch(/^\+0\.98\d{4}$/);
    const split = panel.locator(".card", { hasText: "Operator" }).locator('[data-asset="KFI"] .change');
    expect(await split.textContent()).toMatch(/^\+0\.0099\d{2}$/);
  });

  it("shows pools with reserves, fee, state and price", async () => {
    const pool = (await show("Pools")).locator(".card", { hasText: "KLV / KFI" });
    await pool.getByText("fee 0.3%").waitFor();
    await pool.getByText("active", { exact: true }).waitFor();
    await pool.getByRole("row", { name: "Reserve of KLV 25,317,442.118203" }).waitFor();
    await pool.getByRole("row", { name: "1 KFI costs 100.50406" }).waitFor();
  });

  it("moves the price of a pool", async () => {
    const pool = (await show("Pools")).locator(".card", { hasText: "KLV / KFI" });
    await pool.getByRole("button", { name: "KFI +10%" }).click();
    await pool.getByRole("row", { name: "1 KFI costs 110.554" }).waitFor();
    await pool.getByRole("button", { name: "KFI −10%" }).click();
    await pool.getByRole("row", { name: "1 KFI costs 99.499" }).waitFor();
  });

  it("lets time pass", async () => {
    const panel = await show("Chain");
    const before = sandbox.chain.epoch();
    await panel.getByRole("button", { name: "+1 epoch", exact: true }).click();
    await page.getByText(`epoch ${before + 1}`).waitFor();
    await panel.getByLabel("Epochs to advance").fill("30");
    await panel.getByRole("button", { name: "forward" }).click();
    await page.getByText(`epoch ${before + 31}`).waitFor();
    expect(sandbox.chain.epoch()).toBe(before + 31);

    // A day is four epochs of six hours, and the chat's dates move too.
    const now = Date.now();
    await panel.getByRole("button", { name: "+1 day" }).click();
    await page.getByText(`epoch ${before + 35}`).waitFor();
    expect(sandbox.time.clock.now() - now).toBeGreaterThanOrEqual(86_400_000);
    const tomorrow = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long" }).format(now + 86_400_000);
    await panel.getByText(tomorrow).waitFor();
    const { messageId } = sandbox.telegram.sendText(1001, "a day later");
    expect(sandbox.telegram.chat(1001).find((one) => one.messageId === messageId)?.date).toBeGreaterThan(now / 1000);
    await page.getByRole("log").getByText("Today").waitFor();
  });
});

describe("faults", () => {
  it("end after the chosen number of requests", async () => {
    const node = (await show("Faults")).getByRole("group", { name: "Node: every request" });
    await node.getByRole("button", { name: "5xx" }).click();
    await page.getByText("node: 5xx").waitFor();
    expect(sandbox.faults.current()).toEqual({ node: "5xx" });
    expect((await post("/vm/query", swapBody(sandbox))).status).toBe(503);
    await node.getByRole("button", { name: "works", pressed: true }).waitFor();
    expect((await post("/vm/query", swapBody(sandbox))).status).toBe(200);
  });

  it("last until they are switched off if so chosen", async () => {
    const panel = await show("Faults");
    const quotation = panel.getByRole("group", { name: "Quotation" });
    await panel.getByLabel("For how long").selectOption("as long as I want");
    await quotation.getByRole("button", { name: "cut after" }).click();
    await page.getByText("quotation: drop-after").waitFor();
    await expect(post("/quotation", {})).rejects.toThrow();
    await expect(post("/quotation", {})).rejects.toThrow();
    await quotation.getByRole("button", { name: "works" }).click();
    await page.getByText("quotation: drop-after").waitFor({ state: "hidden" });
    expect(sandbox.faults.current()).toEqual({});
    const cut = (await show("Wire")).locator(".call").first();
    await cut.getByText("cut", { exact: true }).waitFor();
    await cut.getByText("drop-after").waitFor();
  });
});

describe("orders", () => {
  it("are added, filled in steps and cancelled by hand", async () => {
    const panel = await show("Orders");
    await panel.getByText("68,000 USDT").first().waitFor();
    const before = await panel.locator(".order").count();
    await panel.getByLabel("Quantity", { exact: true }).fill("10");
    await panel.getByRole("button", { name: "Add" }).click();
    // The new order comes first in the list, once it has arrived.
    await panel.locator(".order").nth(before).waitFor();
    const order = panel.locator(".order").first();
    await order.getByText("OPEN", { exact: true }).waitFor();
    await order.getByLabel("Quantity to fill").fill("4");
    await order.getByRole("button", { name: "Fill" }).click();
    await order.getByText("PARTIALLY", { exact: true }).waitFor();
    await order.getByText("4 of 10 KLV").waitFor();

    await order.getByLabel("Quantity to fill").fill("7");
    await order.getByRole("button", { name: "Fill" }).click();
    await page.getByText("only 6 is left").waitFor();
    expect(faults.splice(0)).toEqual([expect.stringContaining("status of 400")]);
    await order.getByRole("button", { name: "Cancel order" }).click();
    await order.getByText("CANCELED", { exact: true }).waitFor();
    expect(await order.getByRole("button", { name: "Fill" }).count()).toBe(0);
  });
});

describe("the tabs", () => {
  it("can be switched with the arrow keys", async () => {
    await page.getByRole("tab", { name: "Wire" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tab", { name: "Balances" }).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("End");
    await page.getByRole("tabpanel", { name: "Faults" }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("tabpanel", { name: "Wire" }).waitFor();
  });
});
