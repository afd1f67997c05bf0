import { Hono } from "hono";
import * as z from "zod";
import { readAddress } from "../chain/address.js";
import type { Chain } from "../chain/chain.js";
import { writeJson } from "./transaction.js";
import { feedSwitches, type Feed } from "./feed.js";
import { alterations } from "./alterations.js";
import { nodeSwitches, type ChainNode } from "./node.js";
import { walletModes, walletShapes, type Wallet } from "./wallet.js";

const change = nodeSwitches.extend({
  emptyPool: z.literal(true).optional(),
  rollBack: z.int().min(1).max(10).optional(),
  feed: feedSwitches.optional(),
  cutFeed: z.literal(true).optional(),
  replayFeed: z.literal(true).optional(),
  walletMode: z.enum(walletModes).optional(),
  walletShape: z.enum(walletShapes).optional(),
  walletAccount: z.string().transform(readAddress).optional(),
});

/** Maximum number of transactions to show: more would be slow to draw. */
const SHOWN = 100;

interface Controlled {
  readonly node: ChainNode;
  readonly feed: Feed;
  readonly wallet: Wallet;
}

/** The node's and the wallet's state for the inspector. */
export function nodeSnapshot({ node, feed, wallet }: Controlled): object {
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
    feed: { ...feed.switches(), addresses: feed.watched()[0]?.length },
  };
}

/** The inspector's controls of node and wallet. */
export function controlRoutes(chain: Chain, { node, feed, wallet }: Controlled): Hono {
  const routes = new Hono();
  routes.post("/_sim/node", async ({ req }) => {
    const read = change.parse(await req.json());
    const { emptyPool, rollBack, feed: feedChange, cutFeed, replayFeed, ...rest } = read;
    const { walletMode, walletShape, walletAccount, ...switches } = rest;
    node.set(switches);
    if (emptyPool === true) node.emptyPool();
    if (rollBack !== undefined) node.rollBack(rollBack);
    if (feedChange !== undefined) feed.set(feedChange);
    if (cutFeed === true) feed.cut();
    if (replayFeed === true) feed.replay();
    wallet.set({ mode: walletMode, shape: walletShape, account: walletAccount });
    chain.changed();
    return new Response(writeJson({ done: true }), { headers: { "content-type": "application/json" } });
  });
  return routes;
}
