// Films the sandbox's story for the README, on a desktop and a phone. Chromium sends a frame whenever the page changes;
// sharp combines them into an animated WebP. Needs a font with emoji (Debian: fonts-noto-color-emoji).
import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { newPage, sharedBrowser } from "../test/support/browser.js";

/** `still` shows the call on the wire, for readers who prefer no animation. */
const films: readonly Film[] = [
  { file: "docs/story.webp", still: "docs/sandbox.png", viewport: { width: 1000, height: 760 } },
  { file: "docs/story-phone.webp", viewport: { width: 390, height: 800 } },
];
const largestBytes = 2_000_000;
/** Changes within this time become one frame. */
const frameMilliseconds = 120;
/** How long the last frame stays before the film repeats. */
const endMilliseconds = 5000;

interface Film {
  readonly file: string;
  readonly still?: string;
  readonly viewport: { readonly width: number; readonly height: number };
}

interface Frame {
  readonly at: number;
  readonly png: Buffer;
}

for (const film of films) {
  const { file } = film;
  const frames = thinned(await withSandbox((url) => record(url, film)));
  const end = (frames.at(-1)?.at ?? 0) + endMilliseconds;
  const delay = frames.map(({ at }, index) => Math.round((frames[index + 1]?.at ?? end) - at));
  await sharp(
    frames.map(({ png }) => png),
    { join: { animated: true } },
  )
    .webp({ delay, loop: 0, quality: 70, effort: 4, minSize: true, mixed: true })
    .toFile(file);
  const { size } = await stat(file);
  process.stdout.write(`${file}: ${frames.length} pictures, ${size} bytes\n`);
  if (size > largestBytes) throw new Error(`${file} is larger than ${largestBytes} bytes`);
}
process.exit();

/** Starts a new sandbox with the real bot, and stops it afterwards. */
async function withSandbox<Result>(use: (url: string) => Promise<Result>): Promise<Result> {
  const sandbox = spawn(process.execPath, ["--import", "tsx", "sandbox/main.ts", "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(createInterface(sandbox.stdout), "line")) as [string];
    return await use(line.slice(line.indexOf("http")));
  } finally {
    sandbox.kill();
  }
}

async function record(url: string, { viewport, still }: Film): Promise<Frame[]> {
  const { page } = await newPage(await sharedBrowser(), { viewport, locale: "en-GB" }, true);
  const devtools = await page.context().newCDPSession(page);
  const frames: Frame[] = [];
  devtools.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    frames.push({ at: (metadata.timestamp ?? 0) * 1000, png: Buffer.from(data, "base64") });
    void devtools.send("Page.screencastFrameAck", { sessionId });
  });
  await page.goto(`${url}/?story`);
  await page.locator("body[data-story=plays]").waitFor();
  if (!(await drawsEmoji(page))) throw new Error("There is no font with emoji: install fonts-noto-color-emoji");
  await devtools.send("Page.startScreencast", { format: "png" });
  await page.locator(".call[open]").waitFor({ timeout: 60_000 });
  if (still !== undefined) await page.screenshot({ path: still });
  await page.locator("body[data-story=told]").waitFor({ timeout: 120_000 });
  await devtools.send("Page.stopScreencast");
  await page.context().close();
  return frames;
}

/** Whether a tick is drawn differently from the box that stands for a missing glyph. */
function drawsEmoji(page: Page): Promise<boolean> {
  return page.evaluate(`(() => {
    const drawn = (sign) => {
      const context = Object.assign(document.createElement("canvas"), { width: 40, height: 40 }).getContext("2d");
      context.font = "30px sans-serif";
      context.fillText(sign, 0, 30);
      return context.getImageData(0, 0, 40, 40).data.join();
    };
    return drawn("✅") !== drawn("\\u{10FFFD}");
  })()`);
}

/** Keeps only the last of the frames within each `frameMilliseconds`. */
function thinned(frames: readonly Frame[]): Frame[] {
  const kept: Frame[] = [];
  for (const { at, png } of frames) {
    const last = kept.at(-1);
    if (last !== undefined && at - last.at < frameMilliseconds) kept[kept.length - 1] = { at: last.at, png };
    else kept.push({ at, png });
  }
  return kept;
}
