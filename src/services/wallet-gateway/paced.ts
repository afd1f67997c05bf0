import type { Clock } from "../../clock.js";

/** How many questions a node is asked a second, and how many it takes at once (klever-go, config/node/config.yaml). */
const PER_SECOND = 10;
const AT_ONCE = 10;

/** Runs each question in its turn, so that however many ask, the node is asked within its limits. */
export function createPace(clock: Clock): <Answer>(ask: () => Promise<Answer>) => Promise<Answer> {
  let next = Number.NEGATIVE_INFINITY;
  let turns: Promise<unknown> = Promise.resolve();
  const underWay = new Set<Promise<unknown>>();

  const turn = async (): Promise<void> => {
    while (underWay.size >= AT_ONCE) await Promise.race(underWay);
    const now = clock.monotonic();
    if (next > now) await clock.sleep(next - now);
    next = clock.monotonic() + 1000 / PER_SECOND;
  };
  return async (ask) => {
    const mine = turns.then(turn);
    turns = mine;
    await mine;
    const answer = ask();
    const ended: Promise<unknown> = answer.catch(() => undefined).finally(() => underWay.delete(ended));
    underWay.add(ended);
    return answer;
  };
}
