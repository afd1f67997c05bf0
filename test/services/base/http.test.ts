import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/clock.js";
import { isFault, type Fault } from "../../../src/fault.js";
import {
  createHttp,
  expectSuccess,
  isNeverSent,
  retryAfterMilliseconds,
  type Http,
  type HttpRequest,
} from "../../../src/services/base/http.js";
import { busyHost } from "../../support/busy-host.js";
import { stopwatch } from "../../support/stopwatch.js";
import { until } from "../../support/until.js";
import { silent, testClock } from "../samples.js";
import { deadUrl, serve } from "./server.js";

function client(
  options: { timeoutSeconds?: number; clock?: ReturnType<typeof testClock>; random?: () => number } = {},
): Http {
  const http = createHttp({ timeoutSeconds: 5, clock: testClock(), log: silent, ...options });
  onTestFinished(() => http.close());
  return http;
}

const read = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  service: "quotation",
  url,
  retry: true,
  maximumBytes: 1000,
  ...more,
});

/** A DNS label has at most 63 characters, so this name fails without a lookup. */
const NO_SUCH_NAME = `http://${"a".repeat(64)}.invalid/`;

async function faultOf(task: Promise<unknown>): Promise<Fault> {
  const error: unknown = await task.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isFault(error)) throw new Error(`no fault but ${inspect(error)}`);
  return error;
}

describe("a request", () => {
  it("arrives as given, and any status is an answer", async () => {
    const server = await serve({ status: 404, headers: { "x-reason": "none" }, body: "nothing here" });
    const answer = await client().request(
      read(`${server.url}/path`, { body: '{"a":1}', headers: { apikey: "k-123" }, retry: false }),
    );
    expect(answer).toMatchObject({ status: 404, text: "nothing here", receivedAt: 1_000_000 });
    expect(answer.headers["x-reason"]).toBe("none");
    expect(server.received).toMatchObject([
      { method: "POST", path: "/path", body: '{"a":1}', headers: { apikey: "k-123" } },
    ]);
  });

  it("reuses its connections", async () => {
    const ports = new Set<number | undefined>();
    const server = await serve((response, request) => {
      ports.add(request.socket.remotePort);
      response.end("{}");
    });
    const http = client();
    for (let count = 0; count < 20; count += 1) await http.request(read(server.url));
    // The next request may start a moment before the last answer frees the connection.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("sends the URL's user and password only as a header", async () => {
    const server = await serve({});
    await client().request(read(server.url.replace("//", "//user:p%40ss@")));
    expect(server.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
    expect(server.received[0]?.headers.host).not.toContain("user");
  });

  it("does not follow a redirect", async () => {
    const target = await serve({ body: "target" });
    const server = await serve({ status: 307, headers: { location: target.url } });
    expect((await client().request(read(server.url))).status).toBe(307);
    expect(target.received).toHaveLength(0);
  });

  it("rejects an answer longer than its maximum", async () => {
    const server = await serve({ body: "x".repeat(1000) }, { body: "x".repeat(1001) });
    const http = client();
    expect((await http.request(read(server.url))).text).toHaveLength(1000);
    expect((await faultOf(http.request(read(server.url)))).code).toBe("answer-unreadable");
    expect(server.received).toHaveLength(2);
  });
});

describe("the time-out", () => {
  it("bounds an answer that never begins", async () => {
    const server = await serve(() => undefined);
    const fault = await faultOf(client({ timeoutSeconds: 1 }).request(read(server.url)));
    expect(fault).toMatchObject({ code: "service-timeout", parameters: { service: "quotation" } });
    expect(isNeverSent(fault)).toBe(false);
    await until(() => server.received.length > 0);
    expect(server.received).toHaveLength(1);
  });

  it("bounds an answer that never ends", async () => {
    const server = await serve((response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    expect((await faultOf(client({ timeoutSeconds: 1 }).request(read(server.url)))).code).toBe("service-timeout");
  });

  it("bounds all retries together", async () => {
    const server = await serve({ status: 503, headers: { "retry-after": "3" } });
    const clock = testClock();
    const answer = await client({ clock, timeoutSeconds: 5 }).request(read(server.url));
    expect(answer.status).toBe(503);
    expect(server.received).toHaveLength(2);
    expect(clock.now()).toBe(1_003_000);
  });

  it("ends a pause between retries too", async () => {
    const server = await serve({ status: 503 });
    const clock = { ...testClock(), sleep: () => Promise.reject(new Error("aborted")) };
    expect((await faultOf(client({ clock }).request(read(server.url)))).code).toBe("service-timeout");
  });
});

describe("a host that takes no connection", () => {
  it.each([0.2, 1])("is left after %d s, all tries included, and has certainly got nothing", async (timeoutSeconds) => {
    const host = await busyHost();
    const http = createHttp({ timeoutSeconds, clock: systemClock, log: silent });
    onTestFinished(() => http.close());
    for (const retry of [false, true]) {
      const took = stopwatch();
      const fault = await faultOf(http.request(read(host.url, { body: "{}", retry })));
      expect(took()).toBeLessThan(timeoutSeconds * 1000 + 300);
      expect(fault.code).toBe("service-unreachable");
      expect(isNeverSent(fault)).toBe(true);
    }
    const took = stopwatch();
    await http.close();
    expect(took()).toBeLessThan(300);
    // What it takes from now on is empty: connections that were still being made are given up, too.
    host.take();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(host.read()).toBe("");
  });

  it("may have got a request if it takes the connection a second later", async () => {
    const host = await busyHost();
    const asked = faultOf(client({ timeoutSeconds: 3 }).request(read(host.url, { body: "{}", retry: false })));
    await new Promise((resolve) => setTimeout(resolve, 700));
    host.take();
    const fault = await asked;
    expect(fault.code).toBe("service-timeout");
    expect(isNeverSent(fault)).toBe(false);
    await until(() => host.read().includes("POST"));
  });
});

describe("a read", () => {
  it.each([429, 500, 502, 503])("is retried after %i, at most twice, with growing pauses", async (status) => {
    const server = await serve({ status });
    const clock = testClock();
    expect((await client({ clock, random: () => 0 }).request(read(server.url))).status).toBe(status);
    expect(server.received).toHaveLength(3);
    expect(clock.now()).toBe(1_000_000 + 200 + 400);
  });

  it("shortens its pauses at random, by up to half", async () => {
    const server = await serve({ status: 500 });
    const clock = testClock();
    await client({ clock, random: () => 0.999_999 }).request(read(server.url));
    expect(clock.now()).toBeLessThan(1_000_000 + 302);
  });

  it("ends at the first good answer", async () => {
    const server = await serve({ status: 500 }, { body: "good" });
    expect((await client().request(read(server.url))).text).toBe("good");
    expect(server.received).toHaveLength(2);
  });

  it.each([400, 401, 404])("is not retried after %i", async (status) => {
    const server = await serve({ status });
    await client().request(read(server.url));
    expect(server.received).toHaveLength(1);
  });

  it("is retried if the connection is dropped", async () => {
    const server = await serve((_, request) => request.socket.destroy(), { body: "good" });
    expect((await client().request(read(server.url))).text).toBe("good");
  });

  it("waits as long as Retry-After asks, in seconds or until a date", async () => {
    const clock = testClock(Date.UTC(2026, 0, 1));
    const until = new Date(clock.now() + 3000).toUTCString();
    const server = await serve(
      { status: 429, headers: { "retry-after": "1" } },
      { status: 503, headers: { "retry-after": until } },
      { body: "good" },
    );
    expect((await client({ clock }).request(read(server.url))).text).toBe("good");
    expect(clock.now()).toBe(Date.UTC(2026, 0, 1) + 3000);
  });

  it("gives up at once if Retry-After exceeds the time left", async () => {
    const server = await serve({ status: 429, headers: { "retry-after": "60" } });
    const answer = await client().request(read(server.url));
    expect(server.received).toHaveLength(1);
    expect(() => expectSuccess("quotation", answer)).toThrow(/"retryAfterSeconds":60/);
  });
});

describe("a request that may change something", () => {
  it.each([
    ["a 503", { status: 503 }],
    ["a 429", { status: 429 }],
  ])("is sent only once, even after %s", async (_, answer) => {
    const server = await serve(answer);
    await client().request(read(server.url, { body: "{}", retry: false }));
    expect(server.received).toHaveLength(1);
  });

  it("is sent only once if the connection is dropped, and may have arrived", async () => {
    const server = await serve((_, request) => request.socket.destroy());
    const fault = await faultOf(client().request(read(server.url, { body: "{}", retry: false })));
    expect(fault.code).toBe("service-unreachable");
    expect(isNeverSent(fault)).toBe(false);
    expect(server.received).toHaveLength(1);
  });

  it("may have arrived if a reused connection is dropped", async () => {
    const server = await serve({}, (_, request) => request.socket.destroy());
    const http = client();
    await http.request(read(server.url));
    const fault = await faultOf(http.request(read(server.url, { body: "{}", retry: false })));
    expect(isNeverSent(fault)).toBe(false);
    expect(server.received).toHaveLength(2);
  });

  it("may have arrived if the answer breaks off", async () => {
    const server = await serve((response, request) => {
      response.writeHead(200, { "content-length": "100" }).write("{", () => request.socket.destroy());
    });
    const fault = await faultOf(client().request(read(server.url, { retry: false })));
    expect(fault.code).toBe("service-unreachable");
    expect(isNeverSent(fault)).toBe(false);
  });

  it("has certainly not arrived if nothing listens or the name is unknown", async () => {
    for (const url of [await deadUrl(), NO_SUCH_NAME]) {
      const fault = await faultOf(client().request(read(url, { retry: false })));
      expect(fault.code).toBe("service-unreachable");
      expect(isNeverSent(fault)).toBe(true);
    }
  });

  it("has certainly not arrived if nothing listens on any of a host's addresses", async () => {
    const url = (await deadUrl()).replace("127.0.0.1", "localhost");
    expect(isNeverSent(await faultOf(client().request(read(url, { retry: false }))))).toBe(true);
  });
});

describe("a fault", () => {
  it("shows neither the URL's credentials, path or query, nor a header or the body", async () => {
    const dead = await deadUrl();
    const dropping = await serve((_, request) => request.socket.destroy());
    const hidden = { headers: { apikey: "planted-key" }, body: "planted-body", retry: false } as const;
    const urls = [dead, dropping.url].map(
      (url) => `${url.replace("//", "//planted-user:planted-pass@")}/planted-path?q=planted-query`,
    );
    for (const url of [...urls, "planted: not a URL"]) {
      const fault = await faultOf(client().request(read(url, hidden)));
      expect(inspect(fault, { depth: 10, showHidden: true })).not.toContain("planted");
    }
  });
});

describe("expectSuccess", () => {
  const answer = (status: number, headers = {}) => ({ status, headers, text: "", receivedAt: 0 });

  it("lets 2xx pass", () => {
    expect(() => expectSuccess("node", answer(200))).not.toThrow();
    expect(() => expectSuccess("node", answer(204))).not.toThrow();
  });

  it.each([
    [301, "service-status"],
    [401, "service-unauthorized"],
    [403, "service-unauthorized"],
    [404, "service-status"],
    [429, "service-rate-limited"],
    [500, "service-status"],
  ] as const)("turns %i into %s", (status, code) => {
    expect(() => expectSuccess("node", answer(status))).toThrow(code);
  });

  it("asks for a wait of at least a second and at most five minutes", () => {
    expect(() => expectSuccess("node", answer(429))).toThrow(/"retryAfterSeconds":1}/);
    for (const header of ["999999999", "Fri, 01 Jan 2058 00:00:00 GMT"]) {
      expect(() => expectSuccess("node", answer(429, { "retry-after": header }))).toThrow(/"retryAfterSeconds":300}/);
    }
  });
});

describe("retryAfterMilliseconds", () => {
  it("reads seconds and HTTP dates, and nothing else", () => {
    expect(retryAfterMilliseconds("7", 0)).toBe(7000);
    expect(retryAfterMilliseconds(["2", "9"], 0)).toBe(2000);
    expect(retryAfterMilliseconds("Thu, 01 Jan 1970 00:00:09 GMT", 4000)).toBe(5000);
    expect(retryAfterMilliseconds("Thu, 01 Jan 1970 00:00:01 GMT", 4000)).toBe(0);
    for (const text of [undefined, "", "soon", "-1", "1.5", "1e3", "Thu, nonsense"]) {
      expect(retryAfterMilliseconds(text, 0)).toBeUndefined();
    }
  });
});
