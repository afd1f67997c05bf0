import type { Clock } from "../../clock.js";
import { createBudget } from "../base/budget.js";
import { createKeyedQueue } from "../base/keyed-queue.js";

/** Maximum requests to a node per second, and at a time (klever-go, config/node/config.yaml). */
const NODE_REQUESTS_PER_SECOND = 10;
const MAX_CONCURRENT = 10;

/** Makes a request once its turn has come. */
export type PacedRequest = <Answer>(ask: () => Promise<Answer>) => Promise<Answer>;

/** Queues requests, so that the node stays within its limits however many there are. */
export function createPace(clock: Clock): PacedRequest {
  const places = createKeyedQueue(MAX_CONCURRENT);
  const budget = createBudget({ service: "node", clock, requestsPerSecond: NODE_REQUESTS_PER_SECOND });
  return (ask) => places.take(Symbol(), () => budget.poll().then(ask));
}
