import type { BrowserContextOptions } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { newPage, sharedBrowser, type WatchedPage } from "./browser.js";

interface Ways {
  /** Whether it begins with the guided tour. */
  readonly tour?: boolean;
  /** Faults that the test itself brings about. */
  readonly excused?: RegExp;
}

/** A page in the shared browser that ends with the test, and has to be good until then. */
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

/** Opens the sandbox's page and waits until it is told events. */
export async function openPage(url: string, options: BrowserContextOptions, ways?: Ways): Promise<WatchedPage> {
  const watched = await testPage(options, ways);
  await watched.page.goto(url);
  await watched.page.locator('body[data-feed="live"]').waitFor();
  return watched;
}
