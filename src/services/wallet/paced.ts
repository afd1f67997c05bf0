import type { Clock } from "../../clock.js";
import { createTurns } from "../limits/turns.js";
import { createRateLimit } from "../limits/rate.js";

/** How many questions a node is asked a second, and how many it takes at once (klever-go, config/node/config.yaml). */
const PER_SECOND = 10;
const AT_ONCE = 10;

/** Runs each question in its turn, so that however many ask, the node is asked within its limits. */
export type Pace = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

export function createPace(clock: Clock): Pace {
  const [places, starts] = [createTurns(AT_ONCE), createTurns()];
  const rate = createRateLimit(PER_SECOND);
  const start = async (): Promise<void> => {
    const wait = rate.earliest() - clock.monotonic();
    if (wait > 0) await clock.sleep(wait);
    rate.take(clock.monotonic());
  };
  return (ask) =>
    places.take(Symbol(), async () => {
      await starts.take("", start);
      return ask();
    });
}
