import type { Logger } from "pino";
import { within, type Clock } from "../../clock.js";
import type { Address } from "../../encoding/address.js";
import { Fault, isFault, unlessFault } from "../../fault.js";
import type { ContractViews } from "../intent/gateway.js";
import { createPoolGraph, type PoolGraph } from "./pool-graph.js";
import type { Pool } from "./pool.js";
import { BROKEN, createPoolViews } from "./pool-views.js";

/** After a failure the node is left alone for this many milliseconds, unless somebody waits for the pools. */
const RETRY_AFTER_MILLISECONDS = 5_000;
/** Where the pools come only from a file, the node is asked for its own again after this many milliseconds. */
const JUST_READ_MILLISECONDS = 3000;

/** The pools of the router, kept in place and refreshed when they are asked for. */
export interface Pools {
  /**
   * The graph after making sure that it is no older than this many milliseconds.
   * @throws Fault `service-…`; `pools-unknown` when the node has no such views and no file of pools was given.
   */
  readonly fresh: (maxAge: number) => Promise<PoolGraph>;
  /**
   * The graph if it is no older than this many milliseconds, or becomes so within the milliseconds of `patience`; otherwise
   * undefined. Never throws: the caller does without.
   */
  readonly known: (maxAge: number, patience: number) => Promise<PoolGraph | undefined>;
  /** Takes other pools in place of `fallback`, from the next reading on. */
  readonly replaceFallback: (pools: readonly Pool[]) => void;
  /** False once the node has answered that there is no such view and no file stands in: then there is nothing to wait for. */
  readonly areOffered: () => boolean;
  /**
   * Whether the router lists all of these pairs now. True where it doesn't say: a node without the view proves nothing.
   * Never throws a Fault.
   */
  readonly areListed: (addresses: readonly Address[]) => Promise<boolean>;
  /**
   * The graph after reading these pools again and no others.
   * @throws as `fresh`; `view-missing`, `contract-failed`, `answer-unreadable`.
   */
  readonly reread: (addresses: readonly Address[]) => Promise<PoolGraph>;
}

/** Pools by the router's and the pairs' views; `fallback` stands in where the node has none. */
export function createPools(parts: {
  readonly gateway: Pick<ContractViews, "query">;
  readonly routerContract: Address;
  readonly fallback: readonly Pool[] | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}): Pools {
  const { clock, log } = parts;
  let { fallback } = parts;
  const graph = createPoolGraph([]);
  const views = createPoolViews({ ...parts, graph });
  /** Whether the node has ever reported its pools: from then on a file never takes their place. */
  let nodeTells = false;
  let areOffered = true;
  let readAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const readAll = async (): Promise<void> => {
    try {
      const pairs = await views.list();
      await views.read(pairs, false);
      views.keepOnly(pairs);
      nodeTells = true;
      areOffered = true;
    } catch (error) {
      if (fallback === undefined || nodeTells) {
        failedAt = clock.monotonic();
        if (isFault(error, "view-missing")) areOffered = nodeTells;
        throw isFault(error, ...BROKEN) ? new Fault("pools-unknown", {}, { cause: error }) : error;
      }
      log.info({ err: error }, "Pools come from the file: the node does not report any");
      fallback.forEach(graph.update);
      views.keepOnly(fallback);
    }
    readAt = clock.monotonic();
  };
  /** One refresh at a time, however many ask. */
  const refresh = (): Promise<void> => {
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const fresh = async (maxAge: number): Promise<PoolGraph> => {
    if (clock.monotonic() - readAt > maxAge) await refresh();
    return graph;
  };

  return {
    fresh,
    known: async (maxAge, patience) => {
      if (clock.monotonic() - readAt <= maxAge) return graph;
      if (reading === undefined && clock.monotonic() - failedAt < RETRY_AFTER_MILLISECONDS) return undefined;
      const read = refresh().then(
        () => graph,
        (err: unknown) => {
          log.info({ err }, "Pools could not be read");
          return undefined;
        },
      );
      return within(clock, patience, read);
    },
    replaceFallback: (pools) => {
      fallback = pools;
    },
    areOffered: () => areOffered,
    areListed: async (addresses) => {
      const listed = await unlessFault(views.list, (err) =>
        log.info({ err }, "The router's pairs could not be read; those of a call are not compared"),
      );
      return listed === undefined || addresses.every((each) => listed.some(({ address }) => address === each));
    },
    reread: async (addresses) => {
      if (nodeTells)
        await views.read(
          addresses.map(graph.poolAt).filter((pool) => pool !== undefined),
          true,
        );
      else await fresh(JUST_READ_MILLISECONDS);
      return graph;
    },
  };
}
