import { expect, it } from "vitest";
import type { ChatMessage } from "../../sandbox/telegram/messages.js";
import { takesRoute, type SandboxDesk, type SandboxPerson } from "../support/sandbox-desk.js";
import { walletChat } from "../support/wallet-chat.js";

const HOUR_MS = 3_600_000;

type Chat = Awaited<ReturnType<typeof walletChat>>;
const priced = { PRICE_POLL_RPS: "20" };

/** Changes the price of KFI in each of its pools, in percent. */
function push({ sandbox }: SandboxDesk, percent: number): void {
  for (const { address, firstToken, secondToken } of sandbox.chain.pools())
    if ([firstToken, secondToken].includes("KFI")) sandbox.chain.pushPrice(address, "KFI", percent);
}

/** What 5 KFI bring now, after the fee, in hundredths of a KLV. */
async function hundredthsNow(person: SandboxPerson): Promise<bigint> {
  const { text } = await person.asks("/quote 5 KFI KLV", /You get about/);
  return BigInt(/You get about: ([0-9]+\.[0-9]{2})/.exec(text)![1]!.replace(".", ""));
}

const klvOf = (hundredths: bigint) => `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, "0")}`;

/** The arguments of the calls that were built, as they were sent to the node. */
const built = ({ desk }: Chat): readonly (readonly string[])[] =>
  desk.sandbox.wireLog
    .entries()
    .filter(({ path }) => path === "/transaction/send")
    .map(({ requestBody }) => {
      const [data = ""] = (JSON.parse(requestBody) as { readonly data: readonly string[] }).data;
      return Buffer.from(data, "base64").toString().split("@");
    });

/** Confirms a swap, or its route, signs it on its page, and waits until it is done. */
async function takes(chat: Chat, swap: ChatMessage, isRoute = false): Promise<void> {
  const outcome = /Waiting for your signature/;
  const waiting = await (isRoute ? takesRoute(chat.alice, swap, outcome) : chat.alice.confirms(swap, outcome));
  expect(await chat.sign(chat.pageOf(waiting))).toBe(200);
  await chat.alice.sees(swap, isRoute ? /✅ Route completed/ : /✅ Swap completed/);
}

it("a limit order's swap is signed with the limit as its minimum, and ends the order", async () => {
  const chat = await walletChat(priced);
  const { alice, desk, transactions } = chat;
  const limit = ((await hundredthsNow(alice)) * 1025n) / 1000n;
  const setUp = await alice.asks(`/limit 5 KFI KLV for ${klvOf(limit)}`, /I hold no key/);
  expect(setUp.text).toMatch(/Network fee about [0-9.]+ KLV \([0-9.]+% of what you pay\)/);
  await alice.taps(setUp, "👍 Set this order");
  await alice.reads(/Limit order set/);
  push(desk, 3);
  const swap = await alice.reads(/^🎯 Your price is there: .+\nYour limit order: at least/);
  const before = built(chat).length;
  await takes(chat, swap);
  const least = (limit * 10_000n * 100_000n - 100_000n) / 99_000n + 1n;
  const [name, , share, from, to, minimum] = built(chat).slice(before)[0]!;
  expect([name, share, from, to]).toEqual(["swap", "03e8", "4b4649", "4b4c56"]);
  expect(BigInt(`0x${minimum}`)).toBe(least);
  expect(transactions()).toHaveLength(1);
  await alice.reads(/^🏁 Filled: 🎯 5 KFI/);
});

it("a limit whose price goes back before the tap has nothing to sign", async () => {
  const chat = await walletChat(priced);
  const { alice, desk, transactions } = chat;
  const limit = ((await hundredthsNow(alice)) * 105n) / 100n;
  await alice.taps(await alice.asks(`/limit 5 KFI KLV for ${klvOf(limit)}`, /I hold no key/), "👍 Set this order");
  await alice.reads(/Limit order set/);
  push(desk, 6);
  const swap = await alice.reads(/^🎯 Your price is there/);
  push(desk, -6);
  await alice.taps(swap, "✅ Confirm");
  await alice.sees(swap, /❌ Not sent[^]*gone back/);
  expect(transactions()).toEqual([]);
  await alice.asks("/orders", /🎯 5 KFI/);
});

it("a stop order and a regular purchase ask at their moment, and the route of each is signed once", async () => {
  const chat = await walletChat(priced);
  const { alice, desk, transactions } = chat;
  const stop = ((await hundredthsNow(alice)) * 95n) / 100n;
  await alice.taps(await alice.asks(`/stoploss 5 KFI KLV for ${klvOf(stop)}`, /not a guarantee/), "👍 Set this order");
  await alice.reads(/Stop order set/);
  push(desk, -8);
  const before = built(chat).length;
  await takes(chat, await alice.reads(/^🛑 Your stop is reached: .+\nYour stop order/), true);
  await alice.reads(/^🏁 Filled: 🛑 5 KFI → [0-9.]+ KLV · route/);

  const { time } = desk.sandbox;
  const next = Math.ceil(time.clock.now() / HOUR_MS) * HOUR_MS;
  const hour = new Date(next).toISOString().slice(11, 16);
  const setUp = await alice.asks(`/dca 100 KLV KFI daily ${hour} x1 UTC`, /Regular purchase/);
  await alice.taps(setUp, "👍 Set this order");
  await alice.reads(/Regular purchase set/);
  if (time.clock.now() < next) time.skip(next - time.clock.now() + 1000);
  await takes(chat, await alice.reads(/^🔁 Your purchase is due: .+\nYour regular purchase: 1 of 1/), true);
  expect((await alice.reads(/^🏁 Ended: 🔁/)).text).toMatch(/1 of 1 accepted/);
  expect(transactions()).toHaveLength(2);
  const calls = new Set(
    built(chat)
      .slice(before)
      .map(([name]) => name),
  );
  expect([...calls]).toEqual(["multiPairSwap"]);
});
