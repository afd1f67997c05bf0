import { EventEmitter } from "node:events";
import type { DestinationStream } from "pino";
import { publishCommands, publishDescriptions } from "../bot/features/start.js";
import { createHandledNotes } from "../services/telegram/handled-notes.js";
import { createInbox } from "../bot/receive/inbox.js";
import { createOrigin } from "../bot/receive/origin.js";
import { startReceiving } from "../bot/receive/receive.js";
import { systemClock, type Clock } from "../clock.js";
import { secretsOf, type Config } from "../config.js";
import type { Fault } from "../fault.js";
import { createLog, hideSecrets } from "../log.js";
import { isOutNow } from "../services/base/health.js";
import { createOwnWrites } from "../services/person/own-writes.js";
import { unknownZones } from "../services/person/unknown-zones.js";
import { tokenFile, tokenListOf } from "../services/market/token-list.js";
import type { Basics } from "../loop.js";
import { afterRestore } from "../services/operator/after-restore.js";
import type { StandingOrders } from "../services/standing/standing-orders.js";
import { askChain, holdOrders } from "../services/standing/restored-orders.js";
import { refusedLinks } from "../refused-links.js";
import { openStore } from "../store/sqlite.js";
import { untilSpace } from "../store/until-space.js";
import type { Store } from "../store/store.js";
import type { Base, Events } from "./base.js";
import { mountBot, type UpdateWrites } from "./mount-bot.js";
import { createServices, type Services } from "./services.js";

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
  for (const name of refusedLinks(config)) log.warn({ name }, "Telegram takes no link to the host of this variable");
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
  const opened = await openStoreOf(config, { clock, log, signal, onLost });
  const { db, assertOwned, close } = opened;
  const handled = createHandledNotes({ store: opened, clock, log });
  const ownWrites = createOwnWrites();
  const store: Store = { db, write: ownWrites.guard(handled.write), assertOwned, close };
  try {
    const { done, stop } = await compose({ config, clock, log, tokens, store }, { handled, ownWrites }, lost);
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
  parts: Basics & { readonly signal: AbortSignal; readonly onLost: (fault: Fault) => void },
): Promise<Store> {
  const { log, signal, onLost } = parts;
  if (store.kind === "sqlite") return untilSpace(() => openStore({ directory: store.directory, onLost }), parts);
  // Imported on demand, since SQLite doesn't need the driver.
  const { openPostgres } = await import("../store/postgres.js");
  let standby: Promise<() => Promise<void>> | undefined;
  try {
    return await openPostgres({
      url: store.url,
      directory: store.directory,
      onUnkept: (err) => log.warn({ err }, "STORE_DIR can't be written: a restart forgets what was seen of PostgreSQL"),
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
async function compose(base: Base, updates: UpdateWrites, lost: Promise<never>): Promise<App> {
  const { config, clock, log, store } = base;
  // Telegram soon says what time it is.
  clock.doubt.begin(clock.now());
  const events: Events = new EventEmitter();
  const services = await createServices(base, events);
  const { away, connections, market, bot, outbox, pacer, intents, orders, operator, tradingPause, health, metrics } =
    services;
  const { features, signing, delays, standingOrders, proposals } = mountBot(base, services, updates, events);
  const askAfterRestore = await beginAfterRestore(base, services, standingOrders);

  const { noteError, tellOfGivenUp } = operator;
  const origin = createOrigin({ apiRoot: config.telegramApiRoot, store, log });
  const { handled } = updates;
  const inbox = createInbox({ noteError, tellOfGivenUp, origin, bot, store, handled, metrics, clock, log });
  const isWell = () => !health.read().some((service) => isOutNow(service, clock.monotonic()));
  const owns = async () => {
    await store.assertOwned();
    await tradingPause.pauseNow();
    return true;
  };
  const receiving = { config, bot, inbox, metrics, owns, isWell, signing: signing?.site, proposals, clock, log };
  const transport = await startReceiving(receiving);

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
  void transport.receiving.then(() => {
    aside("Commands not published", publishCommands(bot.api, { clock, log, signal }));
    aside("Descriptions not published", publishDescriptions(bot.api, { clock, log, signal }));
    aside("Time zones not read", warnOfZones({ store, log }));
  });
  aside("Interrupted transactions not recovered", intents.recover(signal));
  aside("Rows of an earlier version not rewritten", intents.rewriteOldRows(signal));
  aside("The chain wasn't asked about orders that a restore holds", askAfterRestore());
  orders.start();
  log.info("Recovery complete");
  const working = Promise.all([
    ...features.flatMap(({ loops = [] }) => loops).map((loop) => loop(signal)),
    away.run(() => bot.api.getMe(), signal),
    market.blocks.run(signal),
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

/** Before anything runs on data that was restored. @returns what then asks the chain about orders that this holds. */
async function beginAfterRestore(
  { config, clock, log, store }: Base,
  { connections, intents }: Services,
  standingOrders: Pick<StandingOrders, "pause">,
): Promise<() => Promise<void>> {
  const nonceOf = config.gateway.kind === "wallet" ? connections.node.nonce : undefined;
  const operators = config.adminUserIds ?? [];
  const hold = holdOrders({ nonceOf });
  await afterRestore({ intents, operators, settings: config, holdOrders: hold, store, clock, log });
  return () => askChain({ nonceOf, store, log }, standingOrders.pause);
}

async function warnOfZones({ store, log }: Pick<Basics, "log"> & { readonly store: Store }): Promise<void> {
  const zones = await unknownZones(store);
  if (zones.length > 0) log.warn({ zones }, "Time zones of some people aren't known: they count as UTC");
}
