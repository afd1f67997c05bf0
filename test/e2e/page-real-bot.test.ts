import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { project } from "../support/process.js";
import { defaultWorld, sandboxDesk, type SandboxDesk } from "../support/sandbox-desk.js";

/** The real bot in the sandbox's page, in a real browser, as seen by a first-time user. */

const WALLET = "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy";

/** Opens Alice's chat, presses Start and sets her address. */
async function chatOf(desk: SandboxDesk, width: number): Promise<Page> {
  const { page } = await openPage(desk.sandbox.url, { viewport: { width, height: 860 } });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await shows(page, "Welcome to Swapdesk");
  await send(page, `/wallet ${WALLET}`);
  await shows(page, "Check every character");
  return page;
}

async function send(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Enter");
}

/** Waits until the chat shows a text. */
async function shows(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole("log").getByText(text).first().waitFor();
}

/** Buttons of messages by their label; the last one is the newest. */
const key = (page: Page, label: string | RegExp) => page.getByRole("group").getByRole("button", { name: label });

async function tap(page: Page, label: string | RegExp): Promise<void> {
  await key(page, label).last().click();
}

it("swaps with a command, and the balances change by the card's amounts", async () => {
  const desk = await sandboxDesk();
  const page = await chatOf(desk, 1440);
  const before = desk.person(1001).holds();
  await send(page, "/swap 100 KLV KFI");
  await tap(page, "✅ Confirm");
  await shows(page, "Accepted, not yet confirmed");
  const card = await page.getByRole("article").last().textContent();
  const received = /Reported by the node: ([0-9.]+) KFI/.exec(card ?? "")?.[1] ?? "";
  const after = desk.person(1001).holds();
  expect((before["KLV"] ?? 0n) - (after["KLV"] ?? 0n)).toBe(100_000_000n);
  const got = (after["KFI"] ?? 0n) - (before["KFI"] ?? 0n);
  expect(`${got / 1_000_000n}.${(got % 1_000_000n).toString().padStart(6, "0")}`.replace(/0+$/, "")).toBe(received);
  await page.getByRole("tab", { name: "Balances" }).click();
  await page
    .getByRole("tabpanel", { name: "Balances" })
    .getByText(/^[−-]100$/)
    .waitFor();
  await page.screenshot({ path: join(screenshots, "real-swap-1440.png") });
});

it("shows what README's Faults exercise promises, in its words", async () => {
  const readme = await readFile(join(project, "README.md"), "utf8");
  expect(readme.replace(/\s+/g, " ")).toContain(
    "Under **Faults**, press *cut after* for *the calls that spend*, then swap and confirm",
  );
  const desk = await sandboxDesk({ world: defaultWorld });
  const page = await chatOf(desk, 1440);
  await page.getByRole("tab", { name: "Faults" }).click();
  const calls = page.getByRole("group", { name: "the calls that spend" });
  await calls.getByRole("button", { name: "cut after" }).click();
  await page.getByText("calls: drop-after").waitFor();
  await send(page, "/swap 100 KLV USDT-2AB1");
  await tap(page, "✅ Confirm");
  await shows(page, "Outcome unknown");
  await page.screenshot({ path: join(screenshots, "real-fault-1440.png") });
  await tap(page, "🔎 Check");
  await shows(page, "It has arrived");
  expect(desk.callsSent()).toHaveLength(1);
});

it("keeps every link inside: the group's quote opens in the private chat, and what leads out is only named", async () => {
  const desk = await sandboxDesk({}, { SUPPORT_CONTACT: "https://help.example/desk" });
  const page = await chatOf(desk, 1440);
  await page.locator('[data-person="-4001"]').click();
  await page.getByText("each person alone sees their answer").waitFor();
  await page.screenshot({ path: join(screenshots, "real-group-empty-1440.png") });
  await send(page, "/quote 100 KFI KLV");
  await tap(page, "Open the private chat");
  await page.getByRole("log", { name: "Chat of Alice with Swapdesk" }).waitFor();
  await shows(page, /Quote KFI → KLV/);
  desk.sandbox.telegram.sendText(1001, "see https://t.me/swapdesk_sandbox_bot and https://other.example/x");
  await page.getByRole("button", { name: "https://other.example/x", exact: true }).click();
  await page.getByText("The sandbox stays on this machine").waitFor();
  await page.getByRole("button", { name: "https://t.me/swapdesk_sandbox_bot", exact: true }).click();
  const leading = await page.evaluate(
    "[...document.querySelectorAll('a[href]')].filter(({ hostname }) => hostname !== location.hostname).length",
  );
  expect([leading, page.context().pages().length]).toEqual([0, 1]);
});

it("lets a message be edited, and the bot deletes a seed phrase that is edited in", async () => {
  const desk = await sandboxDesk();
  const page = await chatOf(desk, 390);
  await send(page, "/help");
  await shows(page, "/portfolio");
  const edit = () => page.getByRole("article", { name: /^You/ }).last().getByRole("button", { name: "Edit" });
  await edit().click();
  const field = page.getByRole("textbox", { name: "Message" });
  expect(await field.inputValue()).toBe("/help");
  await page.screenshot({ path: join(screenshots, "real-edit-390.png") });
  await field.fill(`${"abandon ".repeat(11)}about`);
  await field.press("Enter");
  await shows(page, /seed phrase/i);
  expect(desk.sandbox.telegram.chat(1001).some(({ text }) => text.includes("abandon"))).toBe(false);
});

it("swaps with the dialog on a phone", async () => {
  const desk = await sandboxDesk();
  const page = await chatOf(desk, 390);
  await send(page, "/swap");
  await tap(page, /^KLV$/);
  await shows(page, "Which token do you want?");
  await tap(page, /^KFI$/);
  await shows(page, /How much KLV/);
  await tap(page, /^100$/);
  await key(page, "✅ Confirm").waitFor();
  await page.screenshot({ path: join(screenshots, "real-card-390.png") });
  const widest = await page.evaluate("document.documentElement.scrollWidth");
  expect(widest).toBeLessThanOrEqual(390);
  await tap(page, "✅ Confirm");
  await shows(page, "Accepted, not yet confirmed");
  expect(desk.callsSent()).toHaveLength(1);
});

it("shows a call with a cut connection as unknown, and offers no second confirm", async () => {
  const desk = await sandboxDesk();
  const page = await chatOf(desk, 1440);
  await send(page, "/swap 5 KLV KFI");
  await key(page, "✅ Confirm").waitFor();
  desk.sandbox.faults.next("node", "drop-after", 1);
  await tap(page, "✅ Confirm");
  await shows(page, "Outcome unknown");
  await shows(page, "I won't resend it");
  expect(await key(page, "✅ Confirm").count()).toBe(0);
  expect(desk.callsSent()).toHaveLength(1);
  await page.screenshot({ path: join(screenshots, "real-unknown-1440.png") });
});

it("completes the first step of a launch", async () => {
  const desk = await sandboxDesk();
  const page = await chatOf(desk, 1440);
  await send(page, "/launch DVK-34ZH USDT-2AB1");
  await tap(page, "▶️ Create the pair");
  await tap(page, "✅ Confirm");
  await shows(page, "Confirmed on chain");
  await page.screenshot({ path: join(screenshots, "real-launch-1440.png") });
  expect(desk.sandbox.chain.pools().some(({ firstToken }) => firstToken === "DVK-34ZH")).toBe(true);
});
