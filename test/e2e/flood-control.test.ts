import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { bundled } from "../support/bundled.js";
import { type Answer, type Received, startHttpStub } from "../support/http-stub.js";
import { startProgram } from "../support/process.js";
import { sandboxDesk } from "../support/sandbox-desk.js";
import { seededRandom } from "../support/seed.js";
import { stopwatch } from "../support/stopwatch.js";
import { failure } from "../support/stub-telegram.js";
import { until } from "../support/until.js";

const PEOPLE = 60;
const UPDATES_PER_SECOND = 37;
const SECONDS = process.env["FULL"] === undefined ? 9 : 120;
/** For how long it goes on once two people were refused who had never written before. */
const HELD_SECONDS = 5;
/** One of so many requests to chats is refused, for a second. */
const ONE_IN = 50;
/** A round trip to Telegram's servers. */
const LATENCY_MS = 100;

/** Between the bot and the sandbox's Telegram. @param refuses says for how many seconds to leave the chat alone, if so. */
async function refusingTelegram(refuses: (chatId: number) => number | undefined | Promise<number>) {
  let sandboxUrl = "";
  const asked: { readonly chatId: number; readonly at: number }[] = [];
  const refused: { readonly chatId: number; readonly at: number }[] = [];
  const leaveAloneUntil = new Map<number, number>();
  const tooEarly: number[] = [];
  let onTaken: (chatId: number, method: string) => void = () => undefined;

  const passOn = async ({ path, text }: Received): Promise<Answer> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(sandboxUrl + path, { method: "POST", headers, body: text });
    return { status: response.status, body: await response.json() };
  };
  const proxy = await startHttpStub(async (request) => {
    const chatId = request.json?.["chat_id"];
    // Without the sandbox, which hangs up on a long poll, there is nobody to pass it on to.
    const passed = () => passOn(request).catch((): Answer => "drop");
    if (typeof chatId !== "number") return passed();
    const at = performance.now();
    if (at < (leaveAloneUntil.get(chatId) ?? 0)) tooEarly.push(chatId);
    const named = await refuses(chatId);
    asked.push({ chatId, at });
    await sleep(LATENCY_MS);
    if (named !== undefined) {
      refused.push({ chatId, at: performance.now() });
      leaveAloneUntil.set(chatId, performance.now() + named * 1000);
      return failure(429, `Too Many Requests: retry after ${named}`, { retry_after: named });
    }
    const answer = await passed();
    onTaken(chatId, request.path.slice(request.path.lastIndexOf("/") + 1));
    return answer;
  });
  onTestFinished(proxy.close);
  return {
    url: proxy.url,
    /** Requests to chats, by when they came in milliseconds, and refusals, by when they left. */
    asked,
    refused,
    /** Chats that were asked although they were to be left alone. */
    tooEarly,
    passTo: (url: string) => (sandboxUrl = url),
    onTaken: (listener: typeof onTaken) => (onTaken = listener),
  };
}

it("refusals here and there hold back their own chats, and all chats wait for the shortest time named", async () => {
  const main = await bundled("src/main.ts");
  const random = seededRandom("flood control");
  const crowd = Array.from({ length: PEOPLE }, (_, at) => 2001 + at);
  /** Two who have never written before, and how long Telegram asks to leave each alone. */
  const strangers = [3001, 3002];
  const named = new Map([
    [3001, 9],
    [3002, 3],
  ]);
  let isLoaded = false;
  const telegram = await refusingTelegram((chatId) => {
    const seconds = named.get(chatId);
    if (seconds !== undefined) {
      named.delete(chatId);
      // At once, however busy the machine is.
      return until(() => named.size === 0).then(() => seconds);
    }
    return isLoaded && random() < 1 / ONE_IN ? 1 : undefined;
  });
  let pid: number | undefined;
  const { sandbox } = await sandboxDesk({
    people: [...crowd, ...strangers].map((id) => ({ id, firstName: `P${id}`, languageCode: "en" })),
    startBot: ({ TELEGRAM_API_ROOT: url = "", ...environment }) => {
      telegram.passTo(url);
      const variables = { ...environment, TELEGRAM_API_ROOT: telegram.url };
      const program = startProgram([process.execPath, main], { environment: variables, folder: tmpdir() });
      pid = program.pid;
      return {
        stop: async () => {
          program.kill("SIGKILL");
          await program.ended;
        },
      };
    },
  });
  const sent = (id: number) => sandbox.telegram.chat(id).find(({ from }) => from === "bot");
  const buttonOf = (id: number, label: RegExp) =>
    sent(id)
      ?.keyboard?.flat()
      .find(({ text }) => label.test(text))?.data;

  // From here on, a tap is one edit: it opens a page of the settings, or leaves it.
  for (const id of crowd) sandbox.telegram.sendText(id, "/settings");
  await until(() => crowd.every((id) => sent(id) !== undefined));
  const messageIds = new Map(crowd.map((id) => [id, sent(id)!.messageId]));
  const tap = (id: number, data: string) => sandbox.telegram.press(id, messageIds.get(id)!, data);
  const [first = 0, ...others] = crowd;
  const opens = buttonOf(first, /^Slippage/)!;
  tap(first, opens);
  await until(() => buttonOf(first, /Back/) !== undefined);
  const leaves = buttonOf(first, /Back/)!;
  const next = new Map([[first, leaves], ...others.map((id) => [id, opens] as const)]);

  const took = stopwatch(pid);
  /** When the taps of each person were made that have no answer yet. */
  const unanswered = new Map(crowd.map((id) => [id, [] as number[]]));
  const waits: number[] = [];
  telegram.onTaken((chatId, method) => {
    const tappedAt = method === "editMessageText" ? unanswered.get(chatId)?.shift() : undefined;
    if (tappedAt !== undefined) waits.push(took() - tappedAt);
  });

  const taps = UPDATES_PER_SECOND * (SECONDS + HELD_SECONDS);
  const begunAt = performance.now();
  isLoaded = true;
  for (let made = 1; made <= taps; made += 1) {
    const id = crowd[Math.floor(random() * PEOPLE)]!;
    unanswered.get(id)!.push(took());
    tap(id, next.get(id)!);
    next.set(id, next.get(id) === opens ? leaves : opens);
    // Both are refused at once, so all chats have to wait: for three seconds, not for nine.
    if (made === UPDATES_PER_SECOND * SECONDS) for (const one of strangers) sandbox.telegram.sendText(one, "/start");
    await sleep(begunAt + (made * 1000) / UPDATES_PER_SECOND - performance.now());
  }
  await until(() => waits.length === taps);

  const [all] = telegram.refused.filter(({ chatId }) => strangers.includes(chatId)).map(({ at }) => at);
  const times = telegram.asked.filter(({ chatId }) => !strangers.includes(chatId)).map(({ at }) => at);
  // Within half a second, the bot has read both.
  const heldFor = times.find((at) => at >= all! + 500)! - all!;
  expect(heldFor).toBeGreaterThanOrEqual(3_000);
  expect(heldFor).toBeLessThan(6_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
  expect(telegram.tooEarly).toEqual([]);
});
