import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { startSandbox } from "../../sandbox/sandbox.js";
import { createFaults, faultyServices, type ServiceEnv } from "../../sandbox/faults.js";
import { createWireLog } from "../../sandbox/wire-log.js";

const servers: ReturnType<typeof serve>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  }
});

/** A service that counts the requests it executes, behind the log and the switchboard. */
async function start(slowMilliseconds = 1) {
  const faults = createFaults(slowMilliseconds);
  const wireLog = createWireLog({ now: () => 7 });
  let carriedOut = 0;
  const app = new Hono<ServiceEnv>();
  app.use(wireLog.middleware("node"), faults.middleware("node"));
  app.post("/call", async (context) => {
    carriedOut += 1;
    return context.json({ heard: await context.req.json<unknown>() }, 201);
  });
  const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  servers.push(server);
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/call`;
  const call = (signal?: AbortSignal) =>
    fetch(url, { method: "POST", body: '{"a":1}', ...(signal !== undefined && { signal }) });
  return { faults, wireLog, call, carriedOut: () => carriedOut, arrived: () => once(server, "request") };
}

describe("the fault switchboard", () => {
  it("does nothing until a fault is set", async () => {
    const { call, wireLog, carriedOut } = await start();
    const response = await call();
    expect([response.status, await response.json(), carriedOut()]).toEqual([201, { heard: { a: 1 } }, 1]);
    expect(wireLog.entries()).toEqual([
      {
        id: 1,
        at: 7,
        service: "node",
        method: "POST",
        path: "/call",
        requestBody: '{"a":1}',
        status: 201,
        responseBody: '{"heard":{"a":1}}',
        milliseconds: 0,
      },
    ]);
  });

  it.each([
    ["slow", 201, 1],
    ["5xx", 503, 0],
    ["429", 429, 0],
    ["garbage", 200, 1],
  ] as const)("%s: status %i, executed %i times", async (fault, status, times) => {
    const { faults, call, wireLog, carriedOut } = await start();
    faults.set("node", fault);
    const response = await call();
    expect([response.status, carriedOut()]).toEqual([status, times]);
    const text = await response.text();
    if (fault === "garbage") expect(() => JSON.parse(text) as unknown).toThrow();
    expect(response.headers.get("retry-after")).toBe(fault === "429" ? "1" : null);
    expect(wireLog.entries()).toMatchObject([{ status, fault, responseBody: text }]);
  });

  it.each([
    ["drop-before", 0],
    ["drop-after", 1],
  ] as const)("%s: the connection ends without an answer, executed %i times", async (fault, times) => {
    const { faults, call, wireLog, carriedOut } = await start();
    faults.set("node", fault);
    await expect(call()).rejects.toThrow();
    expect(carriedOut()).toBe(times);
    expect(wireLog.entries()).toMatchObject([{ status: 0, fault, requestBody: '{"a":1}', responseBody: "" }]);
  });

  it("hang: no answer until the client gives up", async () => {
    const { faults, call, wireLog, carriedOut, arrived } = await start();
    faults.set("node", "hang");
    const logged = new Promise((resolve) => wireLog.subscribe(resolve));
    // Aborted once it has arrived, as a busy machine may take longer to connect than any fixed timeout.
    const client = new AbortController();
    const answer = call(client.signal);
    await Promise.all([arrived().then(() => client.abort()), expect(answer).rejects.toThrow(/abort/)]);
    expect(await logged).toMatchObject({ status: 0, fault: "hang" });
    expect(carriedOut()).toBe(0);
  });

  it("fails the next requests, then returns to the fault that was set", async () => {
    const { faults, call } = await start();
    faults.set("node", "429");
    faults.next("node", "5xx", 2);
    expect(faults.current()).toEqual({ node: "5xx" });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await call()).status);
    expect(statuses).toEqual([503, 503, 429]);
    faults.next("node", "5xx", 1);
    faults.set("node", undefined);
    expect([(await call()).status, faults.current()]).toEqual([201, {}]);
  });

  it("affects only the service for which it is set", async () => {
    const { faults, call } = await start();
    for (const service of faultyServices) if (service !== "node") faults.set(service, "5xx");
    expect((await call()).status).toBe(201);
  });
});

describe("the wire log", () => {
  it("keeps the last 500 entries, and notifies listeners until they unsubscribe", async () => {
    const { wireLog, call } = await start();
    const heard: number[] = [];
    const end = wireLog.subscribe(({ id }) => heard.push(id));
    for (let count = 0; count < 501; count += 1) await call();
    end();
    await call();
    expect(heard).toHaveLength(501);
    expect(wireLog.entries()).toHaveLength(500);
    expect([wireLog.entries()[0]?.id, wireLog.entries().at(-1)?.id]).toEqual([3, 502]);
  });
});

it.each([
  ["documented", false],
  ["real", true],
])("the next call that spends fails at the %s node, and no read before it", async (_, wallet) => {
  const sandbox = await startSandbox({ wallet });
  onTestFinished(() => sandbox.close());
  sandbox.faults.next("calls", "5xx", 1);
  const statusOf = async (path: string, body: object) =>
    (await fetch(sandbox.url + path, { method: "POST", body: JSON.stringify(body) })).status;
  const view = { scAddress: sandbox.world.router.address, funcName: "getAllPairContractMetadata", args: [] };
  expect(await statusOf("/vm/query", view)).toBe(200);
  expect((await fetch(`${sandbox.url}/node/status`)).status).toBe(200);
  const call = wallet ? "/transaction/broadcast" : "/vm/query";
  expect(await statusOf(call, { ...view, funcName: "createPair" })).toBe(503);
  // Only the next one.
  expect(await statusOf(call, { ...view, funcName: "createPair" })).not.toBe(503);
});
