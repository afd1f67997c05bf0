import { readFileSync } from "node:fs";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { z } from "zod";
import { readAddress } from "../chain/address.js";
import { writeJson, readJson } from "./transaction.js";
import { walletModes, type Wallet } from "./wallet.js";

const source = readFileSync(new URL("wallet-script.js", import.meta.url), "utf8");
const change = z.strictObject({
  mode: z.enum(walletModes).optional(),
  account: z.string().transform(readAddress).optional(),
});

/** The script that a page gets in place of the extension: nothing where the wallet is absent. */
export function walletScript(wallet: Wallet): string {
  return wallet.mode() === "absent" ? "" : source.replace('"LATE"', JSON.stringify(String(wallet.mode() === "late")));
}

/** The wallet, for its script and for the inspector. */
export function walletRoutes(wallet: Wallet): Hono {
  const routes = new Hono();
  const json = (value: unknown) => new Response(writeJson(value), { headers: { "content-type": "application/json" } });
  const state = () =>
    json({ mode: wallet.mode(), account: wallet.account(), accounts: wallet.accounts, modes: walletModes });
  // A page that is served elsewhere asks too, as it asks a node.
  routes.use("/_sim/wallet/*", cors());
  routes.get(
    "/_sim/wallet.js",
    () => new Response(walletScript(wallet), { headers: { "content-type": "text/javascript" } }),
  );
  routes.post("/_sim/wallet/account", () => json({ address: wallet.account() }));
  routes.post("/_sim/wallet/sign", async ({ req }) => json(await wallet.sign(readJson(await req.text()))));
  routes.get("/_sim/wallet", state);
  routes.post("/_sim/wallet", async ({ req }) => {
    wallet.set(change.parse(await req.json()));
    return state();
  });
  routes.onError(
    (error) => new Response(error instanceof z.ZodError ? z.prettifyError(error) : error.message, { status: 400 }),
  );
  return routes;
}
