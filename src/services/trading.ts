import type { Clock } from "../clock.js";
import { Fault } from "../fault.js";
import { collectionOf } from "../store/defaults.js";
import type { Store } from "../store/store.js";

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

/** Whether people can trade, as the operator wants it. It is kept in the store and asked there each time, so a pause holds everywhere. */
export interface Trading {
  readonly pauseNow: () => Promise<Pause | undefined>;
  /** To be asked right before a call leaves. @throws Fault `trading-paused`, with the reason. */
  readonly assertOpen: () => Promise<void>;
  /** Nothing leaves any more once this has ended. A pause during another one changes the reason. */
  readonly pause: (reason: string) => Promise<void>;
  readonly resume: () => Promise<void>;
}

export function createTrading({ store, clock }: { readonly store: Store; readonly clock: Clock }): Trading {
  const pauseNow = async () => (await store.read(trading, EVERYBODY))?.pause;
  return {
    pauseNow,
    assertOpen: async () => {
      const pause = await pauseNow();
      if (pause !== undefined) throw new Fault("trading-paused", { reason: pause.reason });
    },
    pause: (reason) =>
      store.update(trading, EVERYBODY, (now) => [
        { ...now, pause: { since: now.pause?.since ?? clock.now(), reason } },
        undefined,
      ]),
    resume: () => store.update(trading, EVERYBODY, () => [open, undefined]),
  };
}
