import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alice, type Answer, startTelegram, token } from "./harness.js";
import { until } from "../../support/until.js";

describe("the Bot API over HTTP", () => {
  let sandbox: Awaited<ReturnType<typeof startTelegram>>;
  beforeAll(async () => {
    sandbox = await startTelegram();
    sandbox.telegram.sendText(alice, "/start");
  });
  afterAll(() => sandbox.close());

  const request = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${sandbox.url}${path}`, init);
    return { status: response.status, headers: response.headers, answer: (await response.json()) as Answer };
  };
  const post = (body: RequestInit["body"], contentType?: string) =>
    request(`/bot${token}/sendMessage`, {
      method: "POST",
      ...(contentType !== undefined && { headers: { "content-type": contentType } }),
      ...(body !== undefined && { body }),
    });
  const sent = { status: 200, answer: { ok: true, result: { text: "Hi", chat: { id: alice } } } };

  it("takes GET with a query", async () => {
    expect(await request(`/bot${token}/sendMessage?chat_id=${alice}&text=Hi`)).toMatchObject(sent);
  });

  it("takes POST as JSON, urlencoded, multipart and with a query", async () => {
    expect(await post(JSON.stringify({ chat_id: alice, text: "Hi" }), "application/json; charset=utf-8")).toMatchObject(
      sent,
    );
    expect(await post(new URLSearchParams({ chat_id: String(alice), text: "Hi" }))).toMatchObject(sent);
    const form = new FormData();
    form.set("chat_id", String(alice));
    form.set("text", "Hi");
    expect(await post(form)).toMatchObject(sent);
    expect(await request(`/bot${token}/sendmessage?chat_id=${alice}&text=Hi`, { method: "POST" })).toMatchObject(sent);
  });

  it("takes structured parameters as JSON texts", async () => {
    const reply_markup = JSON.stringify({ inline_keyboard: [[{ text: "Go", callback_data: "x" }]] });
    const { answer } = await post(new URLSearchParams({ chat_id: String(alice), text: "Hi", reply_markup }));
    expect(answer.result).toMatchObject({ reply_markup: { inline_keyboard: [[{ text: "Go", callback_data: "x" }]] } });
  });

  it("takes files directly and by attach://", async () => {
    for (const direct of [true, false]) {
      const form = new FormData();
      form.set("chat_id", String(alice));
      if (!direct) form.set("document", "attach://upload");
      form.set(direct ? "document" : "upload", new File(["a,b\r\n"], 'hist "1".csv', { type: "text/csv" }));
      const { answer } = await request(`/bot${token}/sendDocument`, { method: "POST", body: form });
      expect(answer.result).toMatchObject({ document: { file_size: 5, mime_type: "text/csv" } });
    }
  });

  it("refuses bodies that it can't read", async () => {
    for (const [body, type] of [
      ["{", "application/json"],
      ["[]", "application/json"],
      ["nothing", "multipart/form-data; boundary=x"],
      ["nothing", "multipart/form-data"],
      ["--x\r\nno header", "multipart/form-data; boundary=x"],
      ["--x\r\nno header\r\n--x--", "multipart/form-data; boundary=x"],
      ["--x\r\ncontent-type: a\r\n\r\nno name\r\n--x--", "multipart/form-data; boundary=x"],
    ] as const) {
      expect((await post(body, type)).answer).toEqual({
        ok: false,
        error_code: 400,
        description: "Bad Request: can't parse the request's body",
      });
    }
  });

  it("refuses wrong tokens and unknown methods", async () => {
    expect(await request("/bot1000:wrong/getMe")).toMatchObject({
      status: 401,
      answer: { ok: false, error_code: 401, description: "Unauthorized" },
    });
    expect((await request("/botwrong/getMe")).answer.description).toBe("Unauthorized: invalid token specified");
    for (const method of ["sendDice", "toString"]) {
      expect(await request(`/bot${token}/${method}`)).toMatchObject({
        status: 404,
        answer: { ok: false, error_code: 404, description: "Not Found: method not found" },
      });
    }
  });

  it("forgets a poll whose caller hung up", async () => {
    const { update_id } = ((await sandbox.call("getUpdates")).result as { update_id: number }[]).at(-1)!;
    const caller = new AbortController();
    const poll = fetch(`${sandbox.url}/bot${token}/getUpdates?timeout=50&offset=${update_id + 1}`, {
      signal: caller.signal,
    });
    await until(() => sandbox.telegram.isPolled());
    caller.abort();
    await expect(poll).rejects.toThrow("aborted");
    await until(() => !sandbox.telegram.isPolled());
  });

  it("tells how long to wait in a header too", async () => {
    sandbox.telegram.faultNext("getMe", "429");
    const { status, headers, answer } = await request(`/bot${token}/getMe`);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("1");
    expect(answer.parameters).toEqual({ retry_after: 1 });
  });

  it("logs every request and its answer, without the token", async () => {
    await post(JSON.stringify({ chat_id: 5, text: "Hi" }), "application/json");
    const call = sandbox.telegram.calls().at(-1)!;
    expect(call).toMatchObject({
      method: "sendMessage",
      parameters: { chat_id: 5, text: "Hi" },
      status: 400,
      answer: { ok: false, description: "Bad Request: chat not found" },
    });
    expect(call.answeredAt).toBeGreaterThanOrEqual(call.at);
    expect(JSON.stringify(sandbox.telegram.calls())).not.toContain(token);
  });
});

describe("faults", () => {
  let sandbox: Awaited<ReturnType<typeof startTelegram>>;
  beforeAll(async () => {
    sandbox = await startTelegram();
    sandbox.telegram.sendText(alice, "/start");
  });
  afterAll(() => sandbox.close());
  const send = () => sandbox.call("sendMessage", { chat_id: alice, text: "Hi" });
  const messages = () => sandbox.telegram.chat(alice).filter(({ from }) => from === "bot").length;

  it("refuse as often as ordered, and only the method named", async () => {
    sandbox.telegram.faultNext("sendMessage", "429", 2);
    expect(await send()).toMatchObject({ error_code: 429, description: "Too Many Requests: retry after 1" });
    expect((await sandbox.call("getMe")).ok).toBe(true);
    expect((await send()).ok).toBe(false);
    expect((await send()).ok).toBe(true);
    sandbox.telegram.faultNext("sendmessage", "500");
    expect(await send()).toMatchObject({ error_code: 500, description: "Internal Server Error" });
  });

  it("answer 502 with a page that is no JSON", async () => {
    sandbox.telegram.faultNext("getMe", "502");
    const response = await fetch(`${sandbox.url}/bot${token}/getMe`);
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("<html>");
  });

  it("cut the connection before or after the message is in the chat", async () => {
    const before = messages();
    sandbox.telegram.faultNext("sendMessage", "drop-before");
    await expect(send()).rejects.toThrow("fetch failed");
    expect(messages()).toBe(before);
    sandbox.telegram.faultNext("sendMessage", "drop-after");
    await expect(send()).rejects.toThrow("fetch failed");
    expect(messages()).toBe(before + 1);
    expect(sandbox.telegram.calls().at(-1)).toMatchObject({ status: 0, fault: "drop-after", answer: { ok: true } });
  });

  it("leave a request without any answer", async () => {
    sandbox.telegram.faultNext("*", "hang");
    const impatient = fetch(`${sandbox.url}/bot${token}/getMe`, { signal: AbortSignal.timeout(100) });
    await expect(impatient).rejects.toThrow("timeout");
    expect((await sandbox.call("getMe")).ok).toBe(true);
  });

  it("can be taken back", async () => {
    sandbox.telegram.faultNext("*", "500", 10);
    sandbox.telegram.clearFaults();
    expect((await send()).ok).toBe(true);
  });
});
