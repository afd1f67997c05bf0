import { Hono, type MiddlewareHandler } from "hono";
import type { Faults, ServiceEnv } from "../faults.js";
import { accountUnknown, nodeAnswer, refusalAnswer } from "../node/answer.js";
import { readAddress } from "./address.js";
import { badRequestAnswer } from "./answer.js";
import { assetAnswer } from "./asset.js";
import type { Chain } from "./chain.js";
import { isMutable } from "./declarations.js";
import { assetOf, isHolder } from "./ledger.js";
import { NATIVE_TOKEN } from "./token-id.js";

/** The node's routes: contract calls, balances, tokens, and its status with the epoch (klever-go `/node/status`). */
export function chainRoutes(chain: Chain, faults: Faults): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>();
  routes.use("/vm/*", faults.middleware("node"));
  routes.use("/node/*", faults.middleware("node"));
  routes.use("/asset/*", faults.middleware("node"));

  routes.post("/vm/query", callsOnly(faults.middleware("calls")), async (context) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    const { status, body: answer } = body === undefined ? badRequestAnswer("invalid JSON") : chain.query(body);
    return context.json(answer, status);
  });

  // Real nodes have this in addition to the documented interface, but not all of them.
  if (chain.state.world.options.tellsBalances) {
    routes.use("/address/*", faults.middleware("balances"));
    routes.get("/address/:address/balance", ({ req }) => {
      const owner = readAddress(req.param("address"));
      if (!isHolder(chain.state.ledger, owner)) return refusalAnswer(accountUnknown());
      return nodeAnswer({ balance: chain.state.ledger.balance(owner, assetOf(req.query("asset") ?? NATIVE_TOKEN)) });
    });
  }

  if (chain.state.world.options.tellsAssets) {
    routes.use("/asset/*", faults.middleware("assets"));
    routes.get("/asset/:id", ({ req }) => assetAnswer(chain.state, req.param("id")));
  }
  routes.get("/node/status", (context) => context.json({ data: nodeStatus(chain), error: "", code: "successful" }));

  return routes;
}

/** Applies to calls of functions that change something, and leaves out views. */
function callsOnly(middleware: MiddlewareHandler<ServiceEnv>): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const body: unknown = await context.req.json().catch(() => undefined);
    const isCall = isMutable((body as { readonly funcName?: unknown } | undefined)?.funcName);
    return isCall ? middleware(context, next) : next();
  };
}

/** The figures of `GET /node/status`. */
export function nodeStatus({ state, time }: Chain): { readonly metrics: Readonly<Record<string, string | number>> } {
  const { chainId, blocksPerEpoch, blockMilliseconds } = state.world.chain;
  return {
    metrics: {
      klv_app_version: "v1.7.15-0-gsandbox/go1.25.3/linux-amd64",
      klv_chain_id: chainId,
      klv_epoch_number: time.epoch(),
      klv_current_slot: time.block(),
      klv_slot_at_epoch_start: time.epochStartBlock(),
      klv_slots_per_epoch: blocksPerEpoch,
      klv_slot_duration: blockMilliseconds,
      klv_nonce: time.block(),
      klv_is_syncing: 0,
    },
  };
}
