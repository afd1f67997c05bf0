import type { DestinationStream } from "pino";
import { composeAlerts } from "./app/alerts.js";
import { startBackground } from "./app/background.js";
import { composeChat } from "./app/chat.js";
import { composeParts, newId } from "./app/parts.js";
import { connectServices, type Foundations } from "./app/services.js";
import { systemClock, type Clock } from "./clock.js";
import { secretsOf, type Config } from "./config.js";
import type { Fault } from "./fault.js";
import { createLog, hideSecrets } from "./log.js";
import { tokenFile, tokenListOf } from "./services/token/list.js";
import type { Logger } from "pino";
import { serveStandby } from "./bot/receive/standby.js";
import { openPostgres } from "./store/postgres.js";
import { openStore } from "./store/sqlite.js";
import type { Store } from "./store/store.js";

/** The whole bot, running. */
export interface App {
  /** Ends when the bot was stopped. @throws what stopped it otherwise, such as a token that Telegram refuses. */
  readonly done: Promise<void>;
  /** Finishes what is under way, for some seconds at most, and lets go of everything. */
  readonly stop: () => Promise<void>;
}

export interface AppOptions {
  readonly clock?: Clock;
  /** Standard output unless given. */
  readonly logTo?: DestinationStream;
  /** Ends the wait for the lease, where another process has it. */
  readonly signal?: AbortSignal;
  /** Whether the node makes sure by itself that a caller is who they say, as the sandbox's does. */
  readonly nodeProvesCallers?: boolean;
}

/** How long updates under way may take to finish at a stop, in milliseconds. */
const STOP_DEADLINE_MILLISECONDS = 15_000;

/**
 * Composes every part from a configuration and starts it. Production, the sandbox and the tests all begin here.
 * @throws Fault `store-…`, `token-list-invalid`.
 */
export async function startApp(
  config: Config,
  { clock = systemClock, logTo, signal = new AbortController().signal, nodeProvesCallers = false }: AppOptions = {},
): Promise<App> {
  const secrets = secretsOf(config);
  const hide = hideSecrets(secrets);
  const log = createLog({ level: config.logLevel, secrets, ...(logTo !== undefined && { destination: logTo }) });
  if (config.callIncludesCaller && !nodeProvesCallers) {
    log.warn(
      "CALL_INCLUDES_CALLER is on: callers are not proven, so a node that trusts them lets anybody act for anybody",
    );
  }
  const listed = tokenFile(config.tokensFile);
  const tokens = tokenListOf(await listed.read());
  let onLost: (fault: Fault) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    onLost = reject;
  });
  // Nobody waits for it before everything has started.
  lost.catch(() => undefined);
  const store = await openStoreOf(config, { log, signal, onLost });
  try {
    const app = await compose({ config, clock, log, hide, tokens, store, run: newId() }, lost);
    const unwatch = listed.watch(tokens.replace, log);
    return { ...app, stop: () => app.stop().finally(unwatch) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Where everything is kept. Where another process has it, this one waits, and its port says so. */
async function openStoreOf(
  { store, port, host }: Config,
  parts: { readonly log: Logger; readonly signal: AbortSignal; readonly onLost: (fault: Fault) => void },
): Promise<Store> {
  const { log, signal, onLost } = parts;
  if (store.kind === "sqlite") return openStore({ directory: store.directory, onLost });
  let standby: Promise<() => Promise<void>> | undefined;
  try {
    return await openPostgres({
      url: store.url,
      signal,
      onLost,
      onAway: (err) => log.warn({ err }, "PostgreSQL can't be reached; trying again"),
      onStandby: () => {
        log.info("Another instance is active; standing by");
        if (port !== undefined) standby = serveStandby({ port, host });
      },
    });
  } finally {
    await (await standby)?.();
  }
}

/** @param lost is rejected once the disk has failed. */
async function compose(foundations: Foundations, lost: Promise<never>): Promise<App> {
  const stopping = new AbortController();
  const services = await connectServices(foundations);
  const alerting = composeAlerts(foundations, services, (error) => parts.operator.noteError(error));
  const parts = composeParts(foundations, services, alerting, {
    stopping: stopping.signal,
    botName: () => chat.bot.botInfo.username,
    onShown: () => chat.expiring.wake(),
    onRequest: (request) => chat.follow(request),
  });
  const chat = composeChat(foundations, services, alerting, parts);
  const transport = await chat.receive();
  const operating = startBackground(alerting, parts, chat);
  return {
    done: Promise.race([transport.done, lost]),
    stop: async () => {
      stopping.abort();
      await transport.stop(STOP_DEADLINE_MILLISECONDS);
      // However long a call takes, its outcome is worth waiting for.
      await parts.intents.idle();
      await chat.follower.stop();
      await alerting.orders.stop();
      await alerting.outbox.stop();
      await operating;
      await parts.operator.settled();
      alerting.pacer.stop();
      await services.close();
      // The last of all: until now something could still have to be written.
      await foundations.store.close();
    },
  };
}
