import { Fault } from "../fault.js";
import { collectionOf } from "../store/defaults.js";
import type { CommonParts } from "./common-parts.js";

/** Why nobody can trade at the moment, and since when. */
export interface Pause {
  /** Milliseconds since 1970. */
  readonly since: number;
  /** As people read it. */
  readonly reason: string;
}

interface TradingState {
  readonly version: 1;
  readonly pause?: Pause;
}

const open: TradingState = { version: 1 };

const trading = collectionOf("trading", open);

/** There is one document: a pause holds for everybody. */
const EVERYBODY = "everybody";

/**
 * Whether people can trade, as the operator wants it. It is kept in the store and asked there each time, so a pause holds
 * everywhere.
 */
export type Trading = ReturnType<typeof createTrading>;

export function createTrading({ store, clock }: Pick<CommonParts, "store" | "clock">) {
  const pauseNow = async () => (await store.read(trading, EVERYBODY))?.pause;
  return {
    pauseNow,
    /** To be asked right before a call leaves. @throws Fault `trading-paused`, with the reason. */
    assertOpen: async (): Promise<void> => {
      const pause = await pauseNow();
      if (pause !== undefined) throw new Fault("trading-paused", { reason: pause.reason });
    },
    /** Nothing leaves any more once this has ended. A pause during another one changes the reason. */
    pause: (reason: string): Promise<void> =>
      store.update(trading, EVERYBODY, (now) => [
        { ...now, pause: { since: now.pause?.since ?? clock.now(), reason } },
        undefined,
      ]),
    resume: (): Promise<void> => store.update(trading, EVERYBODY, () => [open, undefined]),
  };
}
