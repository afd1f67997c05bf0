import { z } from "zod";
import type { Clock } from "../../clock.js";
import { Fault } from "../../fault.js";
import { readSetting, setting, writeSetting, type Database } from "../../store/store.js";

const pauseSchema = z.object({ since: z.number(), reason: z.string() });
export type Pause = Readonly<z.infer<typeof pauseSchema>>;

const pauses = setting("pause", pauseSchema.nullable(), null);

export type Trading = ReturnType<typeof createTrading>;

export function createTrading({ store, clock }: { readonly store: Database; readonly clock: Clock }) {
  const pauseNow = async (): Promise<Pause | undefined> => (await readSetting(store.db, pauses)) ?? undefined;
  return {
    pauseNow,
    /** Called right before a call leaves. @throws Fault `trading-paused`, with the reason. */
    assertOpen: async (): Promise<void> => {
      const pause = await pauseNow();
      if (pause !== undefined) throw new Fault("trading-paused", { reason: pause.reason });
    },
    /** Nothing leaves once this has resolved. A second pause changes the reason. */
    pause: (reason: string): Promise<void> =>
      store.write(async (tx) => {
        const now = await readSetting(tx, pauses);
        await writeSetting(tx, pauses, { since: now?.since ?? clock.now(), reason });
      }),
    resume: (): Promise<void> => store.write((tx) => writeSetting(tx, pauses, null)),
  };
}
