import type { Context } from "grammy";
import { describe, expect, it } from "vitest";
import { chain } from "../../src/bot/chain.js";

const ctx = {} as Context;

describe("a chain of middleware", () => {
  it("runs one after the other, what waits for `next` also behind it, and ends at its own next", async () => {
    const steps: string[] = [];
    const run = chain(
      async (_ctx, next) => {
        steps.push("in");
        await next();
        steps.push("out");
      },
      { middleware: () => (_ctx, next) => (steps.push("through"), next()) },
    );
    await run(ctx, async () => void steps.push("end"));
    expect(steps).toEqual(["in", "through", "end", "out"]);
  });

  it("stops at a link that does not go on, and hands what it throws to those before it", async () => {
    const caught: unknown[] = [];
    const run = chain(
      async (_ctx, next) => {
        try {
          await next();
        } catch (error) {
          caught.push(error);
        }
      },
      () => {
        throw new Error("at once");
      },
      () => expect.unreachable("it went on"),
    );
    await run(ctx, () => Promise.resolve());
    expect(caught).toEqual([new Error("at once")]);
  });
});
