import { describe, expect, it } from "vitest";
import { asRead } from "../support/as-read.js";
import { testDesk } from "../support/desk.js";
import { failure } from "../support/stub-telegram.js";
import { defaultWorld, people, sandboxDesk, type SandboxPerson, tradingDesk } from "../support/sandbox-desk.js";

const labelsOf = (message: Awaited<ReturnType<SandboxPerson["asks"]>>) =>
  (message.keyboard ?? []).map((row) => row.map(({ text }) => asRead(text)));

describe("/start", () => {
  it("shows the user's balances with their value, and buttons for frequent tasks", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const home = await alice.asks("/start");
    expect(home.text).toMatch(/10,000 KLV\n500 KFI ≈ 50,\d\d\d[.0-9]* KLV\n/);
    expect(home.text).toMatch(/Total: about \d\d\d,\d\d\d[.0-9]* KLV/);
    expect(labelsOf(home)).toEqual([
      ["💱 Trade", "🎯 Orders"],
      ["🔔 Alerts", "💼 Portfolio"],
      ["🛡 Safety", "⚙️ Settings"],
      ["📈 Chart", "🔄 Refresh", "🧊 Freeze"],
    ]);
    await alice.taps(home, "📈 Chart");
    expect((await alice.reads(/KFI/)).photo).toBeDefined();
    const card = await alice.asks("/swap 100 KLV KFI");
    await alice.confirms(card, /✅/);
    await alice.taps(home, "🔄 Refresh");
    await alice.sees(home, /9,900 KLV/);
  });

  it("welcomes a newcomer, and says if balances can't be read", async () => {
    const desk = await sandboxDesk();
    expect((await desk.person(people.bob).asks("/start")).text).toMatch(/Welcome/);
    const alice = await desk.trader();
    expect((await alice.asks("/start")).text).toContain("I can't see your balance right now.");
  });

  it("pins its first message, keeps that one up to date, and works even if Telegram refuses to pin", async () => {
    const desk = await testDesk();
    const person = await desk.trader();
    const called = (method: string) => desk.telegram.calls.filter((call) => call.method === method);
    const home = await person.asks("/start", /Your account/);
    await expect.poll(() => called("pinChatMessage").length).toBe(1);
    expect(called("pinChatMessage")[0]?.parameters).toMatchObject({ message_id: home.messageId });
    await person.asks("/start", /Your account/);
    await person.reads(/Your account/);
    expect(called("pinChatMessage")).toHaveLength(1);
    expect(called("editMessageText").at(-1)?.parameters).toMatchObject({ message_id: home.messageId });
    // The service message about it isn't treated as input.
    const pinned = { message_id: home.messageId, date: 1, chat: { id: person.id, type: "private" }, text: "home" };
    const bot = { id: 7_000_000_001, is_bot: true, first_name: "Swapdesk" };
    desk.telegram.deliver({
      message: { message_id: 990, date: 1, chat: pinned.chat, from: bot, pinned_message: pinned },
    });
    expect((await person.asks("/cancel", /./)).text).toMatch(/Nothing to cancel/);

    const other = await desk.trader();
    desk.telegram.intercept = ({ method }) =>
      method === "pinChatMessage" ? failure(400, "Bad Request: not enough rights to pin a message") : undefined;
    await other.asks("/start", /Your account/);
    await other.asks("/cancel", /Nothing to cancel/);
  });
});

describe("/locks", () => {
  it("shows the account's locked tokens together with those locked through the bot, each once", async () => {
    const { alice } = await tradingDesk({ world: defaultWorld });
    const list = await alice.asks("/locks");
    expect(list.text).toMatch(/25 LKTOK-1A2B\/1\n[^]*locked elsewhere; I don't know until when\n[^]*75 LKTOK-1A2B\/2/);
    expect(labelsOf(list).flat()).toEqual(["🔓 Unlock LKTOK-1A2B/1", "🔓 Unlock LKTOK-1A2B/2"]);
    expect((await alice.asks("/balance")).text).toMatch(/Locked[^]*25 LKTOK-1A2B\/1/);
    await alice.taps(list, "🔓 Unlock LKTOK-1A2B/1");
    const card = await alice.reads(/^Unlock 25 LKTOK-1A2B\/1/);
    // The list names the token that arrives, and how many decimals it has.
    const done = await alice.confirms(card, /✅ Unlock|accepted/);
    expect(done.text).toMatch(/: 25 LPKLVKFI-3I0N/);
    const early = await alice.asks("/unlock LKTOK-1A2B/2", /was locked elsewhere, so I don't know until when/);
    const rejected = await alice.confirms(early, /^❌ [^]*can't be unlocked yet/);
    expect(rejected.text).toMatch(/It was locked elsewhere, so I don't know until when\.\nNothing was unlocked/);
    expect(rejected.text).not.toMatch(/\/locks|base units/);
    expect(labelsOf(rejected).flat()).toContain("🔄 Try again");
    const worth = await alice.asks("/portfolio");
    expect(worth.text).toMatch(/Locked \(not in the total\)\n75 LKTOK-1A2B\/2\n *locked elsewhere/);
    const lock = await alice.asks("/lock 5 KFI 5600");
    await alice.confirms(lock, /✅ Lock|accepted/);
    const after = await alice.asks("/locks");
    expect(after.text).toMatch(/5 KFI · LKTOK-1A2B\/3[^]*75 LKTOK-1A2B\/2/);
    expect(after.text).not.toContain("LKTOK-1A2B/1 ");
    // Both a record and a balance, but listed once.
    expect(after.text.match(/LKTOK-1A2B\/3/g)).toHaveLength(1);
    const choices = await alice.asks("/unlock");
    expect(labelsOf(choices).flat()).toEqual(["5 KFI · LKTOK-1A2B/3", "75 LKTOK-1A2B/2", "✖️ Cancel"]);
  });

  it("says that it shows only locks made through the bot, if the node reports no balances", async () => {
    const { alice } = await tradingDesk();
    const { text } = await alice.asks("/locks");
    expect(text).toMatch(/No locks found[^]*only locks made through me are shown/);
    expect(text).not.toMatch(/haven't locked anything/);
  });

  it("comes in pages for an account with 200 locks, and reads at most 192 balances", async () => {
    const numbers = Array.from({ length: 200 }, (_, at) => at + 1);
    const [first, ...others] = defaultWorld.accounts as readonly NonNullable<typeof defaultWorld.accounts>[number][];
    const balances = Object.fromEntries(numbers.map((nonce) => [`LKTOK-1A2B/${nonce}`, "1000000"]));
    const world = {
      ...defaultWorld,
      accounts: [{ ...first!, balances: { ...first!.balances, ...balances } }, ...others],
      lockedNonces: numbers.map((nonce) => ({
        tokenId: "LKTOK-1A2B",
        nonce: String(nonce),
        originalTokenId: "KFI",
        unlockEpoch: String(5300 + nonce),
      })),
    };
    const { desk, alice } = await tradingDesk({ world });
    const readsSoFar = () => desk.sandbox.wireLog.entries().filter(({ path }) => path.includes("/balance")).length;
    const before = readsSoFar();
    const { text } = await alice.asks("/locks");
    expect(text).toMatch(/Page 1 of 24/);
    expect(text).toContain("numbers up to 192");
    expect(text.length).toBeLessThan(4096);
    expect(readsSoFar() - before).toBeLessThanOrEqual(192);
  });
});
