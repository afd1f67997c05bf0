import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { screenshots } from "../support/browser.js";
import { testPage } from "../support/pages.js";
import { people } from "../support/sandbox-desk.js";

/** How the chat shows what the Bot API added since 9.3, in a current app and in one that is a year old. */
const noon = Date.UTC(2026, 10, 22, 12);
const traders = -4001;

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox({ clock: { now: () => noon, sleep: () => new Promise(() => {}) } });
  onTestFinished(() => sandbox.close());
  sandbox.telegram.sendText(people.alice, "/start");
});

async function call(method: string, parameters: object): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/bot${sandbox.token}/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ chat_id: people.alice, ...parameters }),
  });
  const answer = (await response.json()) as { ok: boolean; description?: string; result: unknown };
  expect(answer.description).toBeUndefined();
  return answer.result;
}

const keyboard = (...rows: object[][]) => ({ reply_markup: { inline_keyboard: rows } });
const button = (text: string, more: object = { callback_data: text }) => ({ text, ...more });
const moment = (text: string, words: string, unix_time: number, date_time_format: string) => ({
  type: "date_time",
  offset: text.indexOf(words),
  length: words.length,
  unix_time,
  date_time_format,
});

/** Sends a card with an expiry time and folded details. */
async function sendCard(): Promise<void> {
  const details = "Route: KLV → DVK-34ZH → KFI\nPool fee 0.3 %\nBot fee 1 %\nReferral klv18d4…\nCall: swap";
  const text = `Valid until 2026-11-22 12:00:40 UTC · 2026-11-22 12:00:40\n${details}`;
  const until = noon / 1000 + 40;
  const entities = [
    moment(text, "2026-11-22 12:00:40 UTC", until, "T"),
    { ...moment(text, "2026-11-22 12:00:40", until, "r"), offset: text.indexOf(" · ") + 3 },
    { type: "expandable_blockquote", offset: text.indexOf(details), length: details.length },
  ];
  const rows = [
    [button("✅ Confirm", { callback_data: "c", style: "success" })],
    [button("✖ Cancel"), button("Address", { copy_text: { text: "klv1…" } })],
  ];
  await call("sendMessage", { text, entities, ...keyboard(...rows) });
}

/** Opens the page, with its clock paused at noon. */
async function open(options: { width?: number; colorScheme?: "light" | "dark" } = {}): Promise<Page> {
  const { width = 1280, ...rest } = options;
  const { page } = await testPage({
    viewport: { width, height: 844 },
    timezoneId: "UTC",
    ...rest,
  });
  await page.clock.install({ time: noon - 60_000 });
  await page.clock.pauseAt(noon);
  await page.goto(sandbox.url);
  await page.locator('body[data-feed="live"]').waitFor();
  return page;
}

const log = (page: Page) => page.getByRole("log");

async function beOld(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Faults" }).click();
  await page.getByLabel("it is a year old").check();
}

describe("a date", () => {
  it("is written in the language of the reader's app", async () => {
    const text = "Até: 2026-12-27 20:34 UTC · 2026-11-22 12:09:30";
    const entities = [
      moment(text, "2026-12-27 20:34 UTC", Date.UTC(2026, 11, 27, 20, 34) / 1000, "Dt"),
      moment(text, "2026-11-22 12:09:30", noon / 1000 + 570, "r"),
    ];
    await call("sendMessage", { text, entities });
    const page = await open();
    await log(page).getByText("Até: 27 December 2026 at 20:34 · in 9 minutes").waitFor();
    await page.getByRole("tab", { name: "Faults" }).click();
    await page.getByLabel("Its language").selectOption("Português");
    await log(page).getByText("Até: 27 de dezembro de 2026 às 20:34 · em 9 minutos").waitFor();
  });

  it("is shown in the reader's time zone, and counts down and then up", async () => {
    await sendCard();
    const page = await open();
    const card = log(page).getByRole("article").last();
    await card.getByText("Valid until 12:00:40 · in 40 seconds").waitFor();
    await page.clock.runFor(10_000);
    await card.getByText("in 30 seconds").waitFor();
    await page.clock.runFor(150_000);
    await card.getByText("2 minutes ago").waitFor();
    await page.getByRole("tab", { name: "Faults" }).click();
    await page.getByLabel("Its time zone").selectOption("Asia/Kolkata");
    await card.getByText("Valid until 17:30:40").waitFor();
  });

  it("is plain text in an app that is a year old", async () => {
    await sendCard();
    const page = await open();
    await beOld(page);
    const card = log(page).getByRole("article").last();
    await card.getByText("Valid until 2026-11-22 12:00:40 UTC · 2026-11-22 12:00:40").waitFor();
    expect(await card.getByRole("button", { name: "Show more" }).count()).toBe(0);
    expect(await card.locator("[data-style]").count()).toBe(0);
  });
});

it("a long quote is folded until “Show more” is pressed", async () => {
  await sendCard();
  const page = await open();
  const quote = log(page).locator("blockquote");
  const folded = (await quote.boundingBox())!.height;
  await quote.getByRole("button", { name: "Show more", expanded: false }).click();
  await quote.getByRole("button", { name: "Show less", expanded: true }).waitFor();
  expect((await quote.boundingBox())!.height).toBeGreaterThan(folded);
});

it("a disabled button is shown and can't be pressed", async () => {
  await call("sendMessage", { text: "Swap", ...keyboard([button("⏳ Sending…", { disabled: {} })]) });
  const page = await open();
  expect(await log(page).getByRole("button", { name: "⏳ Sending…" }).isDisabled()).toBe(true);
});

it("a question with buttons opens the input field, and typed text is a reply to it", async () => {
  const page = await open();
  const markup = { inline_keyboard: [[button("25 %"), button("50 %")]], force_reply: true };
  await call("sendMessage", { text: "How much KLV?", reply_markup: markup });
  await page.getByText("Reply to How much KLV?").waitFor();
  await page.keyboard.type("12.5");
  await page.keyboard.press("Enter");
  const last = () => sandbox.telegram.chat(people.alice).at(-1);
  await expect.poll(() => last()?.text).toBe("12.5");
  expect(last()?.replyToMessageId).toBe(sandbox.telegram.chat(people.alice).at(-2)?.messageId);
});

it("an ephemeral answer in a group is visible only to the user who asked", async () => {
  const quote = { command: "quote", description: "Price", is_ephemeral: true };
  await call("setMyCommands", { chat_id: undefined, commands: [quote], scope: { type: "all_group_chats" } });
  const page = await open();
  const nav = page.getByRole("navigation", { name: "People" });
  await nav.getByRole("button", { name: "Traders" }).click();
  await page.getByRole("heading", { name: "Traders group" }).waitFor();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("/quote KLV");
  await field.press("Enter");
  await expect.poll(() => sandbox.telegram.chat(traders).length).toBe(1);
  const asked = sandbox.telegram.chat(traders)[0]!;
  expect(asked.onlyFor).toBe(people.alice);
  await call("sendMessage", {
    chat_id: traders,
    text: "1 KLV = 0.0099 KFI",
    reply_parameters: { ephemeral_message_id: -asked.messageId },
    ephemeral_message_parameters: { receiver_user_id: people.alice },
  });
  const answer = log(page).getByRole("article", { name: /Swapdesk/ });
  await answer.getByText("Only you can see this").waitFor();
  await page.screenshot({ path: join(screenshots, "group-1280.png") });
  await nav.getByRole("button", { name: "Bob" }).click();
  await nav.getByRole("button", { name: "Traders" }).click();
  expect(await log(page).getByRole("article").count()).toBe(0);
  sandbox.telegram.sendText(people.alice, "hello all", { chatId: traders });
  await log(page).getByRole("article", { name: /Alice/ }).getByText("hello all").waitFor();
});

it("the server can be made too old for an addition", async () => {
  const page = await open();
  await page.getByRole("tab", { name: "Faults" }).click();
  await page.getByLabel("disabled").check();
  await expect.poll(() => sandbox.telegram.lacking()).toEqual(["disabled"]);
  await page.getByLabel("disabled").uncheck();
  await expect.poll(() => sandbox.telegram.lacking()).toEqual([]);
});

describe.each(["light", "dark"] as const)("by %s, on a phone", (colorScheme) => {
  it.each(["new", "old"])("a %s app shows them accessibly and without overflow", async (age) => {
    await sendCard();
    await call("sendMessage", {
      text: "Sent",
      ...keyboard(
        [button("⏳ Sending…", { disabled: {} })],
        [button("Remove", { callback_data: "r", style: "danger" })],
        [button("Go", { callback_data: "g", style: "primary" })],
      ),
    });
    const page = await open({ width: 390, colorScheme });
    if (age === "old") {
      await page.getByRole("button", { name: "Inspector", exact: true }).click();
      await beOld(page);
      await page.getByRole("button", { name: "Chat", exact: true }).click();
    }
    await page.clock.resume();
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate<AxeResults>("axe.run(document.querySelector('main'))");
    expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 390, height: 1150 });
    await page.screenshot({ path: join(screenshots, `additions-${age}-390-${colorScheme}.png`) });
  });
});
