import { describe, expect, it } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { createExchange } from "../../../src/services/alerts/exchange-client.js";
import { createHttp } from "../../../src/services/base/http.js";
import { hideSecrets } from "../../../src/log.js";
import { silent } from "../samples.js";
import { deadUrl, serve, type Answer } from "../base/server.js";

const id = "1989652f-be77-4179-924e-b71c03a4198a";
const data = { orderId: id, status: "OPEN", symbol: "KLV-USDT", side: "BUY", quantity: "100", filled: "0" };

function client(url: string, timeoutSeconds = 5) {
  return createExchange({
    url,
    apiKey: "key-123",
    http: createHttp({ timeoutSeconds, clock: systemClock, log: silent }),
    hide: hideSecrets(["key-123"]),
  });
}

const json = (body: unknown): Answer => ({ body: JSON.stringify(body) });

describe("the exchange client", () => {
  it("requests the order once, with the key in a header", async () => {
    const { url, received } = await serve(json({ success: true, data }));
    expect(await client(url).order(id.toUpperCase())).toMatchObject({ id, status: "OPEN" });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: "GET",
      path: `/v1/order/${id}`,
      headers: { apikey: "key-123" },
      body: "",
    });
  });

  it("sends no request for an invalid id", async () => {
    const { url, received } = await serve(json({ success: true, data }));
    await expect(client(url).order("1/../../admin")).rejects.toMatchObject({ code: "order-id-invalid" });
    expect(received).toEqual([]);
  });

  it("rejects an answer above 64 kB", async () => {
    const { url } = await serve(json({ success: true, data: { ...data, note: "x".repeat(65_536) } }));
    await expect(client(url).order(id)).rejects.toMatchObject({ code: "answer-unreadable" });
  });

  it.each<[string, Answer, object]>([
    ["401", { status: 401 }, { code: "service-unauthorized" }],
    ["404", { status: 404 }, { code: "order-not-found", parameters: { id } }],
    ["429 in seconds", { status: 429, headers: { "retry-after": "17" } }, { parameters: { retryAfterSeconds: 17 } }],
    ["502", { status: 502, body: "<html>" }, { code: "service-status", parameters: { status: 502 } }],
    ["garbage", { body: '{"success":tr' }, { code: "answer-unreadable" }],
    ["a refusal", json({ success: false, message: "no" }), { code: "order-refused", parameters: { reason: "no" } }],
    ["silence", () => undefined, { code: "service-timeout" }],
    ["a broken connection", (response) => response.destroy(), { code: "service-unreachable" }],
  ])("has a fault of its own for %s, and doesn't retry", async (_name, answer, fault) => {
    const { url, received } = await serve(answer);
    const failure: unknown = await client(url, 0.3)
      .order(id)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject(fault);
    expect(JSON.stringify(failure) + String((failure as Error).stack)).not.toContain("key-123");
    expect(received).toHaveLength(1);
  });

  it("says when the exchange is unreachable", async () => {
    await expect(client(await deadUrl()).order(id)).rejects.toMatchObject({ code: "service-unreachable" });
  });
});
