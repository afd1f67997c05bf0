import { Hono, type Context, type MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { assetAnswer } from "../chain/asset.js";
import { nodeStatus } from "../chain/routes.js";
import type { Chain } from "../chain/chain.js";
import type { Faults, ServiceEnv } from "../faults.js";
import { accountUnknown, busyAnswer, nodeAnswer, Refusal, refusalAnswer } from "./answer.js";
import { BASE_SIZE } from "./fees.js";
import { accountAt, type ChainNode } from "./node.js";
import { readJson } from "./transaction.js";

/** Maximum number of concurrent requests to an endpoint (klever-go config/node/config.yaml). */
const SEND_LIMIT = 2;
const LOOKUP_LIMIT = 10;

/** A real node's endpoints, open to pages of any origin, as in klever-go. */
export function nodeRoutes(chain: Chain, node: ChainNode, faults: Faults): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  const open = ["/vm/*", "/node/*", "/address/*", "/asset/*", "/block/*"];
  for (const path of [...open, "/transaction/*"]) routes.use(path, cors());
  for (const path of open) routes.use(path, faults.middleware("node"));

  routes.get("/node/status", () => nodeAnswer(nodeStatus(chain)));
  routes.get("/node/overview", () => nodeAnswer({ overview: overviewOf(nodeStatus(chain)) }));
  routes.post("/vm/query", async (context) => {
    const { output, error } = node.query(await bodyOf(context, "executeQuery: invalid json request"));
    return nodeAnswer({ data: output }, error);
  });

  if (chain.state.world.options.tellsAssets) {
    routes.use("/asset/*", faults.middleware("assets"));
    routes.get("/asset/:id", ({ req }) => assetAnswer(chain.state, req.param("id")));
  }
  routes.get("/address/:address", ({ req }) =>
    nodeAnswer({ account: node.accounts.describe(accountAt(req.param("address"))) }),
  );
  routes.get("/address/:address/balance", ({ req }) => {
    const account = accountAt(req.param("address"));
    if (!node.accounts.isKnown(account)) throw accountUnknown();
    return nodeAnswer({ balance: node.accounts.balance(account, req.query("asset") ?? "KLV") });
  });
  routes.get("/address/:address/nonce", ({ req }) => {
    const account = accountAt(req.param("address"));
    const pending = node.pool(account);
    const nonce = node.accounts.nonce(account);
    const first = pending.reduce(
      (least, each) => (each.nonce < least ? each.nonce : least),
      pending[0]?.nonce ?? nonce,
    );
    return nodeAnswer({ nonce, firstPendingNonce: first, txPending: pending.length });
  });

  routes.post("/transaction/send", throttle(SEND_LIMIT), faults.middleware("node-build"), async (context) =>
    nodeAnswer(node.build(await bodyOf(context), context.req.query("skipValidate") === "true")),
  );
  routes.post("/transaction/decode", faults.middleware("node"), async (context) =>
    nodeAnswer(node.decode(await bodyOf(context))),
  );
  routes.post(
    "/transaction/broadcast",
    faults.middleware("node-broadcast"),
    faults.middleware("calls"),
    async (context) => nodeAnswer(node.broadcast(await bodyOf(context))),
  );
  routes.get("/transaction/pool", faults.middleware("node"), ({ req }) => {
    const sender = req.query("sender");
    const transactions = node.pool(sender === undefined ? undefined : accountAt(sender));
    return nodeAnswer({ transactions, total: transactions.length, page: 0, pageSize: 100 });
  });
  routes.get("/block/by-nonce/:nonce", ({ req }) => {
    if (node.switches().blockFault === "closed") return new Response("404 page not found", { status: 404 });
    const nonce = req.param("nonce");
    if (!/^[0-9]{1,15}$/.test(nonce)) throw new Refusal("validation error: invalid block nonce");
    return nodeAnswer({ block: node.block(Number(nonce), /^(?:1|t|true)$/i.test(req.query("withTxs") ?? "")) });
  });
  routes.get("/transaction/:hash", throttle(LOOKUP_LIMIT), faults.middleware("node-lookup"), ({ req }) =>
    nodeAnswer({ transaction: node.lookUp(req.param("hash"), req.query("withResults") === "true") }),
  );

  routes.onError((error) => {
    if (error instanceof Refusal) return refusalAnswer(error);
    throw error;
  });
  return routes;
}

/** The status metrics under other names (klever-go statusHandler/statusMetrics.go). */
function overviewOf({ metrics }: ReturnType<typeof nodeStatus>): object {
  return {
    baseTxSize: BASE_SIZE,
    chainID: metrics["klv_chain_id"],
    currentSlot: metrics["klv_current_slot"],
    epochNumber: metrics["klv_epoch_number"],
    nonce: metrics["klv_nonce"],
    slotAtEpochStart: metrics["klv_slot_at_epoch_start"],
    slotDuration: metrics["klv_slot_duration"],
    slotsPerEpoch: metrics["klv_slots_per_epoch"],
  };
}

async function bodyOf(context: Context, refusal = "validation error: invalid JSON"): Promise<unknown> {
  const text = await context.req.text();
  try {
    return readJson(text);
  } catch {
    throw new Refusal(refusal);
  }
}

function throttle(limit: number): MiddlewareHandler<ServiceEnv> {
  let running = 0;
  return async (context, next) => {
    if (running >= limit) return busyAnswer(context.req.path);
    running += 1;
    try {
      await next();
      return undefined;
    } finally {
      running -= 1;
    }
  };
}
