import { z } from "zod";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { readSetting, writeSetting, type Setting } from "../../store/settings.js";
import type { Database } from "../../store/store.js";

const pauseSchema = z.object({ since: z.number(), reason: z.string() });
export type Pause = Readonly<z.infer<typeof pauseSchema>>;

const pauses: Setting<Pause | null> = {
  name: "pause",
  schema: pauseSchema.nullable(),
  initial: null,
};

export interface Trading {
  readonly pauseNow: () => Promise<Pause | undefined>;
  /** Called right before a call leaves. @throws Fault `trading-paused`, with the reason. */
  readonly assertOpen: () => Promise<void>;
  /** Nothing leaves once this has resolved. A second pause changes the reason. */
  readonly pause: (reason: string) => Promise<void>;
  readonly resume: () => Promise<void>;
}

export function createTrading({ store, clock }: { readonly store: Database; readonly clock: Clock }): Trading {
  const pauseNow = async (): Promise<Pause | undefined> => (await readSetting(store.db, pauses)) ?? undefined;
  return {
    pauseNow,
    assertOpen: async () => {
      const pause = await pauseNow();
      if (pause !== undefined) throw new Fault("trading-paused", { reason: pause.reason });
    },
    pause: (reason) =>
      store.write(async (tx) => {
        const now = await readSetting(tx, pauses);
        await writeSetting(tx, pauses, { since: now?.since ?? clock.now(), reason });
      }),
    resume: () => store.write((tx) => writeSetting(tx, pauses, null)),
  };
}
