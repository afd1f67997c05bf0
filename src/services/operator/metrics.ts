import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { systemClock, type Clock } from "../../clock.js";
import { formatAmount, type Amount } from "../../encoding/amount.js";
import type { ReturnDataEncoding } from "../../encoding/result.js";
import type { WaitingPeople } from "../telegram/outbox-turns.js";
import type { IntentChange } from "../intent/change.js";
import type { Intent } from "../intent/intent.js";
import type { ChainBlocks } from "../chain/blocks.js";
import { flowOf } from "../trade/kinds.js";
import type { RequestResult } from "../base/health.js";

/** Prometheus metrics, as `docs/interfaces.md` names them; every label has few values. */
export interface Metrics {
  /** @returns a function to call once the update has been handled. */
  readonly updateBegins: () => () => void;
  /** Those being handled now. */
  readonly updates: () => WaitingPeople;
  readonly updatesFailed: Counter;
  /** A request to a service is over. */
  readonly asked: (done: RequestResult) => void;
  /** An intent has come to a state. @param paid the operator's fee. */
  readonly counted: (intent: Intent, paid: Amount | undefined) => void;
  /** Listens to intents that come to another state. @param encoding the node's, see {@link flowOf}. */
  readonly countChanges: (encoding: ReturnDataEncoding) => (change: IntentChange) => void;
  readonly standing: (counts: StandingCounts) => void;
  /** Posts of programs, by answer. */
  readonly proposed: Counter<"answer">;
  /** What the outbox's gauges are read from. */
  readonly outbox: (waiting: () => Promise<WaitingPeople>) => void;
  /** @param count how many cards are kept that have spent nothing. */
  readonly unspent: (count: () => Promise<number>) => void;
  readonly blocks: (blocks: Pick<ChainBlocks, "overdue" | "state">) => void;
  /** Adds those of Node.js and of the process. */
  readonly watchProcess: () => void;
  /** All of them in Prometheus' format. @throws Fault `store-…`, as some are read from there. */
  readonly text: () => Promise<string>;
}

/** In seconds: from the bot's own overhead to the longest timeout. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Maximum number of tokens with a fee metric, to bound the labels. */
const MAX_FEE_LABELS = 100;

/** Prometheus metrics; every label has few values. */
export function createMetrics(clock: Pick<Clock, "monotonic"> = systemClock): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets: BUCKETS, registers });

  const underWay = new Set<{ readonly since: number }>();
  gauge("swapdesk_updates_under_way", "Updates being handled", () => underWay.size);
  const updatesHandled = counter("swapdesk_updates_handled_total", "Updates handled");
  const handlingTime = "Time from an update's arrival to the end of its handling";
  const updateTime = histogram("swapdesk_update_duration_seconds", handlingTime);
  const sent = "What was sent to chats and accepted by Telegram, by method";
  const replies = counter("swapdesk_replies_total", sent, "method");
  const asking = "Time of a request to a service until its whole answer, by status or by why there was none";
  const requestTime = histogram("swapdesk_upstream_request_duration_seconds", asking, "service", "status");
  const limited = counter("swapdesk_upstream_rate_limited_total", "Answers 429", "service");
  const quotes = counter("swapdesk_quotes_total", "Quotes asked for", "outcome");

  const counted = createIntentCounter(counter);

  return {
    updateBegins: () => {
      const update = { since: clock.monotonic() };
      underWay.add(update);
      return () => {
        underWay.delete(update);
        updatesHandled.inc();
        updateTime.observe((clock.monotonic() - update.since) / 1000);
      };
    },
    updates: (): WaitingPeople => {
      const [oldest] = underWay;
      return { count: underWay.size, oldestMilliseconds: oldest === undefined ? 0 : clock.monotonic() - oldest.since };
    },
    updatesFailed: counter("swapdesk_updates_failed_total", "Updates whose handler failed"),
    asked: ({ service, method, status, seconds }: RequestResult) => {
      if (seconds === undefined) return;
      requestTime.observe({ service, status }, seconds);
      if (status === 429) limited.inc({ service });
      if (service === "quotation") quotes.inc({ outcome: status === 200 ? "answered" : "failed" });
      if (method !== undefined && status === 200) replies.inc({ method });
    },
    counted,
    countChanges:
      (encoding: ReturnDataEncoding) =>
      ({ before, after }: IntentChange): void => {
        if (before?.state !== after.state) counted(after, flowOf(after, encoding).fee);
      },
    standing: (counts: StandingCounts) => countStandingOrders(registry, counts),
    proposed: counter("swapdesk_proposals_total", "Posts of programs, by answer", "answer"),
    outbox: (waiting: () => Promise<WaitingPeople>) => {
      const people = async () => (await waiting()).count;
      const oldest = async () => (await waiting()).oldestMilliseconds / 1000;
      gauge("swapdesk_outbox_people", "People to whom something may be due that has not left", people);
      gauge("swapdesk_outbox_oldest_seconds", "For how long the oldest alert has waited", oldest);
    },
    unspent: (count) => gauge("swapdesk_unspent_cards", "Cards kept that have spent nothing, up to 100000", count),
    blocks: ({ overdue, state }) => {
      gauge("swapdesk_blocks_current", "1 while each block is read as it comes", () => (state().isCurrent ? 1 : 0));
      gauge(
        "swapdesk_blocks_overdue_seconds",
        "For how long the reading has been behind",
        async () => (await overdue()) / 1000,
      );
    },
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    text: () => registry.metrics(),
  };
}

type MakeCounter = (name: string, help: string, label: string) => Counter;

type StandingCounts = () => Promise<Readonly<Record<string, number>>>;

function countStandingOrders(registry: Registry, counts: StandingCounts): void {
  new Gauge({
    name: "swapdesk_standing_orders",
    help: "Standing orders that have not ended, by kind",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      for (const [kind, count] of Object.entries(await counts())) this.set({ kind }, count);
    },
  });
}

/** Counts intents by state, calls by outcome, and fees by token. */
function createIntentCounter(counter: MakeCounter) {
  const calls = counter("swapdesk_calls_total", "Calls by how they ended: ok, failed, unknown, or not sent", "outcome");
  const intents = counter("swapdesk_intents_total", "Intents that came to a state", "state");
  const fees = counter("swapdesk_fees_total", "Fees earned since the start, in whole tokens", "token");
  const feeTokens = new Set<string>();
  const offered = counter(
    "swapdesk_standing_offers_total",
    "Cards that standing orders made, also those that Telegram didn't take, by kind",
    "kind",
  );

  return ({ state, outcome, origin, terms }: Intent, paid: Amount | undefined): void => {
    intents.inc({ state });
    const order = "standing" in terms.request ? terms.request.standing : undefined;
    if (order !== undefined && origin === "standing" && state === "QUOTED") offered.inc({ kind: order.kind });
    if (outcome !== undefined) calls.inc({ outcome: outcome.kind });
    if (paid === undefined) return;
    const { id } = paid.token;
    if (feeTokens.size >= MAX_FEE_LABELS && !feeTokens.has(id)) return;
    feeTokens.add(id);
    // oxlint-disable-next-line money/no-floating-point -- only for a chart, which needs no more precision
    fees.inc({ token: id }, Number(formatAmount(paid)));
  };
}
