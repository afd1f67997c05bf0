import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { createUpdateQueue } from "../bot/transport/update-queue.js";
import type { Clock } from "../clock.js";
import type { Config } from "../config.js";
import type { Fault } from "../fault.js";
import { alone, type Lead, type News } from "../services/lead.js";
import { createEmbeddedStore } from "../store/embedded.js";
import type { Shared } from "../store/postgres/share.js";
import type { Store } from "../store/store.js";

/** The store, and this program's place among those that share it. */
export interface Place {
  readonly store: Store;
  /** Names this run of the program. */
  readonly run: string;
  readonly lead: Lead;
  /** Says who does the leader's work: called when this instance leads, and whenever others have left something to it. */
  readonly onLead: (duties: Duties) => void;
  readonly shared?: Shared & { readonly createUpdateQueue: typeof createUpdateQueue };
  /** Rejected once another process has taken the store. */
  readonly lost: Promise<never>;
  readonly close: () => Promise<void>;
}

/** What the instance that leads does for all. */
interface Duties {
  /** Takes up whatever is open; does no harm again. */
  readonly takeOver: () => void;
  readonly hear: (news: News) => void;
}

/** 16 random bytes in base64url. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}

/**
 * Opens the store that the configuration names. The database's client is loaded only where there is one.
 * @throws Fault `store-…`, `database-…`.
 */
export async function openPlace(
  { databaseUrl, storeDir }: Config,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<Place> {
  const run = newId();
  let onLost: (fault: Fault) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    onLost = reject;
  });
  // Nobody waits for it before everything has started.
  lost.catch(() => undefined);
  if (databaseUrl === undefined) {
    const store = await createEmbeddedStore({ directory: storeDir, clock, onLost, log });
    return { store, run, lead: alone, onLead: ({ takeOver }) => takeOver(), lost, close: store.close };
  }
  const [{ shareDatabase }, { createUpdateQueue }] = await Promise.all([
    import("../store/postgres/share.js"),
    import("../bot/transport/update-queue.js"),
  ]);
  let duties: Duties | undefined;
  const shared = await shareDatabase({
    url: databaseUrl,
    run,
    clock,
    onBroken: (error) => log.warn({ reason: error }, "A connection to the database broke"),
    onTakeOver: () => duties?.takeOver(),
    onNews: (news) => duties?.hear(JSON.parse(news) as News),
    onLost,
  });
  const { store, instance } = shared;
  const tell = (news: News) => {
    instance.tellLeader(JSON.stringify(news)).catch((error: unknown) => {
      log.warn(
        { reason: error },
        "The leading instance could not be told; whoever leads next will find it in the store",
      );
    });
  };
  return {
    store,
    run,
    lead: { isLeading: instance.isLeading, tell },
    onLead: (mine) => {
      duties = mine;
      if (instance.isLeading()) mine.takeOver();
    },
    shared: { ...shared, createUpdateQueue },
    lost,
    close: async () => {
      await store.close();
      await shared.close();
    },
  };
}
