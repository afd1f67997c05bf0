import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { busyHost } from "../support/busy-host.js";
import { secrets, testDesk, type Desk } from "../support/desk.js";
import type { Answer } from "../support/http-stub.js";
import { buildWhenNeeded, project } from "../support/process.js";
import type { ApiCall } from "../support/stub-telegram.js";
import { stopwatch } from "../support/stopwatch.js";
import { until } from "../support/until.js";

// scripts/bundle.ts gives undici an entry point of its own. So the built program, and not the faster one of other tests,
// has to do here what each option is for that src/ gives undici.
const built = join(project, "dist/main.js");
beforeAll(buildWhenNeeded);

const logs = (desk: Desk, text: string) => until(() => desk.program().output().includes(text), desk.program().output);

const sent = ({ telegram }: Desk): number => telegram.calls.filter(({ method }) => method === "sendMessage").length;

/** Answers the next request of a method with `answer`. */
function answerNext({ telegram }: Desk, method: string, answer: Answer): void {
  telegram.intercept = (call) => {
    if (call.method !== method) return undefined;
    telegram.intercept = () => undefined;
    return answer;
  };
}

describe("the built program's requests to services", () => {
  it("have a method, headers and a body, and the URL's user and password as a header", async () => {
    const desk = await testDesk({}, built);
    await desk.crash();
    const { quotationUrl, received } = desk.services;
    desk.start({ QUOTATION_URL: quotationUrl.replace("//", "//user:word@") });
    const { person } = await desk.swapCard("100");
    expect(desk.services.quotations()[0]).toMatchObject({
      method: "POST",
      headers: { authorization: `Basic ${btoa("user:word")}`, "content-type": "application/json" },
      json: { tokenIn: "KLV" },
    });
    const order = "00000000-0000-4000-8000-000000000001";
    await person.asks(`/order ${order}`, /no order|not found|don't know/i);
    const asked = received.find(({ path }) => path.endsWith(order));
    expect(asked).toMatchObject({ method: "GET", headers: { apikey: secrets.apiKey }, text: "" });
  });

  it("end with their time limit", async () => {
    const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "1" }, built);
    desk.services.onQuotation = () => "hang";
    const person = await desk.trader();
    await person.asks("/swap 100 KLV KFI", /in time|too long|didn't answer/i);
  });

  it("may wait half of it for a connection, so that one without is told apart", async () => {
    const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "4", QUOTATION_URL: (await busyHost()).url }, built);
    const person = await desk.trader();
    person.says("/swap 100 KLV KFI");
    await logs(desk, '"service":"quotation","answer":"service-unreachable"');
  });
});

describe("the built program's requests to Telegram", () => {
  it.each<[string, Answer, string]>([
    ["doesn't begin in time", "hang", "NOT_ANSWERED_IN_TIME"],
    ["breaks off", "stall", "NOT_ANSWERED_IN_TIME"],
    ["is longer than any of Telegram's", { body: "x".repeat(16_000_001) }, "UND_ERR_RES_EXCEEDED_MAX_SIZE"],
  ])("do without an answer that %s", async (_, answer, code) => {
    const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "1" }, built);
    const person = desk.stranger();
    answerNext(desk, "sendMessage", answer);
    person.says("/help");
    await logs(desk, code);
    await person.asks("/help", /\/swap/);
  });

  it("wait longer for the answer to a file, which is sent as it is", async () => {
    const { desk, person, sendsFile } = await trader();
    await sendsFile({ body: { ok: true, result: {} }, delay: 3_000 });
    await person.asks("/help", /\/swap/);
    expect(filesOf(desk)[0]?.text).toMatch(/history\.csv[^]+,100,KLV,/);
    expect(filesOf(desk)).toHaveLength(1);
    expect(desk.program().output()).not.toContain("IN_TIME");
  });

  it("hold a poll as long as Telegram may, keep idle connections meanwhile, and leave one that hangs", async () => {
    const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "1" }, built);
    const people = Array.from({ length: 8 }, () => desk.stranger());
    /** Has all of their answers sent at once, each by a connection of its own. */
    const askTogether = async () => {
      const before = sent(desk);
      desk.telegram.hold = ({ method }) =>
        method === "sendMessage" ? until(() => sent(desk) >= before + people.length) : undefined;
      await Promise.all(people.map((person) => person.asks("/help", /\/swap/)));
    };
    await askTogether();
    const opened = desk.telegram.opened();
    let polls = 0;
    let took = stopwatch();
    desk.telegram.intercept = ({ method }) => {
      if (method !== "getUpdates") return undefined;
      polls += 1;
      took = polls === 1 ? stopwatch() : took;
      return polls === 1 ? "hang" : undefined;
    };
    await until(() => polls === 2);
    expect(took()).toBeGreaterThan(9_000);
    await askTogether();
    // The one of the hanging poll is gone, and one more may have been needed meanwhile.
    expect(desk.telegram.opened()).toBeLessThanOrEqual(opened + 2);
  });

  it("share 64 connections", async () => {
    const desk = await testDesk({}, built);
    desk.telegram.intercept = ({ method }) =>
      method === "sendMessage" ? { body: { ok: true, result: { message_id: 1 } }, delay: 1_500 } : undefined;
    const people = Array.from({ length: 200 }, () => desk.stranger());
    for (const person of people) person.says("/help");
    await until(() => desk.telegram.calls.filter(({ method }) => method === "sendMessage").length >= people.length);
    // And one for polls.
    expect(desk.telegram.opened()).toBe(65);
  });

  it("wait for a connection no longer than for an answer", async () => {
    const took = stopwatch();
    const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "1", TELEGRAM_API_ROOT: (await busyHost()).url }, built);
    await logs(desk, "NOT_CONNECTED_IN_TIME");
    // undici's own limit is ten seconds.
    expect(took()).toBeLessThan(9_000);
  });

  it("end with the program at once while Telegram takes no connection", async () => {
    const desk = await testDesk({ HTTP_TIMEOUT_SECONDS: "30", TELEGRAM_API_ROOT: (await busyHost()).url }, built);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const took = stopwatch(desk.program().pid);
    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    expect(took()).toBeLessThan(5_000);
  });

  it("end with the program, a poll at once", async () => {
    const desk = await testDesk({}, built);
    const person = desk.stranger();
    let isHanging = false;
    desk.telegram.intercept = ({ method }) => {
      isHanging ||= method === "getUpdates";
      return method === "getUpdates" ? "hang" : undefined;
    };
    person.says("/help");
    await until(() => isHanging);
    const took = stopwatch(desk.program().pid);
    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    // Updates in progress may take fifteen.
    expect(took()).toBeLessThan(10_000);
  });

  it("end with the program, a file soon", async () => {
    const { desk, sendsFile } = await trader();
    await sendsFile("hang");
    const took = stopwatch();
    desk.program().kill("SIGTERM");
    expect(await desk.program().ended).toBe(0);
    // The file alone may take two minutes.
    expect(took()).toBeLessThan(60_000);
  });
});

/** Somebody with a history, and a bot that gives requests a second. */
async function trader() {
  const desk = await testDesk({}, built);
  const { person, card } = await desk.swapCard("100");
  await person.confirms(card);
  await desk.crash();
  desk.start({ HTTP_TIMEOUT_SECONDS: "1" });
  const history = await person.asks("/history", /Your history/);
  const sendsFile = async (answer: Answer) => {
    answerNext(desk, "sendDocument", answer);
    person.taps(history, "📄");
    await until(() => filesOf(desk).length === 1);
  };
  return { desk, person, sendsFile };
}

function filesOf({ telegram }: Desk): ApiCall[] {
  return telegram.calls.filter(({ method }) => method === "sendDocument");
}
