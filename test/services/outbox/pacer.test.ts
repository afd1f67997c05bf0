import { describe, expect, it } from "vitest";
import { createPacer } from "../../../src/services/outbox/pacer.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { telegramError } from "../order/desk.js";

function setup() {
  const clock = createVirtualClock();
  const pacer = createPacer({ clock });
  const sent: { what: string; at: number }[] = [];
  const say = (what: string) => async () => {
    sent.push({ what, at: clock.now() });
    await clock.sleep(30);
    return what;
  };
  const timeOf = (what: string): number => sent.find((each) => each.what === what)!.at;
  return { clock, pacer, sent, say, timeOf };
}

describe("the pacer", () => {
  it("sends 28.8 a second, evenly, wherever the second begins", async () => {
    const { clock, pacer, sent, say } = setup();
    for (let chat = 1; chat <= 240; chat += 1) void pacer.alert(chat, say(`alert ${chat}`));
    await clock.advance(8500);
    expect(sent).toHaveLength(240);
    const times = sent.map(({ at }) => at);
    expect((times.at(-1)! - times[0]!) / 239).toBeGreaterThanOrEqual(999.999 / 28.8);
    for (const [index, at] of times.entries()) {
      // The one at either end of the second.
      expect(times.slice(index).filter((later) => later - at <= 1000).length).toBeLessThanOrEqual(29);
      expect(times.slice(index).filter((later) => later - at <= 100).length).toBeLessThanOrEqual(3);
    }
  });

  it("lets a reply go before all alerts that wait", async () => {
    const { clock, pacer, say, timeOf } = setup();
    for (let chat = 1; chat <= 240; chat += 1) void pacer.alert(chat, say(`alert ${chat}`));
    await clock.advance(2000);
    const asked = clock.now();
    void pacer.reply(1001, say("reply"));
    void pacer.reply(7, say("reply to one who was alerted"));
    await clock.advance(200);
    expect(timeOf("reply") - asked).toBeLessThanOrEqual(40);
    expect(timeOf("reply to one who was alerted") - asked).toBeLessThanOrEqual(80);
  });

  it("lets alerts leave within seconds, however many replies leave", async () => {
    const { clock, pacer, say, timeOf } = setup();
    // Alerts by themselves take more than their share, which they don't owe afterwards.
    for (let chat = 1; chat <= 600; chat += 1) void pacer.alert(chat, say(`early ${chat}`));
    await clock.advance(25_000);
    const begun = clock.now();
    for (let second = 0; second < 60; second += 1) {
      for (let stranger = 0; stranger < 60; stranger += 1) void pacer.reply(10_000 + stranger, say("reply"));
      if (second === 2) for (let chat = 1; chat <= 90; chat += 1) void pacer.alert(chat, say(`alert ${chat}`));
      await clock.advance(1000);
    }
    expect(timeOf("alert 1") - begun).toBeLessThan(2000 + 1500);
    // Nine and more a second.
    expect(timeOf("alert 90") - begun).toBeLessThan(2000 + 11_000);
  });

  it("owes no more than a second for a burst of replies", async () => {
    const { clock, pacer, say, timeOf } = setup();
    for (let person = 0; person < 5000; person += 1) void pacer.reply(10_000 + person, say("reply"));
    await clock.advance(1000);
    const begun = clock.now();
    void pacer.alert(1, say("alert"));
    await clock.advance(1000);
    expect(timeOf("alert") - begun).toBeLessThan(1000);
  });

  it("leaves a second between alerts to one chat, in their order, and lets replies come at once", async () => {
    const { clock, pacer, sent, say, timeOf } = setup();
    for (const number of [1, 2, 3]) void pacer.alert(1, say(`alert ${number}`));
    for (let number = 1; number <= 20; number += 1) void pacer.reply(2, say(`reply ${number}`));
    await clock.advance(5000);
    expect(sent.map(({ what }) => what).filter((what) => what.startsWith("alert"))).toEqual([
      "alert 1",
      "alert 2",
      "alert 3",
    ]);
    expect(timeOf("alert 2") - timeOf("alert 1")).toBeGreaterThanOrEqual(1000);
    expect(timeOf("alert 3") - timeOf("alert 2")).toBeGreaterThanOrEqual(1000);
    expect(timeOf("reply 20") - timeOf("reply 1")).toBeLessThan(1000);
  });

  it("sends the alerts of somebody who goes on asking within seconds, a second apart at least", async () => {
    const { clock, pacer, say, timeOf } = setup();
    const start = clock.now();
    for (const number of [1, 2]) void pacer.alert(1, say(`alert ${number}`));
    for (let number = 1; number <= 40; number += 1) {
      void pacer.reply(1, say(`reply ${number}`));
      await clock.advance(300);
    }
    expect(timeOf("alert 1") - start).toBeLessThanOrEqual(5000);
    const apart = timeOf("alert 2") - timeOf("alert 1");
    expect(apart).toBeGreaterThanOrEqual(1000);
    expect(apart).toBeLessThanOrEqual(5000);
  });

  it("waits as long as Telegram asks, for that chat alone, and sends a reply that was refused again", async () => {
    const { clock, pacer, sent, say, timeOf } = setup();
    let refusals = 1;
    const refusedOnce = async (): Promise<string> => {
      if (refusals-- > 0) throw telegramError(429, "Too Many Requests: retry after 5", 5);
      return say("first")();
    };
    const start = clock.now();
    const first = pacer.reply(1, refusedOnce);
    void pacer.alert(1, say("second"));
    void pacer.alert(2, say("other chat"));
    await clock.advance(8000);
    await expect(first).resolves.toBe("first");
    expect(timeOf("other chat") - start).toBeLessThan(200);
    expect(timeOf("first") - start).toBeGreaterThanOrEqual(5000);
    expect(sent.map(({ what }) => what)).toEqual(["other chat", "first", "second"]);
  });

  it("never makes others wait for what groups or people with many messages are refused", async () => {
    const { clock, pacer, say, timeOf } = setup();
    const flood = telegramError(429, "Too Many Requests: retry after 58", 58);
    for (const chat of [1, 2]) {
      for (let number = 1; number <= 5; number += 1) await pacer.reply(chat, () => Promise.resolve());
    }
    const refused = [-1, -2, 1, 2, -3].map((chat) =>
      pacer.reply(chat, () => Promise.reject(flood)).catch(() => "refused"),
    );
    await clock.advance(100);
    expect(await Promise.all(refused)).toEqual(Array(5).fill("refused"));
    const start = clock.now();
    void pacer.alert(3, say("alert"));
    void pacer.reply(4, say("reply"));
    await clock.advance(2000);
    for (const what of ["alert", "reply"]) expect(timeOf(what) - start).toBeLessThan(500);
  });

  it("asks again within minutes whatever Telegram asks for, for all within half a minute", async () => {
    const { clock, pacer, say, timeOf } = setup();
    const flood = telegramError(429, "Too Many Requests: retry after 999999999", 999_999_999);
    let isRefused = true;
    const start = clock.now();
    const alert = (chat: number): Promise<unknown> =>
      pacer
        .alert(chat, () => (isRefused ? Promise.reject(flood) : say(`alert ${chat}`)()))
        .catch((error: unknown) => (error === flood ? alert(chat) : undefined));
    for (const chat of [1, 2]) void alert(chat);
    await clock.advance(1000);
    isRefused = false;
    void pacer.alert(3, say("another"));
    await clock.advance(320_000);
    expect(timeOf("another") - start).toBeGreaterThanOrEqual(30_000);
    expect(timeOf("another") - start).toBeLessThan(32_000);
    for (const chat of [1, 2]) expect(timeOf(`alert ${chat}`) - start).toBeGreaterThanOrEqual(300_000);
  });

  it("waits for all when a second chat is refused meanwhile", async () => {
    const { clock, pacer, say, timeOf } = setup();
    let refusals = 2;
    const refused = (what: string) => async (): Promise<unknown> =>
      // As a transformer sees it: a value, not an error.
      refusals-- > 0 ? { ok: false, error_code: 429, parameters: { retry_after: 3 } } : say(what)();
    const start = clock.now();
    void pacer.reply(1, refused("one"));
    void pacer.reply(2, refused("two"));
    await clock.advance(100);
    void pacer.alert(3, say("three"));
    void pacer.reply(4, say("reply"));
    await clock.advance(6000);
    for (const what of ["one", "two", "three", "reply"]) expect(timeOf(what) - start).toBeGreaterThanOrEqual(3000);
  });

  it("hands a reply back whose wait would be too long, and an alert at once", async () => {
    const { clock, pacer } = setup();
    const flood = telegramError(429, "Too Many Requests: retry after 600", 600);
    const reply = pacer.reply(1, () => Promise.reject(flood));
    const brief = telegramError(429, "Too Many Requests: retry after 1", 1);
    const alert = pacer.alert(2, () => Promise.reject(brief));
    const caught = [expect(reply).rejects.toBe(flood), expect(alert).rejects.toBe(brief)];
    await clock.advance(100);
    await Promise.all(caught);
  });

  it("gives every other error to the caller, and goes on", async () => {
    const { clock, pacer, say } = setup();
    const failed = pacer.alert(1, () => Promise.reject(telegramError(403, "Forbidden: bot was blocked by the user")));
    const caught = expect(failed).rejects.toMatchObject({ error_code: 403 });
    const next = pacer.alert(1, say("next"));
    await clock.advance(2000);
    await caught;
    await expect(next).resolves.toBe("next");
  });

  it("answers people while alerts hang", async () => {
    const { clock, pacer, sent, say } = setup();
    let hanging = 0;
    for (let chat = 1; chat <= 100; chat += 1) {
      void pacer.alert(chat, async () => {
        hanging += 1;
        await clock.sleep(60_000);
      });
    }
    await clock.advance(10_000);
    expect(hanging).toBe(30);
    void pacer.reply(1, say("reply"));
    await clock.advance(100);
    expect(sent).toHaveLength(1);
  });

  it("lets nothing leave after it was stopped", async () => {
    const { clock, pacer, sent, say } = setup();
    const results = [1, 2, 3, 4, 5].map((chat) => pacer.alert(chat, say(`alert ${chat}`)));
    const settled = Promise.allSettled(results);
    pacer.stop();
    const late = expect(pacer.reply(9, say("late"))).rejects.toThrow("stopped");
    await clock.advance(10_000);
    await late;
    const ends = (await settled).map(({ status }) => status);
    expect(ends.filter((end) => end === "fulfilled")).toHaveLength(sent.length);
    expect(ends.at(-1)).toBe("rejected");
  });
});
