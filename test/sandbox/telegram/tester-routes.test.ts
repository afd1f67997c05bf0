import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { alice, bob, startTelegram, traders } from "./harness.js";

describe("the tester's side over HTTP", () => {
  let sandbox: Awaited<ReturnType<typeof startTelegram>>;
  beforeAll(async () => {
    sandbox = await startTelegram();
  });
  afterAll(() => sandbox.close());

  const get = async (path: string) => (await fetch(`${sandbox.url}/_sim/telegram${path}`)).json();
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${sandbox.url}/_sim/telegram${path}`, { method: "POST", body: JSON.stringify(body) });
    return { status: response.status, answer: await response.json() };
  };

  it("writes, taps and shows chats", async () => {
    const { answer } = await post(`/chats/${alice}/messages`, { text: "/start" });
    expect(answer).toEqual({ updateId: 700_000_001, messageId: 1 });
    await sandbox.call("sendMessage", { chat_id: alice, text: "Hi" });
    expect(await get(`/chats/${alice}`)).toMatchObject([{ text: "/start" }, { text: "Hi", from: "bot" }]);
    const tap = await post(`/chats/${alice}/press`, { messageId: 2, data: "x" });
    expect(tap.answer).toMatchObject({ callbackQueryId: expect.any(String) as unknown });
    expect(await get("/unanswered")).toMatchObject([{ data: "x", messageId: 2 }]);
  });

  it("acts as a person in a group", async () => {
    const { status, answer } = await post(`/chats/${traders}/messages`, { text: "/swap", as: bob });
    expect(status).toBe(200);
    const { messageId } = answer as { messageId: number };
    expect(await get(`/chats/${traders}`)).toMatchObject([{ fromId: bob, text: "/swap" }]);
    expect((await post(`/chats/${traders}/press`, { messageId, data: "x", as: alice })).status).toBe(200);
    expect(await get("/groups")).toEqual([{ id: traders, title: "Traders", memberIds: [alice, bob] }]);
  });

  it("blocks, orders faults and redelivers", async () => {
    expect((await post(`/people/${bob}`, { blocked: true })).status).toBe(200);
    expect(await get("/people")).toEqual([
      { id: alice, firstName: "Alice", username: "alice", languageCode: "en", blocked: false, started: true },
      { id: bob, firstName: "Bob", languageCode: "pt", blocked: true, started: false },
    ]);
    await post("/faults", { method: "getMe", fault: "500", times: 1 });
    expect((await sandbox.call("getMe")).error_code).toBe(500);
    expect((await post("/redeliver", { updateIds: [700_000_001] })).status).toBe(200);
    expect((await get("/calls")) as unknown[]).not.toHaveLength(0);
  });

  it("shows a person's commands", async () => {
    await sandbox.call("setMyCommands", {
      commands: [{ command: "troca", description: "Troca" }],
      language_code: "pt",
    });
    expect(await get(`/commands?userId=${bob}`)).toEqual([{ command: "troca", description: "Troca" }]);
    expect(await get("/commands")).toEqual([]);
  });

  it("says why something can't be done", async () => {
    for (const [path, body, reason] of [
      ["/chats/77/messages", { text: "x" }, "There is no person 77 in this sandbox."],
      [`/chats/${alice}/press`, { messageId: 999, data: "x" }, `There is no message 999 in chat ${alice}.`],
      ["/redeliver", { updateIds: [5] }, "There was no update 5."],
    ] as const) {
      expect(await post(path, body)).toEqual({ status: 400, answer: { error: reason } });
    }
    expect((await post("/faults", { method: "getMe", fault: "fire" })).status).toBe(400);
  });
});
