import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { screenshots } from "../support/browser.js";
import { deskWithClosedPair } from "../support/closed-pair.js";
import { openPage } from "../support/pages.js";
import { paidByBob } from "../support/paid-by-bob.js";
import { comparedCard, people, requestsTo, type SandboxDesk } from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { walletChat } from "../support/wallet-chat.js";

/** What people are told of by itself, in both modes, on a phone 390 pixels wide. */

const TELL = "📥 Tell me what arrives (1 KLV or more)";

async function phone({ sandbox }: SandboxDesk): Promise<Page> {
  const { page } = await openPage(sandbox.url, { viewport: { width: 390, height: 844 } });
  return page;
}

/** Waits until the chat shows a text that fits, and keeps a picture. */
async function shows(page: Page, text: RegExp, name: string): Promise<void> {
  await page.getByRole("log").getByText(text).last().waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390);
  await page.screenshot({ path: join(screenshots, `news-${name}-390.png`) });
}

it.each(["wallet", "query"] as const)("what arrives (%s)", async (mode) => {
  const chat = await walletChat(mode === "query" ? { CALL_GATEWAY: "query" } : {}, { clock: createSwiftClock(20) });
  const page = await phone(chat.desk);
  await chat.alice.taps(await chat.alice.asks("/balance", /Reported by the node/), TELL);
  await paidByBob(chat.desk, 1_234_567_890);
  await shows(page, /Arrived at your address/, `arrivals-${mode}`);
});

it("a big trade, and the list of those that one watches", async () => {
  const chat = await walletChat();
  const { alice, desk, pageOf, sign } = chat;
  const page = await phone(desk);
  await alice.asks("/bigtrades KFI/KLV 50", /🔔/);
  await until(async () => /each block as it comes since/.test((await alice.asks("/bigtrades", /big trades/)).text));
  await shows(page, /each block as it comes since/, "big-trades-list");
  const card = await comparedCard(alice, "/swap 100 KLV KFI");
  expect(await sign(pageOf(await alice.confirms(card, /Waiting for your signature/)))).toBe(200);
  await shows(page, /Big trade: KFI \/ KLV/, "big-trades");
});

it("a new pair", async () => {
  const { desk, open } = await deskWithClosedPair();
  const page = await phone(desk);
  const reads = () => requestsTo(desk, /^\/vm\/query$/).length;
  const before = reads();
  await desk.person(people.alice).asks("/newpairs on", /On: /);
  // What is open by then is no news.
  await until(() => reads() > before + 2 * desk.sandbox.chain.pools().length);
  open();
  await shows(page, /🆕 New pair/, "new-pairs");
});
