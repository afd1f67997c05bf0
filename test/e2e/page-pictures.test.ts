import { join } from "node:path";
import { mkdir } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { sandboxDesk } from "../support/sandbox-desk.js";

async function chatOf(url: string, colorScheme: "dark" | "light"): Promise<Page> {
  const viewport = { width: 390, height: 844 };
  const { page } = await openPage(url, { viewport, colorScheme });
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("log").getByText("Welcome to Swapdesk").waitFor();
  return page;
}

async function type(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Enter");
}

it.each(["dark", "light"] as const)(
  "a chart fits a phone 390 pixels wide, and the link of a shared price works, in a %s app",
  async (scheme) => {
    const desk = await sandboxDesk();
    const page = await chatOf(desk.sandbox.url, scheme);
    if (scheme === "light") {
      await type(page, "/settings");
      await page.getByRole("button", { name: "☀️ Light charts" }).click();
      await page.getByRole("button", { name: "🌙 Dark charts" }).waitFor();
    }
    await type(page, "/chart KFI KLV");
    const picture = page.getByRole("log").getByRole("img", { name: /KFI\/KLV/ });
    await picture.waitFor();
    await expect.poll(() => page.evaluate("document.querySelector('img.photo')?.naturalWidth")).toBe(800);
    const { width } = (await picture.boundingBox())!;
    expect(width).toBeGreaterThan(280);
    expect(width).toBeLessThanOrEqual(390);
    await mkdir(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `chart-${scheme}.png`) });

    await page.getByRole("textbox", { name: "Message" }).fill("@swapdesk_sandbox_bot 100 KLV KFI");
    await page.getByRole("button", { name: /^100 KLV → .* KFI/ }).click();
    const link = page.getByRole("log").getByRole("button", { name: "Open in Swapdesk" });
    await link.waitFor();
    await page.screenshot({ path: join(screenshots, `shared-${scheme}.png`) });
    await link.click();
    await page.getByRole("log").getByText("Quote KLV → KFI").waitFor();
  },
);
