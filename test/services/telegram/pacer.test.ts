import { describe, expect, it, onTestFinished } from "vitest";
import { createPacer } from "../../../src/services/telegram/pacer.js";
import { seededRandom } from "../../support/seed.js";
import { createVirtualClock } from "../../support/virtual-clock.js";
import { telegramError } from "../alerts/orders-world.js";

function setup() {
  const clock = createVirtualClock();
  const pacer = createPacer({ clock });
  const sent: { what: string; at: number }[] = [];
  const say = (what: string) => async () => {
    sent.push({ what, at: clock.monotonic() });
    await clock.sleep(30);
    return what;
  };
  const timeOf = (what: string): number => sent.find((each) => each.what === what)!.at;
  return { clock, pacer, sent, say, timeOf };
}

describe("the pacer", () => {
  it("sends 28.8 a second, evenly, in whichever second", async () => {
    const { clock, pacer, sent, say } = setup();
    for (let chat = 1; chat <= 240; chat += 1) void pacer.alert(chat, say(`alert ${chat}`));
    await clock.advance(8500);
    expect(sent).toHaveLength(240);
    const times = sent.map(({ at }) => at);
    expect((times.at(-1)! - times[0]!) / 239).toBeGreaterThanOrEqual(999.999 / 28.8);
    for (const [index, at] of times.entries()) {
      // Both ends of the second count.
      expect(times.slice(index).filter((later) => later - at <= 1000).length).toBeLessThanOrEqual(29);
      expect(times.slice(index).filter((later) => later - at <= 100).length).toBeLessThanOrEqual(3);
    }
  });

  it("causes no Node.js warning, however many messages wait", async () => {
    const warnings: Error[] = [];
    const hear = (warning: Error) => void warnings.push(warning);
    process.on("warning", hear);
    onTestFinished(() => void process.off("warning", hear));
    const { clock, pacer, say } = setup();
    for (let chat = 1; chat <= 50; chat += 1) {
      void pacer.reply(chat, say(`reply ${chat}`));
      void pacer.alert(chat, say(`alert ${chat}`));
    }
    await clock.advance(500);
    expect(warnings).toEqual([]);
  });

  it("sends a reply before all waiting alerts", async () => {
    const { clock, pacer, say, timeOf } = setup();
    for (let chat = 1; chat <= 240; chat += 1) void pacer.alert(chat, say(`alert ${chat}`));
    await clock.advance(2000);
    const asked = clock.monotonic();
    void pacer.reply(1001, say("reply"));
    void pacer.reply(7, say("reply to one who was alerted"));
    await clock.advance(200);
    expect(timeOf("reply") - asked).toBeLessThanOrEqual(40);
    expect(timeOf("reply to one who was alerted") - asked).toBeLessThanOrEqual(80);
  });

  it("sends alerts within seconds, however many replies there are", async () => {
    const { clock, pacer, say, timeOf } = setup();
    // Alone, alerts exceed their share, and owe nothing for it afterwards.
    for (let chat = 1; chat <= 600; chat += 1) void pacer.alert(chat, say(`early ${chat}`));
    await clock.advance(25_000);
    const begun = clock.monotonic();
    for (let second = 0; second < 60; second += 1) {
      for (let stranger = 0; stranger < 60; stranger += 1) void pacer.reply(10_000 + stranger, say("reply"));
      if (second === 2) for (let chat = 1; chat <= 90; chat += 1) void pacer.alert(chat, say(`alert ${chat}`));
      await clock.advance(1000);
    }
    expect(timeOf("alert 1") - begun).toBeLessThan(2000 + 1500);
    // At least nine a second.
    expect(timeOf("alert 90") - begun).toBeLessThan(2000 + 11_000);
  });

  it("delays an alert by at most a second after a burst of replies", async () => {
    const { clock, pacer, say, timeOf } = setup();
    for (let person = 0; person < 5000; person += 1) void pacer.reply(10_000 + person, say("reply"));
    await clock.advance(1000);
    const begun = clock.monotonic();
    void pacer.alert(1, say("alert"));
    await clock.advance(1000);
    expect(timeOf("alert") - begun).toBeLessThan(1000);
  });

  it("sends a chat's alerts in order and a second apart, and its replies at once", async () => {
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

  it("sends alerts within seconds to a user who keeps asking, at least a second apart", async () => {
    const { clock, pacer, say, timeOf } = setup();
    const start = clock.monotonic();
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

  it("counts that time from when the previous alert was sent, however late it was accepted", async () => {
    const { clock, pacer, say, timeOf } = setup();
    let leftAt = 0;
    void pacer.alert(1, () => {
      leftAt = clock.monotonic();
      return clock.sleep(3000);
    });
    void pacer.alert(1, say("alert 2"));
    for (let number = 1; number <= 40; number += 1) {
      void pacer.reply(1, say(`reply ${number}`));
      await clock.advance(300);
    }
    expect(timeOf("alert 2") - leftAt).toBeGreaterThan(3000);
    expect(timeOf("alert 2") - leftAt).toBeLessThanOrEqual(5000);
  });

  it("sends a chat's replies and edits in the order requested, after refusals too", async () => {
    const { clock, pacer, sent, say } = setup();
    let refusals = 2;
    const refusedTwice = (what: string) => async () => {
      if (refusals-- > 0) throw telegramError(429, "Too Many Requests: retry after 5", 5);
      return say(what)();
    };
    void pacer.edit(1, refusedTwice("edit 1"));
    for (const number of [2, 3, 4]) {
      void pacer.reply(1, say(`reply ${number}`));
      void pacer.edit(1, say(`edit ${number}`));
    }
    void pacer.edit(2, say("other chat"));
    await clock.advance(6000);
    void pacer.edit(1, say("edit 5"));
    await clock.advance(6000);
    const order = ["edit 1", "reply 2", "edit 2", "reply 3", "edit 3", "reply 4", "edit 4", "edit 5"];
    expect(sent.map(({ what }) => what)).toEqual(["other chat", ...order]);
  });

  it("waits as long as Telegram asks, for that chat only, and resends a refused reply", async () => {
    const { clock, pacer, sent, say, timeOf } = setup();
    let refusals = 1;
    const refusedOnce = async (): Promise<string> => {
      if (refusals-- > 0) throw telegramError(429, "Too Many Requests: retry after 5", 5);
      return say("first")();
    };
    const start = clock.monotonic();
    const first = pacer.reply(1, refusedOnce);
    void pacer.alert(1, say("second"));
    void pacer.alert(2, say("other chat"));
    await clock.advance(8000);
    await expect(first).resolves.toBe("first");
    expect(timeOf("other chat") - start).toBeLessThan(200);
    expect(timeOf("first") - start).toBeGreaterThanOrEqual(5000);
    expect(sent.map(({ what }) => what)).toEqual(["other chat", "first", "second"]);
  });

  it("never makes other chats wait because groups or busy chats are refused", async () => {
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
    const start = clock.monotonic();
    void pacer.alert(3, say("alert"));
    void pacer.reply(4, say("reply"));
    await clock.advance(2000);
    for (const what of ["alert", "reply"]) expect(timeOf(what) - start).toBeLessThan(500);
  });

  it("waits out all that Telegram asks for, even hours, and a day if the figure is absurd", async () => {
    const { clock, pacer, sent, say } = setup();
    for (const [chat, seconds, waited] of [
      [1, 10_072, 10_072],
      [2, 999_999_999, 86_400],
    ] as const) {
      const flood = telegramError(429, `Too Many Requests: retry after ${seconds}`, seconds);
      const refused = expect(pacer.alert(chat, () => Promise.reject(flood))).rejects.toBe(flood);
      await clock.advance(10);
      await refused;
      const tries = [pacer.alert(chat, say("alert")), pacer.reply(chat, say("reply")), pacer.edit(chat, say("edit"))];
      for (const handedBack of await Promise.allSettled(tries))
        expect(handedBack).toMatchObject({ reason: { error_code: 429, parameters: { retry_after: waited } } });
      await clock.advance((waited - 20) * 1000);
      expect(sent).toEqual([]);
      // With less than half a minute left, messages wait instead of being handed back.
      for (const what of ["alert", "reply", "edit"] as const) void pacer[what](chat, say(what));
      await clock.advance(19_900);
      expect(sent).toEqual([]);
      await clock.advance(1200);
      expect(sent.splice(0).map(({ what }) => what)).toEqual(["reply", "edit", "alert"]);
      await clock.advance(120_000);
    }
  });

  it("hands back a chat's waiting messages if it must be left alone for long, and goes on with others", async () => {
    const { clock, pacer, sent, say } = setup();
    const flood = telegramError(429, "Too Many Requests: retry after 600", 600);
    const refused = pacer.reply(1, async () => {
      await clock.sleep(50);
      throw flood;
    });
    const results = [refused, pacer.reply(1, say("reply")), pacer.alert(1, say("alert"))];
    const settled = Promise.allSettled(results);
    void pacer.alert(2, say("other chat"));
    await clock.advance(1000);
    expect((await settled).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(sent.map(({ what }) => what)).toEqual(["other chat"]);
  });

  const refusal = (seconds: number) => () =>
    Promise.reject(telegramError(429, `Too Many Requests: retry after ${seconds}`, seconds));

  it("stops all chats but a confirmed card's when two quiet chats are refused within a second", async () => {
    const { clock, pacer, sent, say } = setup();
    const hurried = pacer.hurry(3);
    const refusals = [pacer.alert(1, refusal(600)), pacer.alert(2, refusal(25))];
    const refused = Promise.all(refusals.map((each) => expect(each).rejects.toMatchObject({ error_code: 429 })));
    await clock.advance(50);
    await refused;
    const start = clock.monotonic();
    void pacer.reply(4, say("reply"));
    void pacer.edit(4, say("edit"));
    void pacer.alert(4, say("alert"));
    void pacer.edit(3, say("edit of a confirmed card"));
    void pacer.reply(3, say("reply to a confirm"));
    await clock.advance(1000);
    expect(sent.map(({ what }) => what)).toEqual(["edit of a confirmed card", "reply to a confirm"]);
    hurried();
    void pacer.reply(3, say("after it"));
    // For the shorter of the two waits: the longer one may concern its chat only.
    await clock.advance(23_800);
    expect(sent).toHaveLength(2);
    await clock.advance(3000);
    expect(sent.slice(2).map(({ what }) => what)).toEqual(["reply", "after it", "edit", "alert"]);
    expect(sent[2]!.at - start).toBeGreaterThanOrEqual(24_900);
  });

  it("sends what waits for a confirmed card's chat at once, and in order", async () => {
    const { clock, pacer, sent, say } = setup();
    const refusals = [pacer.alert(1, refusal(25)), pacer.alert(2, refusal(25))];
    const refused = Promise.all(refusals.map((each) => expect(each).rejects.toMatchObject({ error_code: 429 })));
    await clock.advance(50);
    await refused;
    void pacer.edit(3, say("the card before"));
    void pacer.edit(4, say("another's card"));
    await clock.advance(1000);
    expect(sent).toEqual([]);
    pacer.hurry(3);
    void pacer.edit(3, say("the confirmed card"));
    await clock.advance(100);
    expect(sent.map(({ what }) => what)).toEqual(["the card before", "the confirmed card"]);
  });

  it("doesn't stop all chats for refusals more than a second apart, or for two in one chat", async () => {
    const { clock, pacer, sent, say } = setup();
    const refuse = (chat: number) => expect(pacer.alert(chat, refusal(600))).rejects.toMatchObject({ error_code: 429 });
    await refuse(1);
    await clock.advance(1100);
    await refuse(2);
    await clock.advance(1100);
    await Promise.all([3, 3].map((chat) => expect(pacer.edit(chat, refusal(600))).rejects.toBeDefined()));
    void pacer.alert(4, say("alert"));
    await clock.advance(100);
    expect(sent).toHaveLength(1);
  });

  it("isn't misled by refusals here and there: taps are answered within seconds, and no chat is asked too early", async () => {
    const { clock, pacer } = setup();
    const random = seededRandom("flood control");
    const [PEOPLE, UPDATES_PER_SECOND, SECONDS] = [60, 37, 180];
    const leaveAloneUntil = new Map<number, number>();
    const tooEarly: number[] = [];
    const waits: number[] = [];
    let forced = 2;
    const ask = async (chat: number): Promise<void> => {
      if (clock.monotonic() < (leaveAloneUntil.get(chat) ?? 0)) tooEarly.push(chat);
      await clock.sleep(100);
      if (forced === 0 && random() >= 1 / 50) return;
      forced = Math.max(0, forced - 1);
      leaveAloneUntil.set(chat, clock.monotonic() + 1000);
      await refusal(1)();
    };
    const tap = async (chat: number): Promise<void> => {
      const tappedAt = clock.monotonic();
      // What it asks for, that it is on its way, and the outcome.
      for (let card = 0; card < 3; card += 1) await pacer.edit(chat, () => ask(chat));
      waits.push(clock.monotonic() - tappedAt);
    };
    for (let update = 0; update < UPDATES_PER_SECOND * SECONDS; update += 1) {
      const chat = 1 + Math.floor(random() * PEOPLE);
      void tap(chat);
      await clock.advance(1000 / UPDATES_PER_SECOND);
    }
    await clock.advance(10_000);
    expect(waits).toHaveLength(UPDATES_PER_SECOND * SECONDS);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
    expect(tooEarly).toEqual([]);
  });

  /** Holds all chats for 25 seconds. */
  async function held() {
    const world = setup();
    const refusals = [world.pacer.alert(1, refusal(600)), world.pacer.alert(2, refusal(25))];
    const refused = Promise.all(refusals.map((each) => expect(each).rejects.toMatchObject({ error_code: 429 })));
    await world.clock.advance(50);
    await refused;
    return world;
  }

  it("lets one request probe when a hold on all chats is over, and the others go once it is taken", async () => {
    const { clock, pacer, sent, say } = await held();
    const slowly = (what: string) => async () => {
      await say(what)();
      await clock.sleep(2000);
    };
    for (let chat = 3; chat < 10; chat += 1) void pacer.reply(chat, slowly(`reply ${chat}`));
    void pacer.alert(10, say("alert"));
    await clock.advance(26_000);
    expect(sent).toHaveLength(1);
    await clock.advance(2000);
    expect(sent).toHaveLength(8);
  });

  it("holds all chats again only if two that probe are refused, for the shorter time, whoever they are", async () => {
    const { clock, pacer, sent, say } = await held();
    /** The first request is refused. */
    const refusedOnce = (what: string, seconds: number) => {
      let refusals = 1;
      return async () => {
        await say(what)();
        if (refusals-- > 0) await refusal(seconds)();
      };
    };
    void pacer.reply(3, refusedOnce("first", 29));
    void pacer.reply(4, refusedOnce("second", 5));
    for (const chat of [5, 6]) void pacer.reply(chat, say(`reply ${chat}`));
    await clock.advance(29_000);
    expect(sent.map(({ what }) => what)).toEqual(["first", "second"]);
    await clock.advance(2500);
    expect(sent.map(({ what }) => what).slice(2)).toEqual(expect.arrayContaining(["second", "reply 5", "reply 6"]));
    expect(sent).toHaveLength(5);
    await clock.advance(30_000);
    expect(sent).toHaveLength(6);
  });

  it("lets another request probe if the first gets no answer, and another still if it isn't sent", async () => {
    const { clock, pacer, sent, say } = await held();
    void pacer.reply(3, async () => {
      await say("hangs")();
      await clock.sleep(60_000);
    });
    void pacer.alert(4, async () => {
      await say("has nothing to send")();
      return false;
    });
    void pacer.alert(5, say("alert"));
    await clock.advance(27_000);
    expect(sent.map(({ what }) => what)).toEqual(["hangs"]);
    await clock.advance(3000);
    expect(sent.map(({ what }) => what)).toEqual(["hangs", "has nothing to send", "alert"]);
  });

  it("takes two refusals for one of all chats only if nothing was taken in between, and edits for activity", async () => {
    const { clock, pacer, sent, say } = setup();
    const refuse = (chat: number) => expect(pacer.edit(chat, refusal(40))).rejects.toMatchObject({ error_code: 429 });
    const edits = async (chat: number) => {
      await clock.advance(10);
      await pacer.edit(chat, () => Promise.resolve());
    };
    await refuse(1);
    await edits(3);
    await refuse(2);
    await clock.advance(2000);
    for (const chat of [4, 5]) await edits(chat);
    await Promise.all([refuse(4), refuse(5)]);
    void pacer.reply(6, say("reply"));
    await clock.advance(50);
    expect(sent).toHaveLength(1);
  });

  it("hands back a refused reply if its wait is too long, and a refused alert at once", async () => {
    const { clock, pacer } = setup();
    const flood = telegramError(429, "Too Many Requests: retry after 600", 600);
    const reply = pacer.reply(1, () => Promise.reject(flood));
    const brief = telegramError(429, "Too Many Requests: retry after 1", 1);
    const alert = pacer.alert(2, () => Promise.reject(brief));
    const caught = [expect(reply).rejects.toBe(flood), expect(alert).rejects.toBe(brief)];
    await clock.advance(100);
    await Promise.all(caught);
  });

  it("passes every other error to the caller, and goes on", async () => {
    const { clock, pacer, say } = setup();
    const failed = pacer.alert(1, () => Promise.reject(telegramError(403, "Forbidden: bot was blocked by the user")));
    const caught = expect(failed).rejects.toMatchObject({ error_code: 403 });
    const next = pacer.alert(1, say("next"));
    await clock.advance(2000);
    await caught;
    await expect(next).resolves.toBe("next");
  });

  it("sends replies while alerts hang", async () => {
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

  it("sends nothing after it was stopped", async () => {
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
