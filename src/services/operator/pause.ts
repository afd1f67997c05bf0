import { z } from "zod";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import type { Database } from "../../store/store.js";

/** Why nobody can trade at the moment, and since when. */
export interface Pause {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** As people read it. */
  readonly reason: string;
}

const pauses: Setting<Pause | null> = {
  name: "pause",
  schema: z.object({ since: z.number(), reason: z.string() }).nullable(),
  initial: null,
};

/**
 * Whether people can trade, as the operator wants it. It is kept in the store and asked there each time, so a pause holds
 * everywhere.
 */
export type Trading = ReturnType<typeof createTrading>;

export function createTrading({ store, clock }: { readonly store: Database; readonly clock: Clock }) {
  const pauseNow = async (): Promise<Pause | undefined> => (await readSetting(store.db, pauses)) ?? undefined;
  return {
    pauseNow,
    /** To be asked right before a call leaves. @throws Fault `trading-paused`, with the reason. */
    assertOpen: async (): Promise<void> => {
      const pause = await pauseNow();
      if (pause !== undefined) throw new Fault("trading-paused", { reason: pause.reason });
    },
    /** Nothing leaves any more once this has ended. A pause during another one changes the reason. */
    pause: (reason: string): Promise<void> =>
      store.write(async (tx) => {
        const now = await readSetting(tx, pauses);
        await writeSetting(tx, pauses, { since: now?.since ?? clock.now(), reason });
      }),
    resume: (): Promise<void> => store.write((tx) => writeSetting(tx, pauses, null)),
  };
}
