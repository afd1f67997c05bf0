import pino from "pino";
import { Api, HttpError, InputFile } from "grammy";
import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTelegramClient } from "../../../src/services/telegram/telegram-client.js";
import type { RequestResult } from "../../../src/services/base/health.js";
import { deliveryFailureOf } from "../../../src/services/telegram/telegram-errors.js";
import { busyHost } from "../../support/busy-host.js";
import { listen } from "../../support/listen.js";
import { stopwatch } from "../../support/stopwatch.js";

const token = "1000:test-token-that-opens-nothing";

/** grammY's API over the client, against a server that answers with `answer`. */
async function apiAgainst(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
  timeoutSeconds = 10,
  onRequestDone: (asked: RequestResult) => void = () => undefined,
) {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => answer(request, response, body));
  });
  const apiRoot = `http://127.0.0.1:${await listen(server)}`;
  const http = createTelegramClient({ apiRoot, timeoutSeconds, onRequestDone, log: pino({ level: "silent" }) });
  const api = new Api(token, http.options);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await http.close();
  });
  return { api };
}

/** The fields of a multipart/form-data body (RFC 7578), and its files without their names. */
function fieldsOf(request: IncomingMessage, body: string) {
  const boundary = request.headers["content-type"]!.replace("multipart/form-data; boundary=", "");
  const files: string[] = [];
  const fields: Record<string, unknown> = {};
  for (const part of body.split(`--${boundary}`).slice(1, -1)) {
    const [head = "", ...rest] = part.split("\r\n\r\n");
    const content = rest.join("\r\n\r\n").replace(/\r\n$/, "");
    if (head.includes("filename=")) files.push(content);
    else fields[/name="(\w+)"/.exec(head)![1]!] = content;
  }
  return { ...fields, files };
}

const ok = (response: ServerResponse, result: unknown) => response.end(JSON.stringify({ ok: true, result }));

describe("the Telegram client", () => {
  it("passes on the time that an answer says, if it says one", async () => {
    const dates = ["Sun, 03 Jan 2027 08:45:00 GMT", "yesterday", undefined];
    const server = createServer((_request, response) => {
      const date = dates.shift();
      response.sendDate = false;
      if (date !== undefined) response.setHeader("date", date);
      ok(response, true);
    });
    const seen: number[] = [];
    const apiRoot = `http://127.0.0.1:${await listen(server)}`;
    const onDate = (at: number) => seen.push(at);
    const http = createTelegramClient({ apiRoot, timeoutSeconds: 10, onDate, log: pino({ level: "silent" }) });
    for (let calls = 0; calls < 3; calls += 1) await new Api(token, http.options).getMe();
    expect(seen).toEqual([Date.UTC(2027, 0, 3, 8, 45)]);
    server.close();
    await http.close();
  });

  it("notes a poll that another instance took", async () => {
    const noted: unknown[] = [];
    const refuse = { ok: false, error_code: 409, description: "Conflict: terminated by other getUpdates request" };
    const { api } = await apiAgainst(
      (_request, response) => response.writeHead(409).end(JSON.stringify(refuse)),
      10,
      (asked) => noted.push(asked),
    );
    await expect(api.getUpdates()).rejects.toThrow("409");
    expect(noted).toEqual([{ service: "telegram", method: "getUpdates", status: 409 }]);
  });

  it("sends grammY's calls as JSON", async () => {
    const seen: unknown[] = [];
    const { api } = await apiAgainst((request, response, body) => {
      seen.push([request.method, request.url, request.headers["content-type"], JSON.parse(body)]);
      ok(response, true);
    });
    expect(await api.sendChatAction(7, "typing")).toBe(true);
    expect(seen).toEqual([
      ["POST", `/bot${token}/sendChatAction`, "application/json", { chat_id: 7, action: "typing" }],
    ]);
  });

  it("streams a file, and again if the call is repeated", async () => {
    const seen: unknown[] = [];
    const { api } = await apiAgainst((request, response, body) => {
      seen.push(fieldsOf(request, body));
      ok(response, {});
    });
    const file = new InputFile(async function* () {
      yield Buffer.from("one\r\n");
      yield Buffer.from("two");
    }, "history.csv");
    const send = () => api.sendDocument(7, file, { caption: "Yours" });
    await send();
    await send();
    const document = expect.stringContaining("attach://") as string;
    const fields = { chat_id: "7", document, caption: "Yours", files: ["one\r\ntwo"] };
    expect(seen).toEqual([fields, fields]);
  });

  it("sends a picture that replaces the one in a message", async () => {
    const seen: unknown[] = [];
    const { api } = await apiAgainst((request, response, body) => {
      seen.push(fieldsOf(request, body));
      ok(response, {});
    });
    await api.editMessageMedia(7, 8, { type: "photo", media: new InputFile(Buffer.from("PNG"), "a.png") });
    expect(seen).toEqual([
      { chat_id: "7", message_id: "8", media: expect.stringContaining("attach://") as string, files: ["PNG"] },
    ]);
  });

  const pages = {
    html: "<h1>Blocked by the firewall</h1>",
    "other JSON": '{"error":"forbidden"}',
    "JSON that is no object": "null",
    "ok: false without a description": '{"ok":false,"error_code":403}',
    "ok: false with an empty one": '{"ok":false,"error_code":403,"description":""}',
    "ok: false without a code": '{"ok":false,"description":"Forbidden: bot was blocked by the user"}',
    "ok: true without a result": '{"ok":true}',
  };

  it.each(Object.entries(pages))("takes no page for Telegram's word, whatever its status: %s", async (_name, page) => {
    const asked: unknown[] = [];
    let status = 200;
    const answer = (_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status);
      response.end(page);
    };
    const { api } = await apiAgainst(answer, 10, (result) => asked.push(result.status));
    for (status of [200, 400, 401, 403, 404, 429, 500, 502, 503]) {
      const error: unknown = await api.sendMessage(7, "hello").catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(HttpError);
      expect(error).toMatchObject({ error: { code: "service-status", parameters: { status } } });
      expect(deliveryFailureOf(error)).toBe("passing");
      expect(asked.at(-1)).toBe("unreadable");
    }
  });

  it.each([
    [401, "Unauthorized", "unauthorized"],
    [404, "Not Found", "unauthorized"],
    [404, "Not Found: method not found", 404],
    [403, "Forbidden: bot was blocked by the user", 403],
  ])("reports %d %s as %s", async (code, description, status) => {
    const asked: unknown[] = [];
    const { api } = await apiAgainst(
      (_request, response) => {
        response.writeHead(code);
        response.end(JSON.stringify({ ok: false, error_code: code, description }));
      },
      10,
      (result) => asked.push(result.status),
    );
    await expect(api.getMe()).rejects.toMatchObject({ error_code: code, description });
    expect(asked).toEqual([status]);
  });

  it("gives up a hanging long poll soon after it should have ended", async () => {
    const { api } = await apiAgainst(() => undefined, 1);
    const took = stopwatch();
    await expect(api.getUpdates({ timeout: 10 })).rejects.toBeInstanceOf(HttpError);
    expect(took()).toBeLessThan(15_000);
  });

  it("gives up a request at its time-out, but lets a long poll go on", async () => {
    const { api } = await apiAgainst((request, response) => {
      if (request.url?.endsWith("/getUpdates") === true) setTimeout(() => ok(response, []), 2_500);
    }, 1);
    const [call, poll] = await Promise.allSettled([api.getMe(), api.getUpdates({ timeout: 30 })]);
    expect(call).toMatchObject({ status: "rejected", reason: { error: { code: "NOT_ANSWERED_IN_TIME" } } });
    expect(poll).toEqual({ status: "fulfilled", value: [] });
  });

  it("ends a long poll that is aborted", async () => {
    let arrived = () => {};
    const polling = new Promise<void>((resolve) => (arrived = resolve));
    const { api } = await apiAgainst(() => arrived());
    const stopping = new AbortController();
    const poll = api.getUpdates({ timeout: 30 }, stopping.signal as never);
    await polling;
    stopping.abort();
    await expect(poll).rejects.toBeInstanceOf(HttpError);
  });

  it("leaves no listener of an ended poll on a signal shared by many", async () => {
    let polls = 0;
    const { api } = await apiAgainst((request, response) => {
      polls += 1;
      if (polls === 1) ok(response, []);
      else request.socket.destroy();
    });
    const { signal } = new AbortController();
    await api.getUpdates({}, signal as never);
    await expect(api.getUpdates({}, signal as never)).rejects.toBeInstanceOf(HttpError);
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("sends nothing if already aborted", async () => {
    let requests = 0;
    const { api } = await apiAgainst((_request, response) => {
      requests += 1;
      ok(response, []);
    });
    const stopping = new AbortController();
    stopping.abort();
    await expect(api.getUpdates({}, stopping.signal as never)).rejects.toBeInstanceOf(HttpError);
    expect(requests).toBe(0);
  });

  it("asks for updates although two hundred replies hang, and ends each of these with its time", async () => {
    const { api } = await apiAgainst((request, response) => {
      if (request.url?.endsWith("/getUpdates") === true) ok(response, []);
    }, 1);
    const took = stopwatch();
    const replies = Array.from({ length: 200 }, () => api.sendMessage(7, "hello"));
    const ended = Promise.allSettled(replies);
    expect(await api.getUpdates({ timeout: 30 })).toEqual([]);
    expect(took()).toBeLessThan(900);
    expect((await ended).every(({ status }) => status === "rejected")).toBe(true);
    expect(took()).toBeLessThan(2_500);
  });

  it("ends a request that is aborted, and itself, at once while Telegram takes no connection", async () => {
    const { url: apiRoot } = await busyHost();
    const http = createTelegramClient({ apiRoot, timeoutSeconds: 10, log: pino({ level: "silent" }) });
    const api = new Api(token, http.options);
    const stopping = new AbortController();
    const asked = [api.getMe(stopping.signal as never), api.getUpdates({ timeout: 30 }, stopping.signal as never)];
    const ended = Promise.allSettled(asked);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const took = stopwatch();
    stopping.abort();
    for (const one of await ended) expect(one).toMatchObject({ reason: { error: { name: "NotConnected" } } });
    await http.close();
    expect(took()).toBeLessThan(1_000);
  });

  it("never shows the token in an error", async () => {
    const { api } = await apiAgainst((request) => request.socket.destroy());
    const error: unknown = await api.getMe().catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: null })).not.toContain(token);
  });
});
