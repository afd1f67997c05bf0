import { describe, expect, it } from "vitest";
import { additions, type Addition } from "../../sandbox/telegram/older.js";
import { logOf } from "../support/log-lines.js";
import { ordersDesk, watch } from "../support/orders-desk.js";
import { storeWithSwaps } from "../support/past-swaps.js";
import {
  defaultWorld,
  losesAnswer,
  people,
  rowButtons,
  sandboxDesk,
  type SandboxDesk,
  type SandboxPerson,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

/** Chooses tables in `/settings`. */
async function chooseTables(person: SandboxPerson): Promise<void> {
  const settings = await person.asks("/settings");
  expect(settings.text).toContain("Lists: as text");
  await person.taps(settings, "Lists: as tables");
  await person.sees(settings, /Lists: as tables\nIf a list can't be read in your app, choose text/);
}

async function deskWithSwaps(logTo?: Parameters<typeof sandboxDesk>[2]) {
  const desk = await sandboxDesk({}, await storeWithSwaps(people.alice, 3), logTo);
  const alice = desk.person(people.alice);
  await chooseTables(alice);
  return { desk, alice };
}

const richCalls = ({ sandbox }: SandboxDesk) =>
  sandbox.telegram.calls().filter(({ parameters }) => parameters["rich_message"] !== undefined);
const labels = (message: Parameters<typeof rowButtons>[0]) => rowButtons(message).map(({ text }) => text);

describe("a user who chose tables", () => {
  it("sees the history as a table, repeats a swap from its row, and can go back to text", async () => {
    const { desk, alice } = await deskWithSwaps();
    const history = await alice.asks("/history");
    expect(history.rich?.map(({ type }) => type)).toEqual(["paragraph", "table"]);
    expect(history.text).toMatch(
      /^Your history\n☑️ 100 KLV → 0\.982076 KFI \| 1970-01-01 00:02 UTC · accepted, not confirmed/,
    );
    expect(labels(history)).toEqual(["🔁 Repeat", "🔁 Repeat", "🔁 Repeat"]);
    await alice.taps(history, "Locks");
    expect(await alice.sees(history, /Nothing of this kind/)).not.toHaveProperty("rich");
    await alice.taps(history, "All");
    expect((await alice.sees(history, /100 KLV/)).rich).toHaveLength(2);
    await alice.asks(`/wallet ${desk.address("Alice")}`);
    await alice.taps(history, "🔁 Repeat");
    expect(await alice.reads(/Confirm|KLV → KFI/)).not.toHaveProperty("rich");
    const settings = await alice.asks("/settings");
    await alice.taps(settings, "Lists: as text");
    await alice.sees(settings, /Lists: as text/);
    expect(await alice.asks("/history")).not.toHaveProperty("rich");
  });

  it("unlocks from a row, and copies the address from the list of balances", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    for (const epoch of ["5398", "5400"]) {
      const card = await alice.asks(`/lock 5 LPKLVKFI-3I0N ${epoch}`);
      await alice.confirms(card, /✅ Locked|not yet confirmed/);
    }
    await chooseTables(alice);
    desk.sandbox.chain.advanceEpoch(1);
    const locks = await alice.asks("/locks");
    expect(locks.text).toMatch(/5 LPKLVKFI-3I0N · LKTOK-1A2B\/3 \| can be unlocked now/);
    // The contract decides about those that weren't locked through the bot.
    expect(labels(locks)).toEqual([3, 1, 2].map((number) => `🔓 Unlock LKTOK-1A2B/${number}`));
    expect(locks.keyboard).toBeUndefined();
    const balances = await alice.asks("/balance");
    expect(rowButtons(balances)).toEqual([{ text: desk.address("Alice"), copyText: desk.address("Alice") }]);
    expect(balances.text).toMatch(/KLV.*\n/);
    await alice.taps(locks, "🔓 Unlock LKTOK-1A2B/3");
    expect(await alice.reads(/^Unlock 5 LKTOK-1A2B\/3/)).not.toHaveProperty("rich");
  });

  it("mutes and unwatches orders in their rows, and the list is edited in place", async () => {
    const desk = await ordersDesk();
    const alice = desk.person(people.alice);
    const ids = [1, 2, 3].map(() => desk.sandbox.market.add({ quantity: "100", price: "0.00678" }).orderId);
    for (const id of ids) await watch(alice, id);
    await chooseTables(alice);
    const list = await alice.asks("/orders");
    expect(labels(list)).toEqual(expect.arrayContaining([...ids, "1 · Open", "🔇 Mute", "🔕 Unwatch"]));
    await alice.taps(list, "🔇 Mute");
    await alice.sees(list, /1\. Buy KLV-USDT · limit · maker 🔇/);
    await alice.taps(list, "🔕 Unwatch");
    const left = await alice.sees(list, /^[^]*1\. (?![^]*3\. )/);
    expect(left.rich).toBeDefined();
    await alice.taps(list, "🔕 Unwatch");
    // A single order is shown as text again, with its buttons below.
    await alice.sees(list, /^[^]*1\. (?![^]*2\. )/);
    expect(desk.sandbox.telegram.chat(alice.id).at(-1)).toMatchObject({ messageId: list.messageId });
    expect(desk.sandbox.telegram.chat(alice.id).at(-1)).not.toHaveProperty("rich");
    await alice.taps(list, "🔕 Unwatch");
    await alice.sees(list, /You aren't watching any orders/);
  });

  it("checks an unknown outcome from its row, and gets the answer below the list", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld }, await storeWithSwaps(people.alice, 1));
    await chooseTables(alice);
    const card = await alice.asks("/swap 100 KLV KFI");
    await losesAnswer(desk, alice, card);
    const history = await alice.asks("/history");
    await alice.taps(history, "🔎 Check");
    const answer = await alice.reads(/🔎 It has arrived/);
    expect([answer.keyboard, answer.messageId > history.messageId]).toEqual([undefined, true]);
    await alice.sees(card, /🔎 It has arrived/);
    expect(desk.callsSent()).toHaveLength(1);
  });
});

describe("a server that doesn't accept a table", () => {
  const lists = ["/history", "/history"];

  it.each<[string, readonly Addition[]]>([
    ...additions.map((one): [string, Addition[]] => [one, [one]]),
    ["everything new", additions],
  ])("because it lacks %s still gets each list once, and readable", async (_, lacking) => {
    const { lines, logTo } = logOf();
    const { desk, alice } = await deskWithSwaps(logTo);
    const { telegram } = desk.sandbox;
    telegram.setLacking(lacking);
    const before = telegram.chat(alice.id).length;
    for (const command of lists) {
      expect((await alice.asks(command)).text).toMatch(/(?:100 KLV → 0\.982076 KFI[^]*){3}/);
    }
    expect(telegram.chat(alice.id)).toHaveLength(before + 2 * lists.length);
    const hasTables = telegram.chat(alice.id).some(({ rich }) => rich !== undefined);
    expect(hasTables).toBe(!lacking.includes("rich") && !lacking.includes("rich_content"));
    // Without rich messages, only the first list is tried; a server that refused a table is tried again with the next.
    const tries = lacking.includes("rich") ? 1 : 2;
    expect(richCalls(desk)).toHaveLength(tries);
    expect(lines.filter((line) => line.includes("too old for rich messages"))).toHaveLength(
      lacking.includes("rich") ? 1 : 0,
    );
  });

  it("is detected at the start, so that no list is tried in vain", async () => {
    const { desk, alice } = await deskWithSwaps();
    await desk.restart({}, () => desk.sandbox.telegram.setLacking(["rich"]));
    const probes = () => desk.sandbox.telegram.calls().filter(({ method }) => method === "sendRichMessage");
    await until(() => probes().some(({ status }) => status === 404));
    expect((await alice.asks("/history")).text).toContain("100 KLV");
    expect(richCalls(desk)).toEqual([]);
    expect(probes().map(({ parameters, status }) => [parameters, status])).toEqual([
      [{}, 400],
      [{}, 404],
    ]);
  });

  it("without an answer gets the list neither again nor as text", async () => {
    const { desk, alice } = await deskWithSwaps();
    desk.sandbox.telegram.faultNext("sendRichMessage", "drop-after");
    await alice.asks("/history", /^Your history/);
    await alice.reads(/Telegram didn't take my answer/);
    await alice.asks("/help");
    const shown = desk.sandbox.telegram.chat(alice.id).filter(({ text }) => text.startsWith("Your history"));
    expect(shown).toHaveLength(1);
    expect(richCalls(desk)).toHaveLength(1);
  });

  it("because it is busy gets the table later, once", async () => {
    const { desk, alice } = await deskWithSwaps();
    desk.sandbox.telegram.faultNext("sendRichMessage", "429");
    expect(await alice.asks("/history")).toHaveProperty("rich");
    expect(richCalls(desk).map(({ status }) => status)).toEqual([429, 200]);
  });
});
