import { Worker } from "node:worker_threads";
import { fontFiles } from "./fonts.js";

/** The most pictures that wait or are being drawn, of all people: half a second's work, and somebody can have only one. */
export const MAX_WAITING_PICTURES = 50;

interface WaitingPicture {
  readonly resolve: (png: Uint8Array) => void;
  readonly reject: (reason: Error) => void;
}

type Drawn = { readonly png: Uint8Array } | { readonly png?: undefined; readonly error: Error };

let worker: Worker | undefined;
/** In the order in which the worker answers. */
let waiting: WaitingPicture[] = [];

/**
 * Draws in some 10 ms, one after the other in a thread of its own, so that nobody's answer waits for a picture.
 * @returns undefined if too many wait already. @throws if the platform doesn't have the library.
 */
export async function toPng(svg: string): Promise<Uint8Array | undefined> {
  if (waiting.length >= MAX_WAITING_PICTURES) return undefined;
  const drawing = (worker ??= start());
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    // Only while it draws does it keep the process running.
    drawing.ref();
    drawing.postMessage(svg);
  });
}

function start(): Worker {
  const started = new Worker(new URL("./drawing.js", import.meta.url), {
    workerData: { fontFiles: fontFiles() },
    // Not the program's own: a loader of sources would be loaded once more.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  });
  started.on("message", (answer: Drawn) => {
    const next = waiting.shift();
    if (waiting.length === 0) started.unref();
    if (answer.png === undefined) next?.reject(answer.error);
    else next?.resolve(answer.png);
  });
  // The next picture starts another.
  started.on("error", (error: Error) => {
    const lost = waiting;
    [worker, waiting] = [undefined, []];
    for (const { reject } of lost) reject(error);
  });
  return started;
}
