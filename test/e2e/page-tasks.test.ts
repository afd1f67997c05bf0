import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openPage } from "../support/pages.js";
import { sandboxDesk } from "../support/sandbox-desk.js";

/** Common tasks on the page of a phone, counting taps and typed messages, and with the keyboard alone. */

/** Alice's phone, which counts taps and typed messages since the last task. */
async function phone(setup?: Parameters<typeof sandboxDesk>[0]) {
  const desk = await sandboxDesk(setup);
  const options = { viewport: { width: 390, height: 844 }, permissions: ["clipboard-read", "clipboard-write"] };
  const { page } = await openPage(desk.sandbox.url, options, { tour: true });
  let counted = { taps: 0, typed: 0 };
  return {
    desk,
    page,
    /** Taps the newest button with that name. */
    taps: async (name: string | RegExp) => {
      await page.getByRole("button", { name }).last().click();
      counted.taps += 1;
    },
    types: async (text: string) => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.keyboard.press("Enter");
      counted.typed += 1;
    },
    task: () => {
      const done = counted;
      counted = { taps: 0, typed: 0 };
      return done;
    },
  };
}

const shows = (page: Page, text: string | RegExp) => page.getByRole("log").getByText(text).last().waitFor();
/** Waits until `times` calls have been accepted. */
const accepted = (page: Page, times: number) =>
  expect.poll(() => page.getByRole("log").getByText("Accepted, not yet confirmed").count()).toBe(times);

it("a first swap, a repeat, a swap to a pasted token and the export each take a few taps", async () => {
  const { desk, page, taps, types, task } = await phone();
  await taps("Start");
  await page.getByText("Step 2 of 8").waitFor();
  await taps("💱 Swap");
  await shows(page, /Send your klv1… wallet address/);
  await types(desk.address("Alice"));
  await taps(/(?:^|· )KLV$/);
  await shows(page, /Which token do you want/);
  await taps(/(?:^|· )KFI$/);
  await taps(/^100$/);
  await taps(/^✅ Confirm/);
  await accepted(page, 1);
  expect(task()).toEqual({ taps: 6, typed: 1 });

  await taps("🔁 Repeat");
  await taps(/^✅ Confirm/);
  await accepted(page, 2);
  expect(task()).toEqual({ taps: 2, typed: 0 });

  await types("DVK-34ZH");
  await taps(/^100 KLV$/);
  await taps(/^✅ Confirm/);
  await accepted(page, 3);
  expect(task()).toEqual({ taps: 2, typed: 1 });
  expect(desk.callsSent()).toHaveLength(3);

  await types("/history");
  await taps("📄 Export CSV");
  await page.getByRole("log").getByText("history.csv").waitFor();
  expect(task()).toEqual({ taps: 1, typed: 1 });
});

it("one tap clears up an unknown outcome", async () => {
  const { desk, page, taps, types, task } = await phone();
  await taps("Start");
  await types(`/wallet ${desk.address("Alice")}`);
  await shows(page, /Your wallet address/);
  await types("/swap 100 KLV KFI");
  await shows(page, /You pay/);
  // The call is executed, but its answer is lost.
  desk.sandbox.faults.next("node", "drop-after", 1);
  await taps(/^✅ Confirm/);
  await shows(page, /Outcome unknown/);
  task();
  await taps("🔎 Check");
  await shows(page, /arrived/i);
  expect(task()).toEqual({ taps: 1, typed: 0 });
  expect(desk.callsSent()).toHaveLength(1);
});

it("the tour and a whole swap work with the keyboard alone", async () => {
  const { desk, page } = await phone();
  const { keyboard } = page;
  const reach = async (name: RegExp, key: string) => {
    const focused = page.locator(":focus");
    for (let presses = 0; presses < 40; presses += 1) {
      const label = (await focused.getAttribute("aria-label").catch(() => null)) ?? (await focused.textContent());
      if (name.test(label ?? "")) return;
      await keyboard.press(key);
    }
    throw new Error(`the keyboard does not reach ${String(name)}`);
  };
  const answers = async (text: string) => {
    await keyboard.type(text);
    await keyboard.press("Enter");
  };
  // The tour has eight steps, and doesn't come back.
  await page.getByText("Step 1 of 8").waitFor();
  for (let step = 1; step <= 8; step += 1) {
    await reach(step === 8 ? /^Done$/ : /^Next$/, "Shift+Tab");
    await keyboard.press("Enter");
  }
  await page.reload();
  await page.locator('body[data-feed="live"]').waitFor();
  expect(await page.getByText("Step 1 of 8").isVisible()).toBe(false);

  await reach(/^Start$/, "Tab");
  await keyboard.press("Enter");
  await shows(page, /Welcome/);
  await answers(`/wallet ${desk.address("Alice")}`);
  await shows(page, /Your wallet address/);
  await answers("/swap 100 KLV KFI");
  await shows(page, /You pay/);
  await reach(/^✅ Confirm/, "Shift+Tab");
  await keyboard.press("Enter");
  await accepted(page, 1);
});

it("the tour advances with what the user does, and leaves the phone's space to the chat", async () => {
  const { desk, page, taps, types } = await phone();
  const tour = page.getByRole("region", { name: "Guided tour" });
  const at = (step: number) => tour.getByText(`Step ${step} of 8`).waitFor();
  await at(1);
  expect((await tour.boundingBox())!.height).toBeLessThan(844 / 9);
  await taps("Start");
  await at(2);
  await taps("Copy the address of Alice");
  await page.getByText("Copied to the clipboard").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(desk.address("Alice"));
  await at(3);
  await types(`/wallet ${desk.address("Alice")}`);
  await shows(page, /Your wallet address/);
  await page.reload();
  await at(3);
  await types("/swap 100 KLV KFI");
  await shows(page, /You pay/);
  await taps(/^✅ Confirm/);
  await at(4);
  await taps("Inspector");
  await at(4);
  await page.getByRole("tab", { name: "Pools" }).click();
  await page.getByRole("button", { name: "KFI +10%" }).first().click();
  // A limit order and a regular purchase send their swaps within a minute.
  const chat = page.getByRole("button", { name: "Chat", exact: true });
  await chat.click();
  await at(6);
  await types("/limit 100 KLV KFI");
  await taps(/^−5%/);
  await taps("👍 Set this order");
  await shows(page, /Limit order set/);
  await taps("Inspector");
  await page.getByRole("button", { name: "KFI −10%" }).first().click();
  await chat.click();
  await at(7);
  const [line = ""] = /\/dca .* UTC/.exec((await tour.textContent()) ?? "") ?? [];
  await types(line);
  await taps("👍 Set this order");
  await shows(page, /Regular purchase set/);
  await taps("Inspector");
  await page.getByRole("tab", { name: "Chain" }).click();
  await page.getByRole("button", { name: "+1 hour" }).click();
  await chat.click();
  await at(8);
  await taps("Inspector");
  await page.getByRole("tab", { name: "Faults" }).click();
  await page.getByRole("group", { name: "Quotation" }).getByRole("button", { name: "5xx" }).click();
  await page.getByRole("button", { name: "Chat", exact: true }).click();
  await tour.waitFor({ state: "hidden" });
  await page.reload();
  await page.locator('body[data-feed="live"]').waitFor();
  expect(await tour.isVisible()).toBe(false);
});

it("the page says that a world with a wallet ends with a restart, and that its swaps are signed", async () => {
  const { desk, page, taps, types } = await phone({ wallet: true });
  expect(await page.getByText(/restart/i).textContent()).toBe("A restart begins a new one.");
  await taps("Start");
  await page.getByText("Step 2 of 8").waitFor();
  await types(`/wallet ${desk.address("Alice")}`);
  await shows(page, /Your wallet address/);
  await types("/swap 100 KLV KFI");
  await shows(page, /You pay/);
  await taps(/^✅ Confirm/);
  const sign = page.getByRole("link", { name: "Sign in your wallet" });
  await sign.waitFor();
  expect(await page.getByText(/Step 3 of 8.*sign it on the page/).isVisible()).toBe(true);
  await sign.click();
  await page.getByText("Step 4 of 8").waitFor();
});
