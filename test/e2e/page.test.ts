import type { Locator, Page } from "playwright-core";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { startSandbox, type Sandbox } from "../../sandbox/sandbox.js";
import { openPage } from "../support/pages.js";
import { hostileText, startScriptedBot, type ScriptedBot } from "../support/scripted-bot.js";

/** The chat of the sandbox's page, in a real browser. */
let sandbox: Sandbox;
let bot: ScriptedBot;
let page: Page;
let faults: string[];

beforeEach(async () => {
  sandbox = await startSandbox();
  bot = await startScriptedBot(sandbox);
  onTestFinished(async () => {
    bot.stop();
    await sandbox.close();
  });
  ({ page, faults } = await openPage(sandbox.url, { viewport: { width: 1440, height: 900 } }));
});

/** What the tests use of an element in the browser; DOM types aren't loaded here. */
interface Scrolled {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

const log = (): Locator => page.getByRole("log");
const field = (): Locator => page.getByRole("textbox", { name: "Message" });
const person = (name: string): Locator =>
  page.getByRole("navigation", { name: "People" }).getByRole("button", { name });
const key = (name: string): Locator => page.getByRole("group").getByRole("button", { name });
const start = async (): Promise<void> => {
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await log().getByText("Hello").waitFor();
};
const send = async (text: string): Promise<void> => {
  await field().fill(text);
  await field().press("Enter");
};

describe("a chat", () => {
  it("is empty until Start is pressed", async () => {
    await page.getByText("What can this bot do?").waitFor();
    expect(await field().isVisible()).toBe(false);
    await page.keyboard.press("Enter");
    await log().getByText("Hello").waitFor();
    // Typing needs no tap first.
    await page.keyboard.type("hi");
    expect(await field().inputValue()).toBe("hi");
    expect(await log().getByRole("article").count()).toBe(2);
    await log().getByText("Today").waitFor();
    expect(await field().isVisible()).toBe(true);
  });

  it("shows entities, reveals hidden text and sends tapped commands", async () => {
    await start();
    const answer = log().getByRole("article", { name: /Swapdesk/ });
    expect(await answer.locator("strong").textContent()).toBe("Hello");
    expect(await answer.locator("code").textContent()).toBe("klv1sample");
    // Nothing leads off the machine.
    await answer.getByRole("button", { name: "a page" }).click();
    await page.getByText("This would open https://example.org/page").waitFor();

    await answer.getByRole("button", { name: /Hidden text/ }).click();
    await answer.locator(".spoiler.shown", { hasText: "a secret" }).waitFor();
    await answer.getByRole("button", { name: "/swap" }).click();
    await log().getByText("Swap 100 KLV?").waitFor();
  });

  it("never treats text as markup", async () => {
    await start();
    await send("/hostile");
    await log().getByText(hostileText, { exact: true }).waitFor();
    await send(hostileText);
    await log().getByText(`You wrote: ${hostileText}`, { exact: true }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toBe("Swapdesk sandbox");
  });

  it("sends with Enter, breaks the line with Shift+Enter, and replies to a message", async () => {
    await start();
    await field().fill("one");
    await field().press("Shift+Enter");
    await field().pressSequentially("two");
    await field().press("Enter");
    await log().getByText("You wrote: one two").waitFor();
    expect(sandbox.telegram.chat(1001).at(-1)?.text).toBe("You wrote: one\ntwo");
    expect(await field().inputValue()).toBe("");

    const hello = log().getByRole("article").filter({ hasText: "Hello, try" }).getByRole("button", { name: "Reply" });
    await hello.click();
    await page.getByRole("button", { name: "No reply" }).click();
    await hello.click();
    await page.getByText("Reply to Hello, try /swap").waitFor();
    await page.keyboard.type("three");
    await page.keyboard.press("Enter");
    await log().getByText("You wrote: three").waitFor();
    expect(await page.getByText("Reply to Hello, try /swap").isVisible()).toBe(false);
    await send("four");
    await log().getByText("You wrote: four").waitFor();
    const [greeting, ...others] = sandbox.telegram.chat(1001).slice(1);
    const answered = others.filter(({ from }) => from === "person").map(({ replyToMessageId }) => replyToMessageId);
    expect(answered).toEqual([undefined, greeting!.messageId, undefined]);
    await log().locator(".quoted", { hasText: "Hello" }).waitFor();
  });

  it("stays scrolled to the end, or where the user reads further up", async () => {
    await start();
    await send("/many");
    await log().getByText("Line 30", { exact: true }).waitFor();
    const scroller = page.getByRole("region", { name: "Messages" });
    const distance = () =>
      scroller.evaluate((node: Scrolled) => node.scrollHeight - node.scrollTop - node.clientHeight);
    expect(await distance()).toBeLessThan(2);

    await scroller.evaluate((node: Scrolled) => {
      node.scrollTop = 100;
    });
    const toEnd = page.getByRole("button", { name: /last message/ });
    await toEnd.waitFor();
    const asked = await fetch(`${sandbox.url}/bot${sandbox.token}/sendMessage?chat_id=1001&text=News`);
    expect(asked.ok).toBe(true);
    await page.getByRole("button", { name: "1 new, go to the last message" }).click();
    await toEnd.waitFor({ state: "hidden" });
    expect(await distance()).toBeLessThan(2);
  });

  it("is rebuilt after the sandbox was down", async () => {
    await start();
    const { url } = sandbox;
    bot.stop();
    await sandbox.close();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText(/^Connection lost/).waitFor();
    // Text that can't be sent stays in the field.
    await send("not lost");
    await page.getByText("The sandbox can't be reached.").waitFor();
    expect(await field().inputValue()).toBe("not lost");
    sandbox = await startSandbox({ port: Number(new URL(url).port) });
    bot = await startScriptedBot(sandbox);
    await page.getByText("What can this bot do?").waitFor();
    await start();
    // The browser's own errors about a server that is down aren't the page's fault.
    expect(
      faults.splice(0).every((fault) => /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/.test(fault)),
    ).toBe(true);
  });
});

describe("people", () => {
  it("have a chat, a draft and a count of unread messages each", async () => {
    await start();
    await field().fill("not sent yet");
    await person("Bob").click();
    await page.getByText("What can this bot do?").waitFor();
    sandbox.telegram.sendText(1001, "hello");
    await person("Alice").getByLabel("1 unread").waitFor();

    await person("Alice").click();
    await log().getByText("You wrote: hello").waitFor();
    expect(await field().inputValue()).toBe("not sent yet");
    expect(await person("Alice").getByLabel("1 unread").count()).toBe(0);
    expect(await person("Alice").getAttribute("aria-current")).toBe("true");
  });

  it("can block the bot and come back", async () => {
    await start();
    await page.getByRole("button", { name: "Block the bot as Alice" }).click();
    await page.getByRole("button", { name: "Unblock", exact: true }).waitFor();
    expect(sandbox.telegram.people()[0]?.blocked).toBe(true);
    await page.getByRole("button", { name: "Unblock", exact: true }).click();
    await field().waitFor();
    expect(sandbox.telegram.people()[0]?.blocked).toBe(false);
  });
});

describe("commands", () => {
  const options = (): Locator => page.getByRole("listbox", { name: "Commands" }).getByRole("option");

  it("are completed while typing", async () => {
    await start();
    await field().pressSequentially("/s");
    await expect
      .poll(() => options().allTextContents())
      .toEqual(["/startWelcome and first steps", "/swapSwap tokens", "/settingsYour settings"]);
    await field().press("ArrowDown");
    expect(await field().getAttribute("aria-activedescendant")).toBe("command-1");
    await field().press("Tab");
    expect(await field().inputValue()).toBe("/swap ");
    expect(await options().count()).toBe(0);

    await field().fill("/se");
    await field().press("Escape");
    expect(await options().count()).toBe(0);
    await field().fill("/sw");
    await field().press("Enter");
    await log().getByText("Swap 100 KLV?").waitFor();
  });

  it("are listed by Menu", async () => {
    await start();
    await page.getByRole("button", { name: /Menu/ }).click();
    expect(await options().count()).toBe(3);
    await options().filter({ hasText: "/swap" }).click();
    await log().getByText("Swap 100 KLV?").waitFor();
  });
});

describe("buttons", () => {
  it("show the bot's answer as a toast or an alert", async () => {
    await start();
    await key("Toast").click();
    await page.locator("#toasts").getByText("A short answer").waitFor();
    await key("Alert").click();
    const alert = page.getByRole("dialog");
    await alert.getByText("Mind this").waitFor();
    await alert.getByRole("button", { name: "OK" }).click();
    await alert.waitFor({ state: "hidden" });
  });

  it("spin until the bot has answered", async () => {
    await start();
    await key("Later").click();
    await page.locator('.key[aria-busy="true"]', { hasText: "Later" }).waitFor();
    await key("Later").click();
    expect(sandbox.telegram.unansweredCallbacks()).toHaveLength(1);
    bot.answer();
    await page.locator(".key[aria-busy]").waitFor({ state: "detached" });
  });

  it("edit the message in place", async () => {
    await start();
    await send("/swap");
    await key("Confirm").click();
    const card = log().getByRole("article").last();
    await card.getByText("Swapped: the node accepted it.").waitFor();
    await card.getByText("edited").waitFor();
    expect(await card.getByRole("group").count()).toBe(0);
    expect(await log().getByText("Swap 100 KLV?").count()).toBe(0);
  });
});
