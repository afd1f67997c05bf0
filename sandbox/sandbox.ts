import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { createChain, type Chain } from "./chain/chain.js";
import { chainRoutes } from "./chain/routes.js";
import { createMarket } from "./exchange/market.js";
import { exchangeRoutes } from "./exchange/routes.js";
import { createFaults, type ServiceEnv } from "./faults.js";
import { controlRoutes, nodeSnapshot } from "./node/controls.js";
import { createNode } from "./node/node.js";
import { nodeRoutes } from "./node/routes.js";
import { botProxy } from "./bot-proxy.js";
import { walletRoutes } from "./node/wallet-routes.js";
import { createWallet } from "./node/wallet.js";
import { foreignPhone } from "./phones.js";
import { quotationRoutes } from "./quotation.js";
import type { Clock } from "./telegram/clock.js";
import type { PersonSetup } from "./telegram/people.js";
import { telegramRoutes } from "./telegram/routes.js";
import { isOwn } from "./own-requests.js";
import { createTelegram } from "./telegram/telegram.js";
import { createTime } from "./time.js";
import { webRoutes } from "./web/routes.js";
import { createWireLog } from "./wire-log.js";
import { loadWorld, type World, type WorldJson } from "./world.js";

export interface SandboxSetup {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  /** Absent: the default world. */
  readonly world?: WorldJson;
  /** Whether the node is like a real one: it executes signed transactions only, and there is a wallet to sign them. */
  readonly wallet?: boolean;
  readonly people?: readonly PersonSetup[];
  readonly token?: string;
  readonly clock?: Clock;
  /** Whether Telegram enforces its message limits. */
  readonly limits?: boolean;
  /** Whether the world survives a restart, which the page shows. */
  readonly isKept?: boolean;
}

/** A running sandbox: everything that a bot needs around it, on one port of 127.0.0.1. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

/** Longer than callers pause on a busy machine: a request on a connection that is being closed only gets a reset. */
const KEEP_ALIVE_MS = 60_000;

/** Any number would do; the same seed moves the same orders the same way. */
const MARKET_SEED = 1;

/** What a real node serves. */
const nodePath = /^\/(?:vm|node|address|asset|block|transaction)\//;

/** Looks like a token, but isn't one. */
const sandboxToken = "1000:sandbox-token-that-opens-nothing";

/** The people of the default world, which links its accounts to these ids. */
const defaultPeople: readonly PersonSetup[] = [
  { id: 1001, firstName: "Alice", username: "alice_sandbox", languageCode: "en" },
  { id: 1002, firstName: "Bob", username: "bob_sandbox", languageCode: "en" },
  { id: 1003, firstName: "Carol", username: "carol_sandbox", languageCode: "en" },
];

const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal && { signal }),
};

/**
 * Starts a sandbox: chain, quotation, exchange, Telegram and the page.
 * @throws if the world is invalid or the port is unavailable.
 */
export async function startSandbox(setup: SandboxSetup = {}) {
  const { port = 0, people = defaultPeople, token = sandboxToken, limits = false } = setup;
  const time = createTime(setup.clock ?? systemClock);
  const { clock } = time;
  const loaded = loadWorld(setup.world ?? defaultWorld());
  const world = setup.wallet === true ? asRealNode(loaded) : loaded;
  const faults = createFaults();
  const wireLog = createWireLog(clock);
  const telegram = createTelegram({ token, people, clock, limits });
  const chain = createChain(world, { clock, objection: foreignPhone(world, telegram) });
  const real = setup.wallet === true ? createRealNode(chain) : undefined;
  /** Where the bot must serve what the sandbox passes on: its signing page, and proposals. */
  const botPort = await freePort();
  const market = createMarket(MARKET_SEED, clock, world.orders);

  const app = new Hono<ServiceEnv>();
  // The log wraps the faults, so that it records what they did.
  app.use("/vm/*", wireLog.middleware("node"));
  app.use("/node/*", wireLog.middleware("node"));
  app.use("/address/*", wireLog.middleware("node"));
  app.use("/asset/*", wireLog.middleware("node"));
  app.use("/block/*", wireLog.middleware("node"));
  app.use("/transaction/*", wireLog.middleware("node"));
  app.use("/quotation", wireLog.middleware("quotation"));
  app.use("/v1/*", wireLog.middleware("exchange"));
  app.use("/propose", wireLog.middleware("programs"));
  app.use("/propose/*", wireLog.middleware("programs"));
  app.use("/:bot{bot[^/]+}/*", wireLog.middleware("telegram"), faults.middleware("telegram"));
  app.route("/", real === undefined ? chainRoutes(chain, faults) : nodeRoutes(chain, real.node, faults));
  if (real !== undefined) {
    app.route("/", walletRoutes(real.wallet));
    app.route("/", controlRoutes(chain, real));
  }
  app.route("/", botProxy(`http://127.0.0.1:${botPort}`));
  app.route("/", quotationRoutes(chain, faults));
  app.route("/", exchangeRoutes(market, faults));
  app.route("/", telegramRoutes(telegram));
  const { isKept = false } = setup;
  const snapshot = () => ({
    ...chain.snapshot(),
    ahead: time.ahead(),
    isKept,
    ...(real !== undefined && { node: nodeSnapshot(real) }),
  });
  app.route("/", webRoutes({ chain: { ...chain, snapshot }, time, telegram, market, faults, wireLog }));

  const server = createAdaptorServer({
    fetch: (request, environment) => {
      const headers = Object.fromEntries(request.headers);
      const isNodes = nodePath.test(new URL(request.url).pathname);
      // A node answers pages of any origin.
      const asked = isNodes ? { host: headers["host"] } : headers;
      if (isOwn(asked, portOf())) return app.fetch(request, environment);
      return new Response("The sandbox answers its own page only", { status: 403 });
    },
    serverOptions: { requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
  });
  const portOf = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

  return {
    /** URL of the page and of every service, without a trailing slash. */
    url: `http://127.0.0.1:${portOf()}`,
    token,
    world,
    chain,
    botPort,
    /** Present if the setup has `wallet`. */
    ...(real !== undefined && { real }),
    telegram,
    time,
    market,
    faults,
    wireLog,
    close: async () => {
      market.stop();
      telegram.close();
      const closed = new Promise((resolve) => server.close(resolve));
      // Polls, event streams and requests with a `hang` fault would never end.
      if ("closeAllConnections" in server) server.closeAllConnections();
      await closed;
    },
  };
}

function createRealNode(chain: Chain) {
  const node = createNode(chain);
  return { node, wallet: createWallet(chain.state, node) };
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A real node has only one form of answer. */
function asRealNode(world: World): World {
  return { ...world, options: { ...world.options, answerNesting: "node", returnDataEncoding: "base64" } };
}

export function defaultWorld(): WorldJson {
  return JSON.parse(readFileSync(new URL("../data/world.json", import.meta.url), "utf8")) as WorldJson;
}
