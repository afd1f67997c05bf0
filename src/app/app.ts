import { EventEmitter } from "node:events";
import type { DestinationStream, Logger } from "pino";
import { publishCommands } from "../bot/features/start.js";
import { createHandledNotes, type HandledNotes } from "../services/telegram/handled-notes.js";
import { createInbox } from "../bot/receive/inbox.js";
import { createOrigin } from "../bot/receive/origin.js";
import { startReceiving } from "../bot/receive/receive.js";
import { systemClock, type Clock } from "../clock.js";
import { secretsOf, type Config } from "../config.js";
import type { Fault } from "../fault.js";
import { createLog, hideSecrets } from "../log.js";
import { isOutNow } from "../services/base/health.js";
import { knowsRich } from "../services/telegram/older-server.js";
import { unknownZones } from "../services/person/unknown-zones.js";
import { tokenFile, tokenListOf } from "../services/market/token-list.js";
import { openStore } from "../store/sqlite.js";
import type { Store } from "../store/store.js";
import type { Base, Events } from "./base.js";
import { mountBot } from "./mount-bot.js";
import { createServices } from "./services.js";

/** A running bot. */
export interface App {
  /** Resolves once the bot has stopped; rejects with the error that ended it, such as a token that Telegram refuses. */
  readonly done: Promise<void>;
  /** Finishes what is in progress, updates within {@link STOP_DEADLINE_MS}, and closes everything. */
  readonly stop: () => Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Defaults to standard output. */
  readonly logTo?: DestinationStream;
  /** Aborts the wait for the lease while another process holds it. */
  readonly signal?: AbortSignal;
  /** Whether the node itself verifies callers, as the sandbox's does. */
  readonly nodeProvesCallers?: boolean;
}

/** Milliseconds that updates in progress may take to finish when the bot stops. */
const STOP_DEADLINE_MS = 15_000;

/**
 * Composes and starts the bot from a configuration. Production, the sandbox and the tests all start here.
 * @throws Fault `store-…`, `token-list-invalid`.
 */
export async function startApp(
  config: Config,
  { clock = systemClock, logTo, signal = new AbortController().signal, nodeProvesCallers = false }: AppOptions = {},
): Promise<App> {
  const log = createLog(config.logLevel, hideSecrets(secretsOf(config)), logTo);
  if (config.gateway.kind === "query" && config.callIncludesCaller && !nodeProvesCallers) {
    log.warn(
      "CALL_INCLUDES_CALLER is on: caller addresses are not verified; a node that trusts them lets anyone act for anyone",
    );
  }
  const listed = tokenFile(config.tokensFile);
  const tokens = tokenListOf(await listed.read());
  let onLost: (fault: Fault) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    onLost = (err) => {
      log.fatal({ err }, "The store is lost; the bot stops");
      reject(err);
    };
  });
  // Nothing awaits it until everything has started.
  lost.catch(() => undefined);
  const opened = await openStoreOf(config, { log, signal, onLost });
  const { db, assertOwned, close } = opened;
  const handled = createHandledNotes({ store: opened, clock, log });
  const store: Store = { db, write: handled.write, assertOwned, close };
  try {
    const { done, stop } = await compose({ config, clock, log, tokens, store }, handled, lost);
    const unwatch = listed.watch(tokens.replace, log);
    return { done, stop: () => stop().finally(unwatch) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the store. While another process holds PostgreSQL's lease, this one waits, and its port says so. */
async function openStoreOf(
  { store, port, host }: Config,
  parts: { readonly log: Logger; readonly signal: AbortSignal; readonly onLost: (fault: Fault) => void },
): Promise<Store> {
  const { log, signal, onLost } = parts;
  if (store.kind === "sqlite") return openStore({ directory: store.directory, onLost });
  // Imported on demand, since SQLite doesn't need the driver.
  const { openPostgres } = await import("../store/postgres.js");
  let standby: Promise<() => Promise<void>> | undefined;
  try {
    return await openPostgres({
      url: store.url,
      signal,
      onLost,
      onAway: (err) => log.warn({ err }, "PostgreSQL unreachable; retrying"),
      onStandby: () => {
        log.info("Another instance is active; standing by");
        if (port !== undefined) {
          standby = import("../bot/receive/server.js").then(({ serveStandby }) => serveStandby(port, host));
        }
      },
    });
  } finally {
    await (await standby)?.();
  }
}

/** @param lost rejects once the store is lost. */
async function compose(base: Base, handled: HandledNotes, lost: Promise<never>): Promise<App> {
  const { config, clock, log, store } = base;
  const events: Events = new EventEmitter();
  const services = await createServices(base, events);
  const { connections, feed, market, bot, outbox, pacer, intents, orders, operator, tradingPause, health, metrics } =
    services;
  const { features, signing, delays } = mountBot(base, services, handled, events);

  const { noteError, tellOfGivenUp } = operator;
  const origin = createOrigin({ apiRoot: config.telegramApiRoot, store, log });
  const inbox = createInbox({ noteError, tellOfGivenUp, origin, bot, store, handled, metrics, clock, log });
  const isWell = () => !health.read().some((service) => isOutNow(service, clock.monotonic()));
  const owns = async () => {
    await store.assertOwned();
    await tradingPause.pauseNow();
    return true;
  };
  const site = signing && {
    requests: signing.requests,
    publicUrl: signing.publicUrl,
    walletOrigins: signing.walletOrigins,
    supportContact: config.supportContact,
  };
  const transport = await startReceiving({ config, bot, inbox, metrics, owns, isWell, signing: site, clock, log });

  const stopping = new AbortController();
  const { signal } = stopping;
  const ignoreSteps = clock.onStep((step) => log.warn({ seconds: step / 1000 }, "The clock was set ahead or back"));
  const aside = (what: string, task: Promise<unknown>) => {
    task.catch((err: unknown) => {
      if (!signal.aborted) log.error({ err }, what);
    });
  };
  // Message ids of another bot must not be edited in this one's chats.
  void origin.settled.then(outbox.start);
  const warnOfZones = async (): Promise<void> => {
    const zones = await unknownZones(store);
    if (zones.length > 0) log.warn({ zones }, "Time zones of some people aren't known: they count as UTC");
  };
  void transport.receiving.then(() => {
    aside("Commands not published", publishCommands(bot.api, config, { clock, log, signal }));
    aside("Rich messages not probed", knowsRich(bot.api));
    aside("Time zones not read", warnOfZones());
  });
  aside("Interrupted transactions not recovered", intents.recover(signal));
  aside("Rows of an earlier version not rewritten", intents.rewriteOldRows(signal));
  orders.start();
  log.info("Recovery complete");
  const working = Promise.all([
    ...features.flatMap(({ loops = [] }) => loops).map((loop) => loop(signal)),
    feed?.run(signal),
    market.priceWatches.run(signal),
    intents.expiry.run(signal),
    intents.packing.run(signal),
    signing?.tracker.run(signal),
    delays.run(signal),
  ]);
  const stop = async () => {
    stopping.abort();
    await transport.stop(STOP_DEADLINE_MS);
    // Waits however long a call takes: its outcome is worth it.
    await intents.idle();
    await orders.stop();
    await outbox.stop();
    await working;
    await operator.settled();
    pacer.stop();
    ignoreSteps();
    await market.close();
    await connections.close();
    // Last of all: everything above may still write to it.
    await store.close();
  };
  return { done: Promise.race([transport.done, lost]), stop };
}
