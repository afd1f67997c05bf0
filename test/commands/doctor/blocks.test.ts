import { expect, it } from "vitest";
import { examineBlocks } from "../../../src/commands/doctor/blocks.js";
import { Fault } from "../../../src/fault.js";
import { createChainOfBlocks, movedTo, SLOT } from "../../support/chain-of-blocks.js";
import { createVirtualClock } from "../../support/virtual-clock.js";

const account = Buffer.alloc(32, 1).toString("base64");

/** A chain with two transactions in each of twenty blocks. */
async function arrange() {
  const clock = createVirtualClock(1_700_000_000_000);
  const chain = createChainOfBlocks(clock);
  const paid = Array.from({ length: 40 }, () => movedTo(account));
  for (let at = 0; at < 20; at += 1) await chain.slot(paid.slice(2 * at, 2 * at + 2));
  const examine = () => examineBlocks({ ...chain.node, now: clock.now });
  return { clock, chain, paid, examine };
}

it("reads ten blocks, and says how large they are", async () => {
  const { chain, examine } = await arrange();
  const { readBlock } = chain.node;
  chain.node.readBlock = async (number, asked) => {
    const block = await readBlock(number, asked);
    return block && { ...block, bytes: number === chain.top() ? 20_500 : 500 };
  };
  expect(await examine()).toEqual({
    isWell: true,
    text: `NODE_URL shows blocks, up to ${chain.top()}; the last 10 take 3 kB each, at most 21`,
  });
});

it("says what they lack, and whether that is found by its hash", async () => {
  const { chain, paid, examine } = await arrange();
  chain.left.add(paid[39]!.hash);
  expect((await examine()).text).toMatch(
    /^NODE_URL leaves 1 of 20 transactions out of its blocks: all are found by their hashes, one by one/,
  );
  chain.hidden.add(paid[39]!.hash);
  expect((await examine()).text).toContain("blocks: 1 of 1 aren't found by their hashes");
  chain.left.has = () => true;
  expect(await examine()).toMatchObject({ isWell: false });
  expect((await examine()).text).toContain("leaves 20 of 20 transactions out of its blocks (is storagePruning off?)");
});

it.each<[string, (chain: ReturnType<typeof createChainOfBlocks>) => unknown, RegExp]>([
  [
    "no route",
    ({ node }) => (node.readBlock = () => refuse("service-status")),
    /doesn't serve \/block\/by-nonce: nobody/,
  ],
  [
    "another form",
    ({ node }) => (node.readBlock = () => refuse("answer-unreadable")),
    /another form than klever-go: nobody/,
  ],
  ["none of the last blocks", ({ node }) => (node.readBlock = async () => undefined), /shows none of the last: nobody/],
  ["old blocks", makeOld, /newest block isn't of now/],
])("tells %s apart", async (_, spoil, said) => {
  const { chain, examine } = await arrange();
  spoil(chain);
  const { isWell, text } = await examine();
  expect(isWell).toBe(false);
  expect(text).toMatch(said);
});

it("says that a node keeps less than six hours, and throws if it can't be reached", async () => {
  const { chain, examine } = await arrange();
  await chain.slots(6000);
  const { readBlock } = chain.node;
  chain.node.readBlock = async (number, asked) => (number < chain.top() - 100 ? undefined : readBlock(number, asked));
  expect((await examine()).text).toMatch(/^NODE_URL keeps no blocks of six hours ago/);
  chain.isDown = true;
  await expect(examine()).rejects.toMatchObject({ code: "service-unreachable" });
});

function makeOld(chain: ReturnType<typeof createChainOfBlocks>): void {
  chain.madeAhead(-20 * SLOT);
  chain.add();
}

function refuse(code: "answer-unreadable" | "service-status"): Promise<never> {
  const fault =
    code === "service-status"
      ? new Fault(code, { service: "node", status: 404 })
      : new Fault(code, { reason: "a block in another form" });
  return Promise.reject(fault);
}
