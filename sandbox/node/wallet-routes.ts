import { readFileSync } from "node:fs";
import { Hono } from "hono";
import * as z from "zod";
import { writeJson, readJson } from "./transaction.js";
import type { Wallet } from "./wallet.js";

const source = readFileSync(new URL("wallet-script.js", import.meta.url), "utf8");
/** The script that stands in for the extension on a page; empty if the wallet is `absent`. */
export function walletScript(wallet: Wallet): string {
  if (wallet.mode() === "absent") return "";
  return source
    .replace('"LATE"', JSON.stringify(String(wallet.mode() === "late")))
    .replace('"SHAPE"', JSON.stringify(wallet.shape()));
}

/** The routes for the wallet's script. */
export function walletRoutes(wallet: Wallet): Hono {
  const routes = new Hono();
  const json = (value: unknown) => new Response(writeJson(value), { headers: { "content-type": "application/json" } });
  routes.get(
    "/_sim/wallet.js",
    () => new Response(walletScript(wallet), { headers: { "content-type": "text/javascript" } }),
  );
  routes.post("/_sim/wallet/account", () => json({ address: wallet.account(), asks: wallet.mode() === "asks" }));
  routes.post("/_sim/wallet/sign", async ({ req }) => json(await wallet.sign(readJson(await req.text()))));
  routes.onError(
    (error) => new Response(error instanceof z.ZodError ? z.prettifyError(error) : error.message, { status: 400 }),
  );
  return routes;
}
