import { createLoop } from "../../loop.js";
import type { Database } from "../../store/store.js";
import { dueIntents, nextDue, noteDue, type DueIntent } from "../intent/queries.js";
import { pauseAfter, type BackOff } from "../limits/back-off.js";
import { createPace, look, type Followed, type LookParts } from "./look.js";

const BACK_OFF: BackOff = { first: 1000, longest: 30_000 };
/** More than the node is asked about in a moment; of those that are over unless the chain contradicts that, one at a time. */
const WIDTHS = { underWay: 100, ended: 1 } as const;

/** Brings requests for a signature and transactions to their end, whether or not anybody taps. */
export function createTransactionTracker(parts: Omit<LookParts, "pace"> & { readonly store: Database }) {
  const { clock, log, store } = parts;
  const looking: LookParts = { ...parts, pace: createPace(clock) };
  /** What this run of the program has seen of each so far: an end takes two looks. */
  const followed = new Map<string, Followed>();

  async function run(due: DueIntent): Promise<void> {
    const { id, owner } = due;
    const item = followed.get(id) ?? {
      id,
      owner,
      seen: {},
      looks: 0,
      failures: 0,
      broadcastAt: Number.NEGATIVE_INFINITY,
    };
    followed.set(id, item);
    const pause = await look(looking, item).then(
      (milliseconds) => {
        item.failures = 0;
        return milliseconds;
      },
      (err: unknown) => {
        item.failures += 1;
        log.warn({ intent: id, err }, "A transaction could not be looked up");
        return pauseAfter(item.failures, BACK_OFF);
      },
    );
    if (pause === undefined) followed.delete(id);
    const next = pause === undefined ? null : Math.ceil(clock.now() + pause);
    await store.write((tx) => noteDue(tx, due, next));
  }

  const loops = Object.entries(WIDTHS).map(([phase, width]) =>
    createLoop(
      {
        name: `transactions ${phase}`,
        width,
        keyOf: ({ id }: DueIntent) => id,
        due: (now, limit, running) => dueIntents(store.db, phase as keyof typeof WIDTHS, now, limit, running),
        nextAt: (now) => nextDue(store.db, phase as keyof typeof WIDTHS, now),
        run,
      },
      parts,
    ),
  );
  return {
    /** To be called once a change of one is committed. */
    wake: (): void => loops.forEach(({ wake }) => wake()),
    /** Looks at what is due until the signal is aborted, and ends when what is in progress has. */
    run: (signal: AbortSignal): Promise<unknown> => Promise.all(loops.map((loop) => loop.run(signal))),
  };
}
