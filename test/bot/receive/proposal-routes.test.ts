import { describe, expect, it } from "vitest";
import { proposalRoutes } from "../../../src/bot/receive/proposal-routes.js";
import { createMetrics } from "../../../src/services/operator/metrics.js";
import { alice } from "../../services/samples.js";
import { createStandingWorld, OWNER } from "../../services/standing/standing-world.js";

const TRADE = "swap 100 KLV KFI";

async function served() {
  const made = createStandingWorld();
  const process = made.start();
  await made.person(process, (person) => ({ ...person, wallet: { address: alice, since: 0 } }));
  const secret = await process.proposals.links.create(OWNER, "TradingView");
  const metrics = createMetrics();
  const { clock } = made;
  const routes = proposalRoutes({ proposals: process.proposals, metrics, clock, keeping: (_context, work) => work() });
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await routes.request(`http://bot.example${path}`, init);
    const text = await response.text();
    const { status, headers } = response;
    const body: unknown = headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : text;
    return { status, body, retryAfter: headers.get("retry-after"), cache: headers.get("cache-control") };
  };
  const post = (body: string | object, headers: Record<string, string> = {}, path = `/propose/${secret}`) =>
    ask(path, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers });
  return { made, process, secret, metrics, ask, post };
}

describe("a post", () => {
  it("is taken as a line or JSON, by the path or as bearer, and told in a word", async () => {
    const { made, process, secret, ask, post } = await served();
    const first = await post(TRADE);
    expect(first).toMatchObject({
      status: 202,
      body: { id: expect.stringMatching(/^proposal-/) as string },
      cache: "no-store",
    });
    expect(await post(`${TRADE}\n`)).toMatchObject({ status: 200, body: first.body });
    const bearer = { authorization: `Bearer ${secret}` };
    expect(await post(TRADE, bearer, "/propose")).toMatchObject({ status: 200, body: first.body });
    expect(await post({ trade: TRADE, id: "a", good: 60 })).toMatchObject({ status: 202 });
    await made.clock.advance(3000);
    const { id } = first.body as { id: string };
    expect(await ask(`/propose/${secret}/${id}`)).toMatchObject({
      status: 200,
      body: { state: "waiting" },
      cache: "no-store",
    });
    expect(await ask(`/propose/${id}`, { headers: bearer })).toMatchObject({ status: 200, body: { state: "waiting" } });
    expect(made.cards()).toHaveLength(2);
    await process.stop();
  });

  it.each([
    ["a field that isn't known", { trade: TRADE, gud: 60 }, 400],
    ["too long a life", { trade: TRADE, good: 601 }, 400],
    ["a time that isn't one", { trade: TRADE, at: "yesterday" }, 400],
    ["broken JSON", '{"trade": ', 400],
    ["nothing", "", 400],
    ["two lines", `${TRADE}\n${TRADE}`, 400],
    ["too long a line", "x".repeat(501), 400],
    ["too much", "x".repeat(5000), 413],
    ["what is old", { trade: TRADE, at: "2020-01-01T00:00:00Z" }, 422],
    ["no trade", "hello", 422],
  ])("with %s is refused", async (_what, body, status) => {
    const { process, post } = await served();
    expect(await post(body)).toMatchObject({ status });
    expect(await process.store.db.selectFrom("proposals").selectAll().execute()).toEqual([]);
    await process.stop();
  });

  it("has its id in the body, or in the header, quoted or not", async () => {
    const { process, post } = await served();
    const first = await post({ trade: TRADE, id: "a" });
    expect(await post(TRADE, { "idempotency-key": "a" })).toMatchObject({ status: 200, body: first.body });
    expect(await post(TRADE, { "idempotency-key": '"a"' })).toMatchObject({ status: 200, body: first.body });
    expect(await post("swap 1 KLV KFI", { "idempotency-key": "a" })).toEqual({
      ...{ status: 422, body: { error: "id-used" }, retryAfter: null, cache: "no-store" },
    });
    expect(await post({ trade: TRADE, id: "b" }, { "idempotency-key": "a" })).toMatchObject({ status: 202 });
    expect(await post(TRADE, { "idempotency-key": "x".repeat(256) })).toMatchObject({ status: 400 });
    await process.stop();
  });

  it("that is unclear gets both lines, and one too many when to come back", async () => {
    const { process, post } = await served();
    const lines = ["multihop any KFI KLV=100", "swap 100 KLV KFI"];
    expect(await post("buy 100 KLV KFI")).toMatchObject({ status: 422, body: { error: "unclear", lines } });
    for (let at = 1; at <= 5; at += 1) expect(await post(`swap ${at} KLV KFI`)).toMatchObject({ status: 202 });
    expect(await post("swap 6 KLV KFI")).toMatchObject({ status: 429, body: { error: "too-often" }, retryAfter: "10" });
    await process.stop();
  });

  it("while the store fails is to be repeated, and is then one card", async () => {
    const { made, process, post } = await served();
    process.store.beforeWrite = () => {
      throw new Error("disk full");
    };
    expect(await post({ trade: TRADE, id: "a" })).toMatchObject({
      status: 503,
      body: { error: "try-again" },
      retryAfter: "5",
    });
    process.store.beforeWrite = () => undefined;
    expect(await post({ trade: TRADE, id: "a" })).toMatchObject({ status: 202 });
    await made.clock.advance(3000);
    expect(made.cards()).toHaveLength(1);
    await process.stop();
  });
});

describe("what is no link", () => {
  it("is unknown, however it is asked for, and costs no query", async () => {
    const { made, process, secret, ask, post } = await served();
    const { id } = (await post(TRADE)).body as { id: string };
    const other = secret.replace(/^./, (first) => (first === "A" ? "B" : "A"));
    const unknown = { status: 404, body: { error: "unknown" } };
    expect(await ask(`/propose/${secret}`)).toMatchObject(unknown);
    expect(await ask(`/propose/${other}/${id}`)).toMatchObject(unknown);
    expect(await ask(`/propose/${secret}/nothing`)).toMatchObject(unknown);
    // Until the links are read, a stranger's post costs one.
    await post(TRADE, {}, `/propose/${other}`);
    await made.clock.advance(0);
    const select = process.store.db.selectFrom;
    let queries = 0;
    Object.assign(process.store.db, {
      selectFrom: (...of: Parameters<typeof select>) => ((queries += 1), select.apply(process.store.db, of)),
    });
    for (const path of [`/propose/${other}`, `/propose/${secret.slice(1)}`, `/propose/${secret}x`, "/propose"])
      expect(await post(TRADE, {}, path)).toMatchObject(unknown);
    expect(queries).toBe(0);
    Object.assign(process.store.db, { selectFrom: select });
    const [link] = await process.proposals.links.list(OWNER);
    await process.proposals.links.remove(OWNER, link!.id);
    expect(await post(TRADE)).toMatchObject(unknown);
    expect(await ask(`/propose/${secret}/${id}`)).toMatchObject(unknown);
    made.strangers.add(OWNER);
    expect(await post(TRADE)).toMatchObject(unknown);
    await process.stop();
  });
});

it("counts posts by answer, without a word of them", async () => {
  const { process, metrics, post } = await served();
  await post(TRADE);
  await post("planted-word");
  const text = await metrics.text();
  expect(text).toContain('swapdesk_proposals_total{answer="taken"} 1');
  expect(text).toContain('swapdesk_proposals_total{answer="no-trade"} 1');
  expect(text).not.toContain("planted");
  await process.stop();
});
