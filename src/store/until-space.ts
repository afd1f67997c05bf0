import type { Basics } from "../loop.js";
import { isFault } from "../fault.js";
import { isLasting } from "./database.js";

/** How long a start waits for space: what fills a disk often goes by itself. */
const SPACE_WAIT_MS = 60_000;
const SPACE_LOOK_MS = 1_000;

/** Opens a store as soon as its disk lets it. @throws what `open` throws last, or the signal's reason. */
export async function untilSpace<Opened>(
  open: () => Opened,
  { clock, log, signal }: Basics & { readonly signal: AbortSignal },
): Promise<Opened> {
  const begunAt = clock.monotonic();
  for (let isFirst = true; ; isFirst = false) {
    try {
      return open();
    } catch (err) {
      if (!isFault(err, "store-write-failed") || isLasting(err)) throw err;
      if (clock.monotonic() - begunAt >= SPACE_WAIT_MS) throw err;
      if (isFirst) log.error({ err }, "The store can't be written; waiting a minute for space");
      await clock.sleep(SPACE_LOOK_MS, signal);
    }
  }
}
