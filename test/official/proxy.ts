import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { temporaryServer } from "../support/temporary-server.js";

interface Answer<Data> {
  readonly data: Data;
  readonly error: string;
}

/**
 * Klever's API in front of a node: the paths that its packages call but a node doesn't have. It answers from the node,
 * in the forms of klever-connect's api-types; integers are small enough for JSON numbers here.
 */
export async function startProxy(nodeUrl: string): Promise<string> {
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const init = body && { method: "POST", body: JSON.stringify(body) };
    return (await fetch(nodeUrl + path, init)).json();
  };
  const routes = new Hono();

  routes.get("/v1.0/address/:address", async ({ req, json }) => {
    const address = req.param("address");
    const { data } = (await ask(`/address/${address}`)) as Answer<{ account: { Balance?: number; Nonce?: number } }>;
    const { Balance: balance = 0, Nonce: nonce = 0 } = data.account;
    return json({ data: { account: { address, balance, nonce, assets: {} } }, error: "" });
  });

  routes.get("/v1.0/transaction/:hash", async ({ req, json }) => {
    const hash = req.param("hash");
    const { data, error } = (await ask(`/transaction/${hash}?withResults=true`)) as Answer<{
      transaction: { Block?: number; Result?: number; logs?: object };
    } | null>;
    if (data === null) return json({ data, error }, 404);
    const { Block: blockNum, Result: result = 0, logs } = data.transaction;
    const status = blockNum === undefined ? "pending" : result === 0 ? "success" : "failed";
    return json({ data: { transaction: { hash, blockNum, status, logs, receipts: [] } }, error: "" });
  });

  routes.post("/sc/query", async ({ req, json }) => {
    const body: { ScAddress: string; FuncName: string; Arguments: string[] } = await req.json();
    const args = body.Arguments.map((each) => Buffer.from(each, "base64").toString("hex"));
    const { data, error } = (await ask("/vm/query", {
      scAddress: body.ScAddress,
      funcName: body.FuncName,
      args,
    })) as Answer<{ data: object }>;
    return json({ data: data.data, error });
  });

  return temporaryServer(createAdaptorServer({ fetch: routes.fetch }));
}
