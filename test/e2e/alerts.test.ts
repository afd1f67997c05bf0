import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../sandbox/telegram/messages.js";
import { systemClock, type Clock } from "../../src/clock.js";
import { ordersDesk, watch, type OrdersDesk } from "../support/orders-desk.js";
import { dataOf, type SandboxPerson, testAlert } from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";

/** Opens the page of order alerts. */
async function openSettings(person: SandboxPerson): Promise<ChatMessage> {
  const page = await person.asks("/settings", /^Settings/);
  await person.taps(page, "Order alerts");
  return person.sees(page, /^Order alerts\n/);
}

/** Taps the button of a kind of alert, and waits until its label says `mode`. */
async function switchTo({ sandbox }: OrdersDesk, person: SandboxPerson, page: ChatMessage, kind: string, mode: string) {
  await person.taps(page, `${kind}: `);
  const labels = () =>
    sandbox.telegram
      .chat(person.id)
      .find(({ messageId }) => messageId === page.messageId)!
      .keyboard!.flat()
      .map(({ text }) => text);
  await until(() => labels().includes(`${kind}: ${mode}`));
}

describe("the page of order alerts in /settings", () => {
  it("switches each kind on, silent and off; changes without an alert are included in the next one", async () => {
    const desk = await ordersDesk();
    const { sandbox, asked, texts, isSilent } = desk;
    const alice = desk.person(1001);
    const { orderId } = sandbox.market.add({ quantity: "100", price: "0.007" });
    await watch(alice, orderId);
    const page = await openSettings(alice);
    const fill = () => sandbox.market.fill(orderId, "10");

    fill();
    expect(isSilent(await alice.reads(/🟡.* · 10 KLV/))).toBe(false);
    await switchTo(desk, alice, page, "Partially filled", "🔕 silent");
    fill();
    expect(isSilent(await alice.reads(/🟡.* · 10 KLV/))).toBe(true);
    await switchTo(desk, alice, page, "Partially filled", "🚫 off");
    fill();
    const before = asked.length;
    await until(() => asked.length > before + 3);
    fill();
    await until(() => asked.length > before + 6);
    // Another kind, which is still on.
    sandbox.market.fill(orderId, "30");
    sandbox.market.cancel(orderId);
    const last = await alice.reads(/✖️ Cancelled, 70% filled/);
    expect(last.text).toContain("50 KLV at about 0.007 USDT");
    expect(isSilent(last)).toBe(false);
    expect(texts(alice, /^(?:🟡|✅|✖️)/)).toHaveLength(3);

    await switchTo(desk, alice, page, "Partially filled", "🔔 on");
    await switchTo(desk, alice, page, "Cancelled", "🔕 silent");
    await switchTo(desk, alice, page, "Cancelled", "🚫 off");
    // The end of an order ends the watch, even if its alert is off.
    const other = sandbox.market.add({ quantity: "100" }).orderId;
    await watch(alice, other);
    sandbox.market.cancel(other);
    await testAlert(alice);
    await until(async () => {
      return /You aren't watching any orders/.test((await alice.asks("/orders", /Your orders/)).text);
    });
    expect(texts(alice, /^✖️/)).toHaveLength(1);
  });

  it("keeps quiet hours in the user's time zone", async () => {
    const { sandbox, person, isSilent } = await ordersDesk();
    const alice = person(1001);
    const page = await openSettings(alice);
    /** Quiet hours around the current hour in a time zone `offset` hours from UTC. */
    const hoursAround = (offset: number) => {
      const hour = (shift: number) => String((new Date().getUTCHours() + 48 + offset + shift) % 24).padStart(2, "0");
      return `${hour(-1)}:00-${hour(2)}:00`;
    };
    const isTestSilent = async () => {
      await alice.taps(page, "🔔 Send a test alert");
      return isSilent(await alice.reads(/Test alert/));
    };
    const setQuiet = async (hours: string) => {
      await alice.taps(await alice.asks("/settings", /Settings/), "🌙 Quiet hours");
      await alice.reads(/When are your quiet hours/);
      await alice.asks(hours, new RegExp(hours.replace("-", "–")));
    };
    const { orderId } = sandbox.market.add({ quantity: "1000" });
    await watch(alice, orderId);
    const isFillSilent = async () => {
      sandbox.market.fill(orderId, "1");
      return isSilent(await alice.reads(/🟡/));
    };

    expect(await isFillSilent()).toBe(false);
    expect(page.text).not.toMatch(/quiet/);
    await alice.taps(await alice.asks("/settings", /Quiet hours: none/), "🌙 Quiet hours");
    await alice.reads(/When are your quiet hours/);
    await alice.asks("at night", /Send two times like/);
    await alice.asks(hoursAround(0), /Quiet hours: [0-9:]+–[0-9:]+ \(UTC\)/);
    expect(await isFillSilent()).toBe(true);
    // A test alert makes its sound even in quiet hours.
    expect(await isTestSilent()).toBe(false);
    await setQuiet(hoursAround(9));
    expect(await isFillSilent()).toBe(false);
    alice.says("/settings");
    await alice.taps(await alice.reads(/Settings/), "Time zone");
    await alice.reads(/zone/i);
    await alice.asks("Asia/Tokyo", /Asia\/Tokyo/);
    expect(await isFillSilent()).toBe(true);
    const shown = await alice.asks("/settings", /Settings/);
    expect(shown.text).toMatch(/\(Asia\/Tokyo\)/);
    await alice.taps(shown, "Turn off quiet hours");
    await alice.sees(shown, /Quiet hours: none/);
    expect(await isFillSilent()).toBe(false);
  });

  it("sends one test alert per request, even if the update is redelivered, and limits their rate", async () => {
    const { sandbox, person, texts } = await ordersDesk();
    const alice = person(1001);
    const page = await alice.asks("/testalert", /Order alerts/);
    const { updateId } = sandbox.telegram.press(alice.id, page.messageId, dataOf(page, "🔔 Send a test alert"));
    await alice.reads(/Test alert/);
    sandbox.telegram.redeliver([updateId]);
    await alice.taps(await openSettings(alice), "🔔 Send a test alert");
    await alice.reads(/Test alert/);
    await alice.asks("/help", /\/orders/);
    expect(texts(alice, /Test alert/)).toHaveLength(2);
    for (let more = 0; more < 8; more += 1) await alice.taps(page, "🔔 Send a test alert");
    await alice.reads(/again in \d+ s/);
  });
});

describe("a user who blocks the bot", () => {
  it("gets nothing until they write again, and then learns once what happened meanwhile", async () => {
    const { sandbox, asked, person, texts } = await ordersDesk();
    const [alice, bob] = [person(1001), person(1002)];
    const { market, telegram } = sandbox;
    const shared = market.add({ quantity: "100", price: "0.007" }).orderId;
    const own = market.add({ quantity: "100", price: "0.007" }).orderId;
    await watch(alice, shared);
    await watch(alice, own);
    await watch(bob, shared);

    telegram.setBlocked(1001, true);
    const refusals = () => telegram.calls().filter(({ status }) => status === 403).length;
    market.fill(shared, "20");
    await bob.reads(/🟡.* · 20 KLV/);
    // Once could be an outage; repeated, it is about her.
    await until(() => refusals() === 2);
    // The other order has no reachable watcher, so the exchange isn't asked about it.
    const askedAbout = (id: string) => asked.filter(({ path }) => path.includes(id)).length;
    let rest = { own: askedAbout(own), shared: askedAbout(shared) };
    await until(() => {
      if (askedAbout(own) !== rest.own) rest = { own: askedAbout(own), shared: askedAbout(shared) };
      return askedAbout(shared) >= rest.shared + 10;
    });
    market.fill(own, "50");
    market.fill(shared, "30");
    await bob.reads(/🟡.* · 30 KLV/);
    market.fill(shared, "50");
    await bob.reads(/✅ Filled · 50 KLV/);
    expect(refusals()).toBe(2);
    expect(texts(alice, /^(?:🟡|✅|✖️)/)).toEqual([]);

    telegram.setBlocked(1001, false);
    alice.says("/help");
    // Both orders are polled again, and either answer can come first.
    await until(() => texts(alice, /^✅ Filled · 100 KLV/).length > 0);
    await until(() => texts(alice, /^🟡.* · 50 KLV/).length > 0);
    market.cancel(own);
    await alice.reads(/✖️ Cancelled, 50% filled/);
    await testAlert(alice);
    expect(texts(alice, /^(?:🟡|✅|✖️)/)).toHaveLength(3);
    expect(refusals()).toBe(2);
  });
});

describe("a reminder that locked tokens can be unlocked", () => {
  /** Sleeps 100 times as fast, as epochs are checked every half minute; but a call has ten real seconds to leave. */
  const clock: Clock = { ...createSwiftClock(10), now: systemClock.now, sleep: createSwiftClock(100).sleep };

  async function lock(person: SandboxPerson, amount: string, epoch: number): Promise<void> {
    const card = await person.asks(`/lock ${amount} KFI ${epoch}`, /^Lock/);
    await person.confirms(card);
  }

  async function begin(): Promise<{ desk: OrdersDesk; alice: SandboxPerson; epoch: number }> {
    const desk = await ordersDesk({}, clock);
    const alice = desk.person(1001);
    await alice.asks(`/wallet ${desk.address("Alice")}`, /klv1/);
    return { desk, alice, epoch: desk.sandbox.chain.epoch() };
  }

  it("comes once, when the epoch has begun, and its button unlocks", async () => {
    const { desk, alice, epoch } = await begin();
    await lock(alice, "5", epoch + 2);
    await lock(alice, "7", epoch + 4);
    desk.sandbox.chain.advanceEpoch(1);
    expect(desk.texts(alice, /can be unlocked now/)).toEqual([]);
    desk.sandbox.chain.advanceEpoch(1);
    const first = await alice.reads(/🔓 5 KFI can be unlocked now/);
    desk.sandbox.chain.advanceEpoch(2);
    await alice.reads(/🔓 7 KFI can be unlocked now/);
    await alice.taps(first, "🔓 Unlock");
    const card = await alice.reads(/Unlock 5 LKTOK/);
    await alice.confirms(card);
    desk.sandbox.chain.advanceEpoch(10);
    await testAlert(alice);
    expect(desk.texts(alice, /can be unlocked now/)).toHaveLength(2);
  });

  it("comes after a restart, and not again after the next", async () => {
    const { desk, alice, epoch } = await begin();
    await lock(alice, "5", epoch + 2);
    await desk.restart({}, () => desk.sandbox.chain.advanceEpoch(2));
    await alice.reads(/🔓 5 KFI can be unlocked now/);
    await desk.restart({}, () => desk.sandbox.chain.advanceEpoch(2));
    // The reminder of a second lock shows that the epoch was checked.
    await lock(alice, "7", epoch + 6);
    desk.sandbox.chain.advanceEpoch(2);
    await alice.reads(/🔓 7 KFI can be unlocked now/);
    expect(desk.texts(alice, /can be unlocked now/)).toHaveLength(2);
  });

  it("comes once Telegram accepts messages again", async () => {
    const { desk, alice, epoch } = await begin();
    await lock(alice, "5", epoch + 2);
    desk.sandbox.telegram.faultNext("sendMessage", "502", 3);
    desk.sandbox.chain.advanceEpoch(2);
    await alice.reads(/🔓 5 KFI can be unlocked now/);
    expect(desk.texts(alice, /can be unlocked now/)).toHaveLength(1);
  });
});
