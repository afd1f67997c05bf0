import { describe, expect, it } from "vitest";
import { alice, createBench } from "./harness.js";

describe("limits", () => {
  const send = { chat_id: alice, text: "Hello" };

  it("refuse the sixth message in a burst and say how long to wait", async () => {
    const { call, clock } = createBench({ limits: true });
    for (let count = 0; count < 5; count += 1) expect((await call("sendMessage", send)).ok).toBe(true);
    expect(await call("sendMessage", send)).toEqual({
      ok: false,
      error_code: 429,
      description: "Too Many Requests: retry after 1",
      parameters: { retry_after: 1 },
    });
    await clock.advance(1000);
    expect((await call("sendMessage", send)).ok).toBe(true);
    expect((await call("sendMessage", send)).ok).toBe(false);
  });

  it("let through thirty messages a second across all chats", async () => {
    const people = Array.from({ length: 31 }, (_, index) => ({ id: 1001 + index, firstName: `Person ${index}` }));
    const { call, telegram } = createBench({ limits: true, people });
    for (const { id } of people) telegram.sendText(id, "/start");
    const answers = await Promise.all(people.map(({ id }) => call("sendMessage", { chat_id: id, text: "Hello" })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(30);
    expect(answers.at(-1)).toMatchObject({ error_code: 429, parameters: { retry_after: 1 } });
  });

  it("hold a group to twenty messages a minute", async () => {
    const { call, clock } = createBench({ limits: true });
    const seen: boolean[] = [];
    for (let count = 0; count < 40; count += 1) {
      seen.push((await call("sendMessage", { chat_id: -4001, text: "Hello" })).ok);
      await clock.advance(1000);
    }
    expect(seen.slice(0, 20)).not.toContain(false);
    expect(seen.filter(Boolean).length).toBeLessThanOrEqual(20 + 13);
  });

  it("hold setWebhook to once a second", async () => {
    const { refusal } = createBench({ limits: true });
    expect(await refusal("setWebhook", { url: "https://127.0.0.1/a" })).toBe("accepted");
    expect(await refusal("setWebhook", { url: "https://127.0.0.1/b" })).toBe("Too Many Requests: retry after 1");
    await refusal("deleteWebhook");
  });

  it("are off by default, and can be switched on", async () => {
    const { refusal, telegram } = createBench();
    for (let count = 0; count < 40; count += 1) expect(await refusal("sendMessage", send)).toBe("accepted");
    telegram.setLimits(true);
    for (let count = 0; count < 5; count += 1) expect(await refusal("sendMessage", send)).toBe("accepted");
    expect(await refusal("sendMessage", send)).toBe("Too Many Requests: retry after 1");
  });
});
