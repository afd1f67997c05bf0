import { Api } from "grammy";
import { expect, it, onTestFinished } from "vitest";
import { additions } from "../../sandbox/telegram/older.js";
import { editCard, sendCardTo } from "../../src/bot/send.js";
import { card, bold, say, momentOf } from "../../src/cards/card.js";
import { startTelegram, token } from "../sandbox/telegram/harness.js";
import { logOf } from "../support/log-lines.js";
import { people, sandboxDesk } from "../support/sandbox-desk.js";
import { createVirtualClock } from "../support/virtual-clock.js";

const DAY = 86_400_000;

/** What every card has, and what a server has to know. */
const spared = additions.filter((one) => one !== "expandable_blockquote");

it.each([...spared.map((one) => [one]), [...spared]])(
  "on a server without %s every message arrives once and is readable",
  async (...lacking) => {
    const { lines, logTo } = logOf();
    const desk = await sandboxDesk({}, {}, logTo);
    desk.sandbox.telegram.setLacking(lacking);
    const alice = await desk.trader();
    const before = desk.sandbox.telegram.chat(people.alice).length;
    const swap = await alice.asks("/swap 100 KLV KFI");
    expect(swap.text).toMatch(/You get at least: 0\.97\d+ KFI[^]*Valid until \d\d:\d\d:\d\d UTC/);
    await alice.taps(swap, "✅");
    await alice.sees(swap, /Accepted, not yet confirmed/);
    expect(desk.callsSent()).toHaveLength(1);
    expect((await alice.asks("/history")).text).toMatch(/100 KLV → .* KFI\n\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
    // Two commands and two answers.
    expect(desk.sandbox.telegram.chat(people.alice)).toHaveLength(before + 4);
    const warned = lines.filter((line) => line.includes("too old for a message field"));
    expect(new Set(warned).size).toBe(warned.length);
    expect(warned.some((line) => line.includes('"part":"date_time"'))).toBe(lacking.includes("date_time"));
  },
);

it.each([1_096, 1_097, 1_098, 2_000])(
  "the end of a lock of %i days is a date entity whenever Telegram accepts one, also after an edit",
  async (days) => {
    const clock = createVirtualClock(Date.UTC(2026, 0, 1));
    const { telegram, url, close } = await startTelegram({ clock });
    onTestFinished(close);
    telegram.sendText(1001, "/start");
    const api = new Api(token, { apiRoot: url });
    const end = clock.now() + days * DAY;
    const drawn = () => {
      const now = clock.now();
      return card([bold("Locks"), say((time) => `unlocks ${time}`, momentOf(end, { now })), `seen at ${now}`]);
    };
    const seen = () => {
      const [message] = telegram.chat(1001).filter(({ text }) => text.startsWith("Locks"));
      expect(message!.text).toContain(`unlocks ${new Date(end).toISOString().slice(0, 10)} 00:00 UTC`);
      return message!.entities.some(({ type }) => type === "date_time");
    };
    const id = await sendCardTo(api, 1001, drawn());
    expect(seen()).toBe(days <= 1_097);
    for (const later of [1_000, 3 * DAY]) {
      await clock.advance(later);
      expect(await editCard(api, 1001, id, drawn())).toBe(id);
      expect(seen()).toBe(end - clock.now() <= 1_097 * DAY);
    }
  },
);
