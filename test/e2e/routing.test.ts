import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../support/listen.js";
import { startHttpStub } from "../support/http-stub.js";
import { documentedWorld, sandboxDesk } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

const SERVICES = ["node", "quotation", "exchange", "telegram"] as const;
const SECRET = "a-secret-that-opens-nothing";
const orderId = (documentedWorld.orders as { orderId: string }[])[0]!.orderId;

/** A path as the Caddyfile lets it through, and the one by which it asks which instance gets it. */
const caddyfile = readFileSync("deploy/Caddyfile", "utf8");
const [, health = ""] = /^\s*health_uri (\S+)$/m.exec(caddyfile) ?? [];
const [, passed = ""] = /^\s*@public path (.+)$/m.exec(caddyfile) ?? [];

/** Does what the Caddyfile says, with one upstream: asks whether it is active, then passes the request on. */
async function startProxy(port: number) {
  const upstream = `http://127.0.0.1:${port}`;
  const passedOn: { readonly text: string; readonly status: number }[] = [];
  let refused = 0;
  const proxy = await startHttpStub(async ({ method, path, headers, text }) => {
    if (!passed.split(" ").some((one) => new RegExp(`^${one.replace("*", ".*")}$`).test(path))) return { status: 404 };
    const isActive = await fetch(upstream + health).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isActive) refused += 1;
    if (!isActive) return { status: 503 };
    const secret = String(headers["x-telegram-bot-api-secret-token"]);
    const sent = { "content-type": "application/json", "x-telegram-bot-api-secret-token": secret };
    const answer = await fetch(upstream + path, { method, headers: sent, body: text }).catch(() => undefined);
    passedOn.push({ text, status: answer?.status ?? 502 });
    return { status: answer?.status ?? 502 };
  });
  onTestFinished(() => proxy.close());
  return { url: proxy.url, passedOn, refused: () => refused };
}

it.each(SERVICES)(
  "behind the shipped proxy, /freeze arrives while the %s fails, although monitoring sees it",
  async (service) => {
    const port = await freePort();
    const proxy = await startProxy(port);
    const webhook = { PORT: String(port), WEBHOOK_URL: `${proxy.url}/telegram`, WEBHOOK_SECRET: SECRET };
    const { sandbox, trader } = await sandboxDesk({}, webhook);
    const alice = await trader();
    const readiness = async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status;
    await until(async () => (await readiness()) === 200);
    sandbox.faults.set(service, "5xx");
    // An outage is several failures in a row, over more than a moment.
    await until(async () => {
      for (const text of ["/quote 100 KLV KFI", `/order ${orderId}`]) alice.says(text);
      await sleep(500);
      return (await readiness()) === 503;
    });
    const before = proxy.refused();
    alice.says("/freeze");
    await until(() => proxy.passedOn.some(({ text, status }) => text.includes("/freeze") && status === 200));
    expect([await readiness(), before, proxy.refused()]).toEqual([503, 0, 0]);
    sandbox.faults.set(service, undefined);
    await alice.asks("/swap 1 KLV KFI", /frozen/i);
  },
);
