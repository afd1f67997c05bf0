import type { BrowserContextOptions } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { newPage, sharedBrowser, type WatchedPage } from "./browser.js";

interface Ways {
  /** Whether the page begins with the guided tour. */
  readonly tour?: boolean;
  /** Faults that the test causes on purpose. */
  readonly excused?: RegExp;
}

/** A page in the shared browser; when the test ends, it is closed and must have no faults. */
export async function testPage(
  options: BrowserContextOptions,
  { tour = false, excused = /^$/ }: Ways = {},
): Promise<WatchedPage> {
  const watched = await newPage(await sharedBrowser(), options, tour);
  onTestFinished(async () => {
    await watched.page.context().close();
    expect(watched.faults.filter((fault) => !excused.test(fault))).toEqual([]);
  });
  return watched;
}

/** Opens the sandbox's page and waits until it receives events. */
export async function openPage(url: string, options: BrowserContextOptions, ways?: Ways): Promise<WatchedPage> {
  const watched = await testPage(options, ways);
  await watched.page.goto(url);
  await watched.page.locator('body[data-feed="live"]').waitFor();
  return watched;
}
