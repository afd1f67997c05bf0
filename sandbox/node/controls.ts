import { Hono } from "hono";
import * as z from "zod";
import { readAddress } from "../chain/address.js";
import type { Chain } from "../chain/chain.js";
import { writeJson } from "./transaction.js";
import { alterations } from "./alterations.js";
import { blockFaults, nodeSwitches, type ChainNode } from "./node.js";
import { walletModes, walletShapes, type Wallet } from "./wallet.js";

const change = nodeSwitches.extend({
  emptyPool: z.literal(true).optional(),
  rollBack: z.int().min(1).max(10).optional(),
  walletMode: z.enum(walletModes).optional(),
  walletShape: z.enum(walletShapes).optional(),
  walletAccount: z.string().transform(readAddress).optional(),
});

/** Maximum number of transactions to show: more would be slow to draw. */
const SHOWN = 100;

interface Controlled {
  readonly node: ChainNode;
  readonly wallet: Wallet;
}

/** The node's and the wallet's state for the inspector. */
export function nodeSnapshot({ node, wallet }: Controlled): object {
  return {
    transactions: node.transactions().slice(0, SHOWN),
    ...node.switches(),
    alterations,
    walletMode: wallet.mode(),
    walletModes,
    walletShape: wallet.shape(),
    walletShapes,
    walletAccount: wallet.account(),
    walletAccounts: wallet.accounts,
    blockFaults,
  };
}

/** The inspector's controls of node and wallet. */
export function controlRoutes(chain: Chain, { node, wallet }: Controlled): Hono {
  const routes = new Hono();
  routes.post("/_sim/node", async ({ req }) => {
    const read = change.parse(await req.json());
    const { emptyPool, rollBack, ...rest } = read;
    const { walletMode, walletShape, walletAccount, ...switches } = rest;
    node.set(switches);
    if (emptyPool === true) node.emptyPool();
    if (rollBack !== undefined) node.rollBack(rollBack);
    wallet.set({ mode: walletMode, shape: walletShape, account: walletAccount });
    chain.changed();
    return new Response(writeJson({ done: true }), { headers: { "content-type": "application/json" } });
  });
  return routes;
}
