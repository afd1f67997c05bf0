import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { failure } from "../support/stub-telegram.js";
import { testDesk } from "../support/desk.js";
import { freePort } from "../support/listen.js";
import { until } from "../support/until.js";
import { stopwatch } from "../support/stopwatch.js";

it("a burst of replies to strangers delays an alert by a few seconds at most, not until all of them are sent", async () => {
  const desk = await testDesk({ LOG_LEVEL: "error" });
  const alice = await desk.trader();
  const strangers = Array.from({ length: 600 }, () => desk.stranger());
  for (const stranger of strangers) stranger.says("/help");
  await until(() => strangers.every((stranger) => stranger.transcript().length > 0));
  const took = stopwatch(desk.program().pid);
  alice.taps(await alice.asks("/testalert", /Order alerts/), "🔔 Send a test alert");
  await alice.reads(/Test alert/);
  // 600 replies at 28.8 a second take 20 s.
  expect(took()).toBeLessThan(5_000);
});

it("users without access are answered once, however much they send, and can still request access", async () => {
  const desk = await testDesk({ ALLOWED_USER_IDS: "4100", ADMIN_USER_IDS: "4101", LOG_LEVEL: "error" });
  const [stranger, other, member] = [desk.stranger(), desk.stranger(), desk.telegram.person(4100)];
  for (let message = 0; message < 30; message += 1) stranger.says(`let me in ${message}`);
  const refusal = await stranger.reads(/This bot is private/);
  stranger.taps(refusal, "🙋 Request access");
  await until(() => stranger.tapAnswers().length === 1);
  expect(stranger.tapAnswers()[0]).toMatch(/Request sent/);
  await other.asks("hello", /This bot is private/);
  for (let message = 0; message < 3; message += 1) member.says("/help");
  await until(() => member.transcript().length === 3);
  expect(stranger.transcript()).toHaveLength(1);
});

it("a chat under a flood wait gets nothing, not even an edit, while others get their answers", async () => {
  const desk = await testDesk({ LOG_LEVEL: "error" });
  const [alice, other] = [await desk.trader(), await desk.trader()];
  const isAlice = ({ parameters }: { parameters: Readonly<Record<string, unknown>> }) =>
    parameters["chat_id"] === alice.id;
  const card = await alice.asks("/swap 100 KLV KFI", /You pay/);
  let asked = 0;
  desk.telegram.intercept = (call) => {
    if (!isAlice(call) || call.method === "sendChatAction") return undefined;
    asked += 1;
    return failure(429, "Too Many Requests: retry after 40", { retry_after: 40 });
  };
  alice.says("/help");
  await until(() => asked === 1);
  alice.taps(card, "🔄 Refresh");
  for (const line of ["/help", "/swap 100 KLV KFI", "/settings"]) alice.says(line);
  await other.asks("/help", /\/swap/);
  await desk.telegram.allConfirmed();
  await other.asks("/settings", /Quick amounts/);
  expect(asked).toBe(1);
  expect(alice.transcript().at(-1)).not.toMatch(/wrong|again/);
});

// Thousands of answers: what makes it so is tested in services/picture/draw.test.ts.
it.runIf(process.env["FULL"])(
  "100 people who ask for 20 pictures each delay others by at most a second more than with as many quotes",
  async () => {
    const desk = await testDesk({ LOG_LEVEL: "error" });
    const crowd = Array.from({ length: 100 }, () => desk.stranger());
    const bystander = desk.stranger();
    await bystander.asks("/help", /\/swap/);
    /** Milliseconds until the bystander, who asks once after everybody else, has an answer, and then another. */
    const waits = async (line: string): Promise<number[]> => {
      for (let time = 0; time < 20; time += 1) for (const person of crowd) person.says(line);
      const times: number[] = [];
      for (let time = 0; time < 2; time += 1) {
        const [begun, seen] = [performance.now(), bystander.transcript().length];
        bystander.says("/help");
        await until(() => bystander.transcript().length > seen);
        times.push(performance.now() - begun);
      }
      // Each person's updates are answered in order: this is the last answer.
      await Promise.all(crowd.map((person) => person.asks("/help", /\/swap/)));
      return times;
    };
    const quotes = await waits("/quote 100 KLV KFI");
    const pictures = await waits("/chart KLV KFI");
    for (const [at, wait] of pictures.entries()) expect(wait).toBeLessThan((quotes[at] ?? 0) + 1_000);
  },
  600_000,
);

/** Milliseconds of processor time that a process's threads have used. */
function processorTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const used = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]);
  return used.reduce((sum, nanoseconds) => sum + Number(nanoseconds) / 1_000_000, 0);
}

/** A desk that takes proposals, and a flood of posts by strangers. */
async function deskWithPosts() {
  const port = String(await freePort());
  const desk = await testDesk({ LOG_LEVEL: "error", PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` });
  let posted = 0;
  const post = async (): Promise<void> => {
    const secret = String((posted += 1)).padStart(43, "x");
    const answer = await fetch(`http://127.0.0.1:${port}/propose/${secret}`, {
      method: "POST",
      body: "swap 1 KLV KFI",
    });
    expect(answer.status).toBe(404);
    await answer.text();
  };
  /** As many at a time as a busy stranger. */
  const flood = async (until: () => boolean) => {
    const line = async () => {
      while (!until()) await post();
    };
    await Promise.all(Array.from({ length: 8 }, line));
  };
  const help = async () => {
    const stranger = desk.stranger();
    const from = performance.now();
    await stranger.asks("/help", /\/swap/);
    return performance.now() - from;
  };
  await help();
  return { desk, flood, help, posted: () => posted };
}

it.runIf(process.env["FULL"])(
  "what a stranger posts as a proposal costs at most a fifth of /help, in processor time",
  async () => {
    const { desk, flood, help, posted } = await deskWithPosts();
    const { pid } = desk.program();
    const during = async (work: () => Promise<unknown>) => {
      const [begun, from] = [processorTime(pid), performance.now()];
      await work();
      return { used: processorTime(pid) - begun, passed: performance.now() - from };
    };
    await flood(() => posted() >= 200);
    const idle = await during(() => sleep(5_000));
    const from = posted();
    const costOf = ({ used, passed }: typeof idle) => used - (idle.used * passed) / idle.passed;
    const ofPost = costOf(await during(() => flood(() => posted() >= from + 500))) / (posted() - from);
    // One by one, as posts are answered.
    const helps = async () => {
      for (let asked = 0; asked < 50; asked += 1) await help();
    };
    await helps();
    const ofHelp = costOf(await during(helps)) / 50;
    // For the log of a long run.
    process.stdout.write(`a post ${ofPost.toFixed(2)} ms, /help ${ofHelp.toFixed(2)} ms of processor time\n`);
    expect(ofPost).toBeLessThanOrEqual(ofHelp / 5);
  },
);

it.runIf(process.env["FULL"])("strangers' posts at most double what others wait for", async () => {
  const { flood, help } = await deskWithPosts();
  const median = async () => {
    const took: number[] = [];
    for (let asked = 0; asked < 60; asked += 1) took.push(await help());
    return took.toSorted((left, right) => left - right)[30]!;
  };
  await median();
  const without = await median();
  let isOver = false;
  const flooding = flood(() => isOver);
  const beside = await median();
  isOver = true;
  await flooding;
  process.stdout.write(`medians: ${without.toFixed()} ms without, ${beside.toFixed()} ms beside a flood\n`);
  expect(beside).toBeLessThanOrEqual(2 * without);
});
