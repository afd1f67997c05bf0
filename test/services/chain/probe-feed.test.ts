import { describe, expect, it } from "vitest";
import { feedDialects } from "../../../sandbox/node/feed-messages.js";
import { probeFeed } from "../../../src/services/chain/probe-feed.js";
import { realNodeDesk } from "../../sandbox/node/real-node.js";
import { createSwiftClock } from "../../support/swift-clock.js";

async function probed(
  change: Parameters<Awaited<ReturnType<typeof realNodeDesk>>["real"]["feed"]["set"]>[0],
  path = "/subscribe",
) {
  const clock = createSwiftClock(4);
  const { sandbox, real } = await realNodeDesk(undefined, clock);
  real.feed.set(change);
  return probeFeed(sandbox.url.replace("http", "ws") + path, clock);
}

describe("the probe of a feed", () => {
  it.each(feedDialects)("tells form %s from the others", async (dialect) => {
    expect(await probed({ dialect })).toMatchObject({
      form: dialect,
      block: { nonce: expect.any(Number) as number },
      refusal: undefined,
    });
  });

  it("says that nothing comes, or nobody answers", async () => {
    expect(await probed({ faults: ["mute"] })).toEqual({
      form: undefined,
      block: undefined,
      closed: undefined,
      refusal: undefined,
    });
    expect(await probed({ faults: ["refuse"] })).toMatchObject({
      form: undefined,
      closed: expect.any(Number) as number,
    });
    expect(await probed({}, "/elsewhere")).toMatchObject({ form: undefined, closed: expect.any(Number) as number });
  });
});
