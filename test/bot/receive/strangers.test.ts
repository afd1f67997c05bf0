import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { withoutStrangers } from "../../../src/bot/receive/strangers.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

const SECRET = "S".repeat(43);
const OTHER = "O".repeat(43);

function listening(isRead = true) {
  const clock = createVirtualClock();
  const handled: string[] = [];
  let refused = 0;
  const answered: number[] = [];
  const listener = withoutStrangers({
    clock,
    isKnown: (secret) => (secret === SECRET ? true : isRead ? false : undefined),
    onRefused: () => (refused += 1),
    handle: ({ method, url }) => void handled.push(`${method} ${url}`),
  });
  const response = { writeHead: () => ({ end: () => answered.push(clock.monotonic()) }) } as unknown as ServerResponse;
  const ask = (method: string, url: string, authorization?: string) =>
    listener({ method, url, headers: { authorization } } as IncomingMessage, response);
  return { clock, handled, refused: () => refused, answered, ask };
}

it.each([
  ["POST", `/propose/${SECRET}`, undefined, true],
  ["POST", "/propose", `Bearer ${SECRET}`, true],
  ["GET", `/propose/${SECRET}/id`, undefined, true],
  ["GET", "/propose/id", `Bearer ${SECRET}`, true],
  ["GET", "/health", undefined, true],
  ["GET", "/proposed", undefined, true],
  ["POST", `/propose/${OTHER}`, undefined, false],
  ["POST", `/propose/${OTHER}`, `Bearer ${SECRET}`, false],
  ["POST", "/propose", `Bearer ${OTHER}`, false],
  ["POST", "/propose", undefined, false],
  ["GET", `/propose/${SECRET}`, undefined, false],
  ["GET", `/propose/${OTHER}/id`, undefined, false],
  ["GET", `/propose?${SECRET}`, undefined, false],
])("%s %s with %s is handled: %s", (method, url, authorization, isHandled) => {
  const { ask, handled, refused } = listening();
  ask(method, url, authorization);
  expect([handled.length, refused()]).toEqual(isHandled ? [1, 0] : [0, 1]);
});

it("as long as nobody knows the links, the routes decide", () => {
  const { ask, handled } = listening(false);
  ask("POST", `/propose/${OTHER}`);
  expect(handled).toHaveLength(1);
});

it("answers fifty strangers a second, each after a second at most", async () => {
  const { ask, answered, clock } = listening();
  for (let posted = 0; posted < 1_000; posted += 1) ask("POST", `/propose/${OTHER}`);
  const from = clock.monotonic();
  await clock.advance(500);
  expect(answered.filter((at) => at - from <= 500)).toHaveLength(25);
  await clock.advance(500);
  expect(answered).toHaveLength(1_000);
});
