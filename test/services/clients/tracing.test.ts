import { expect, it, onTestFinished } from "vitest";
import type { Http } from "../../../src/services/clients/http.js";
import { startTracing, tracedHttp } from "../../../src/services/clients/tracing.js";
import { startHttpStub } from "../../support/http-stub.js";

interface Exported {
  readonly name: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status: { readonly code?: number };
}

it("sends what happened in an update as one trace, without what was said", async () => {
  const bodies: string[] = [];
  const collector = await startHttpStub(({ path, text }) => {
    if (path === "/v1/traces") bodies.push(text);
    return { body: {} };
  });
  onTestFinished(collector.close);
  const tracing = await startTracing(collector.url);
  const http = { request: () => Promise.reject(new Error("planted secret")) } as Partial<Http> as Http;
  const traced = tracedHttp(http, tracing);
  const request = {
    service: "node",
    method: "POST",
    url: "http://secret/",
    body: "secret",
    retry: false,
    maximumBytes: 1,
  } as const;
  await tracing.span("update", { about: "/swap" }, async () => {
    await traced.request(request).catch(() => undefined);
    await tracing.span("call", { function: "swap" }, async () => undefined);
  });
  await tracing.stop();
  const spans = (JSON.parse(bodies[0]!) as { resourceSpans: { scopeSpans: { spans: Exported[] }[] }[] }).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans);
  const update = spans.find(({ name }) => name === "update")!;
  expect(spans.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ["node", update.spanId],
    ["call", update.spanId],
    ["update", undefined],
  ]);
  expect(spans[0]?.status.code).toBe(2);
  expect(bodies.join()).not.toContain("secret");
});
