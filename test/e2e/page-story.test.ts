import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { testPage } from "../support/pages.js";
import { defaultWorld, people, sandboxDesk, type SandboxDesk } from "../support/sandbox-desk.js";

/** Opens the page with `?story`, on a clock that the test controls. */
async function story(width: number, before?: (desk: SandboxDesk) => Promise<unknown>) {
  const desk = await sandboxDesk({ world: defaultWorld });
  await before?.(desk);
  const { page } = await testPage({ viewport: { width, height: 800 } }, { tour: true });
  await page.clock.install();
  await page.goto(`${desk.sandbox.url}/?story`);
  const tour = page.getByRole("region", { name: "Guided tour" });
  /** Advances the clock until the story says this. */
  const says = (line: RegExp) =>
    expect
      .poll(() => page.clock.runFor(250).then(() => tour.textContent()), { timeout: 60_000, interval: 20 })
      .toMatch(line);
  return { desk, page, tour, says, alice: desk.person(people.alice) };
}

const state = (page: Page) => page.evaluate("document.body.dataset.story");

it.each([1000, 390])("the story plays to its end without input, %i pixels wide", async (width) => {
  const { desk, page, tour, says, alice } = await story(width);
  const before = alice.holds();
  await says(/One tap, one call/);
  const call = page.locator(".call[open]");
  await call.getByRole("row", { name: "payment KLV=100000000 = 100 KLV" }).waitFor();
  await call.getByRole("row", { name: /amount_out_min \d+ = 0\.98\d+ KFI/ }).waitFor();
  await call.getByRole("row", { name: /amount_out_destination klv1usdny…ujlazy = Alice/ }).waitFor();
  await says(/Her balances moved/);
  await page.getByRole("row", { name: "KLV −100 9,900" }).waitFor();
  await says(/never trades by itself/);
  await says(/Her tap sent it/);
  await says(/Its answer never came back/);
  await call.getByText("cut", { exact: true }).waitFor();
  await says(/never sends it again/);
  await page.getByRole("log").getByText("Outcome unknown").waitFor();
  await says(/Found: the swap went through/);
  await says(/Your turn/);
  expect(await state(page)).toBe("told");
  expect(desk.callsSent()).toHaveLength(3);
  expect((before["KLV"] ?? 0n) - (alice.holds()["KLV"] ?? 0n)).toBe(250_000_000n);
  await page.keyboard.press("Escape");
  // Pushing a price is what the step about alerts asks for, too.
  await tour.getByText("Step 7 of 8").waitFor();
});

it.each(["a key", "a tap"])("%s stops the story in the middle, and the tour continues from there", async (act) => {
  const { desk, page, tour, says } = await story(390);
  await says(/One card says it all/);
  if (act === "a key") await page.keyboard.press("Shift");
  else await tour.getByRole("button", { name: "Take over" }).click();
  await tour.getByText("Step 3 of 8").waitFor();
  expect(await state(page)).toBeUndefined();
  await page.clock.runFor(60_000);
  expect(desk.callsSent()).toEqual([]);
  // The chat now takes the user's input.
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill("/help");
  await field.press("Enter");
  await expect.poll(() => desk.sandbox.telegram.chat(people.alice).some(({ text }) => text === "/help")).toBe(true);
});

it("the story says why it can't go on in a world where Alice can't trade", async () => {
  const { desk, page, tour, says } = await story(1000, async ({ person }) => {
    await person(people.alice).asks("/freeze", /Frozen/);
  });
  await says(/She wants to swap 100 KLV/);
  await says(/The story can't go on: .*npm run sandbox -- --fresh/);
  expect([await state(page), desk.callsSent()]).toEqual([undefined, []]);
  await tour.getByRole("button", { name: "Take over" }).click();
  await tour.getByText(/Step \d of 8/).waitFor();
});
