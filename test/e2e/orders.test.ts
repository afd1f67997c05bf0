import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/clock.js";
import { asRead } from "../support/as-read.js";
import { startHttpStub } from "../support/http-stub.js";
import { ordersDesk, watch, type OrdersDesk } from "../support/orders-desk.js";
import { labelsOf, type SandboxPerson, speaksPortuguese, testAlert } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

/** Returns the alerts about an order, once all that were due have arrived. */
async function alertsOf(desk: OrdersDesk, person: SandboxPerson, orderId: string): Promise<readonly string[]> {
  await testAlert(person);
  return desk.texts(person, new RegExp(`^(?:🟡|✅|✖️)[^]*${orderId}`)).map(asRead);
}

describe("users who watch orders", () => {
  it("are notified of each change once, with the newly filled quantity, the average price and the fee", async () => {
    const desk = await ordersDesk();
    const { market } = desk.sandbox;
    const filled = market.add({ quantity: "100", price: "0.00678" }).orderId;
    const canceled = market.add({ quantity: "250", price: "0.007", side: "SELL" }).orderId;
    const [alice, bob] = [desk.person(1001), desk.person(1002)];
    for (const person of [alice, bob]) for (const id of [filled, canceled]) await watch(person, id);

    market.fill(filled, "40", "0.0067");
    for (const person of [alice, bob]) await person.reads(/^🟡 40%/);
    market.cancel(canceled);
    for (const person of [alice, bob]) await person.reads(/^✖️/);
    market.fill(filled, "60", "0.0068");
    for (const person of [alice, bob]) await person.reads(/^✅ Filled/);

    for (const person of [alice, bob]) {
      expect(await alertsOf(desk, person, filled)).toEqual([
        [
          "🟡 40% · 40 KLV at 0.0067 USDT",
          "Buy KLV-USDT · open → partially filled",
          "Filled: 40 of 100 KLV (40%)",
          "Price: 0.00678 USDT",
          "Average price: 0.0067 USDT",
          "Fee: 0.04 KLV",
          filled,
        ].join("\n"),
        [
          "✅ Filled · 60 KLV at about 0.0068 USDT",
          "Buy KLV-USDT · partially filled → filled",
          "Filled: 100 of 100 KLV (100%)",
          "Price: 0.00678 USDT",
          "Average price: 0.00676 USDT",
          "Fee: 0.1 KLV",
          filled,
        ].join("\n"),
      ]);
      expect(await alertsOf(desk, person, canceled)).toEqual([
        [
          "✖️ Cancelled, nothing was filled",
          "Sell KLV-USDT · open → cancelled",
          "Filled: 0 of 250 KLV (0%)",
          "Price: 0.007 USDT",
          canceled,
        ].join("\n"),
      ]);
      await person.asks("/orders", /You aren't watching any orders/);
    }
  });

  it("are told a fill once while two machines of the exchange disagree, and see the newer state", async () => {
    const id = "00000000-0000-4000-8000-000000000001";
    const answers = [{ status: "OPEN", filled: "0" }];
    let asked = 0;
    const exchange = await startHttpStub(() => {
      const fields = {
        orderId: id,
        symbol: "KLV-USDT",
        side: "BUY",
        price: "0.007",
        quantity: "100",
        averagePrice: "0",
      };
      asked += 1;
      const data = { ...fields, updatedAt: 1_700_000_000_123, ...answers[asked % answers.length] };
      return { body: { success: true, data } };
    });
    onTestFinished(() => exchange.close());
    const desk = await ordersDesk({ ORDER_URL: exchange.url });
    const alice = desk.person(1001);
    await watch(alice, id);
    answers.splice(0, 1, { status: "PARTIALLY", filled: "40" }, { status: "PARTIALLY", filled: "70" });
    await alice.reads(/^🟡 70%/);
    const before = asked;
    await until(() => asked >= before + 12);
    for (const _ of ["one machine", "the other"]) {
      const card = await alice.asks(`/order ${id}`, /^Buy KLV-USDT[^]*Filled: 70 of 100 KLV \(70%\)/);
      expect(card.text).toMatch(/Updated 2023-11-14 22:13 UTC/);
      expect(card.text).not.toMatch(/Average|at 0/);
    }
    const told = await alertsOf(desk, alice, id);
    expect(told.map((text) => text.split("\n")[0]).filter((text) => !text!.startsWith("🟡 40%"))).toEqual([
      expect.stringMatching(/^🟡 70% · (?:30|70) KLV$/),
    ]);
    expect(told.length).toBeLessThanOrEqual(2);
  });

  it("are notified in their own language, with the part of the fee that is paid in the native token", async () => {
    const desk = await ordersDesk();
    const { market } = desk.sandbox;
    const { orderId } = market.add({ quantity: "250", price: "0.007", side: "SELL" });
    const [alice, carol] = [desk.person(1001), desk.person(1003)];
    await speaksPortuguese(carol);
    for (const person of [alice, carol]) await watch(person, orderId);
    market.fill(orderId, "50");
    for (const person of [alice, carol]) await person.reads(/🟡/);
    market.cancel(orderId);
    expect((await alice.reads(/✖️/)).text).toBe(
      [
        "✖️ Cancelled, 20% filled",
        "Sell KLV-USDT · partially filled → cancelled",
        "Filled: 50 of 250 KLV (20%)",
        "Price: 0.007 USDT",
        "Average price: 0.007 USDT",
        "Fee: 0.00035 USDT + 0.005 KLV",
        orderId,
      ].join("\n"),
    );
    const { text } = await carol.reads(/✖️/);
    expect(text).toMatch(/^✖️ Cancelada, 20% executada/);
    expect(text).toContain("0,00035 USDT + 0,005 KLV");
    expect(await alertsOf(desk, carol, orderId)).toHaveLength(2);
  });

  it("cause no more requests to the exchange than a single user", async () => {
    const spacing = { ORDER_POLL_MIN_SECONDS: "0.2", ORDER_POLL_MAX_SECONDS: "0.2" };
    const desk = await ordersDesk(spacing, systemClock);
    const { orderId } = desk.sandbox.market.add({});
    for (const id of [1001, 1002, 1003]) await watch(desk.person(id), orderId);
    const before = desk.asked.length;
    await until(() => desk.asked.length > before + 10);
    const polls = desk.asked.slice(before);
    const gaps = polls.slice(1).map(({ at }, index) => at - polls[index]!.at);
    // By the clock, timers may be a few milliseconds early, and arbitrarily late.
    for (const gap of gaps) expect(gap).toBeGreaterThan(180);
  });
});

const mine = "5b1f0a52-0d0e-4c39-9a3c-2f6f1f0e7a11";

describe("an order is opened", () => {
  it("by command, in a dialog, by its pasted id and by a link", async () => {
    const desk = await ordersDesk();
    desk.sandbox.market.add({ orderId: mine, quantity: "12.5", price: "0.00700", side: "SELL" });
    desk.sandbox.market.fill(mine, "2.5", "0.0071");
    const alice = desk.person(1001);
    for (const text of [
      `/order ${mine}`,
      mine,
      `  ${mine.toUpperCase()} `,
      `/start order_${mine}`,
      `/start order_${mine.toUpperCase()}`,
    ]) {
      const card = await alice.asks(text, /Status/);
      expect(card.text).toContain("Sell KLV-USDT · limit · maker");
      expect(card.text).toContain(mine);
      expect(card.text).toContain("Status: partially filled\n▰▰▱▱▱▱▱▱▱▱\nFilled: 2.5 of 12.5 KLV (20%)");
      expect(card.text).toContain("Average price: 0.0071 USDT");
      expect(card.text).toContain("Fee: 0.00001775 USDT + 0.00025 KLV");
      expect(labelsOf(card)).toEqual(["🔄 Refresh", "🔔 Watch", "📈 Fills", "🔗 Copy link"]);
    }
    await alice.asks("/order", /Which order/);
    await alice.asks("the last one", /isn't an order ID/);
    // Text that can't be an answer means what it always means, and the question stays open.
    await alice.asks(
      "klv1usdnywjhrlv4tcyu6stxpl6yvhplg35nepljlt4y5r7yppe8er4qujlazy",
      /Use this as your wallet address/,
    );
    const card = await alice.asks(mine, /Status/);
    // The buttons of a card from a dialog work too.
    expect(await alice.taps(card, "🔔")).toMatch(/Watching/);
    await alice.sees(card, /You're watching this order/);
    desk.sandbox.market.cancel(mine);
    await alice.reads(/Cancelled, 20% filled/);
  });

  it("with its time as a date entity, and updated at each refresh", async () => {
    const desk = await ordersDesk();
    desk.sandbox.market.add({ orderId: mine, quantity: "10" });
    const alice = desk.person(1001);
    const card = await alice.asks(mine, /Status: open/);
    const { createdAt } = desk.sandbox.market.order(mine)!;
    expect(card.entities).toContainEqual(
      expect.objectContaining({ type: "date_time", unix_time: createdAt, date_time_format: "Dt" }),
    );
    expect(card.text).toContain(
      `Placed ${new Date(createdAt * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC\nUpdated`,
    );
    desk.sandbox.market.fill(mine, "10");
    await alice.taps(card, "🔄");
    const refreshed = await alice.sees(card, /Status: filled[^]*10 of 10 KLV \(100%\)/);
    // A final order can't be watched.
    expect(labelsOf(refreshed)).toEqual(["🔄 Refresh", "📈 Fills", "🔗 Copy link"]);
  });

  it("never with an invalid id, which is refused without a request", async () => {
    const desk = await ordersDesk();
    const alice = desk.person(1001);
    const bad = [
      "nonsense",
      mine.slice(0, -1),
      `${mine}a`,
      `${mine.slice(0, -1)}g`,
      mine.replaceAll("-", ""),
      "../../../admin",
      `${mine}/..`,
      `${mine}?x=1`,
      `${mine} ${mine}`,
      "1".repeat(450),
    ];
    for (const id of bad) {
      expect((await alice.asks(`/order ${id}`, /isn't an order ID/)).text.length).toBeLessThan(250);
    }
    await alice.asks(`/start order_${"-".repeat(36)}`, /can't read this link/);
    await alice.asks("/start order_5b1f0a52", /./);
    expect(desk.asked).toEqual([]);
  });
});

describe("an error of the exchange", () => {
  it("is explained with what to do, and the next try works", async () => {
    const desk = await ordersDesk({ HTTP_TIMEOUT_SECONDS: "3" }, systemClock);
    desk.sandbox.market.add({ orderId: mine });
    const alice = desk.person(1001);
    await alice.asks(mine.replace("5b1f", "2000"), /20000a52.* not found.*Check the ID/);
    const troubles = [
      ["garbage", /couldn't read a service's response/],
      ["hang", /exchange did not respond in time.*Try again/],
      ["drop-before", /can't reach the exchange right now.*Try again/],
      ["5xx", /exchange returned an error \(503\).*Try again/],
      ["429", /Too many requests to the exchange. Try again in 1 s/],
    ] as const;
    for (const [fault, words] of troubles) {
      desk.sandbox.faults.next("exchange", fault, 1);
      await alice.asks(mine, words);
    }
    // No requests during the pause that the exchange asked for, if the machine is fast enough to ask during it.
    for (let isTold = false; !isTold; ) {
      const [before, now] = [desk.asked.length, performance.now()];
      const answer = await alice.asks(mine, /Too many requests to the exchange|Status: open/);
      isTold = performance.now() < now + 1000;
      if (isTold) {
        expect(answer.text).toMatch(/Too many requests.*in [1-9]\d* s/);
        expect(desk.asked).toHaveLength(before);
      } else {
        desk.sandbox.faults.next("exchange", "429", 1);
        await until(async () => /Too many/.test((await alice.asks(mine, /./)).text));
      }
    }
    // After the pause.
    await until(async () => /Status: open/.test((await alice.asks(mine, /./)).text));
    // On a tap, the card doesn't change, and the answer to the tap says why.
    const card = desk.sandbox.telegram.chat(alice.id).at(-1)!;
    desk.sandbox.faults.next("exchange", "5xx", 1);
    expect(await alice.taps(card, "🔄")).toMatch(/exchange returned an error \(503\)/);
    expect(desk.sandbox.telegram.chat(alice.id).at(-1)).toEqual(card);
  });

  it("about a rejected API key refers to the operator, and doesn't show the key", async () => {
    const desk = await ordersDesk({ ORDER_API_KEY: "another-key" });
    desk.sandbox.market.add({ orderId: mine });
    const alice = desk.person(1001);
    expect(
      (await alice.asks(`/order ${mine}`, /rejected this bot's credentials. Contact the operator/)).text,
    ).not.toContain("another-key");
  });
});

describe("/orders", () => {
  it("lists the current state of watched orders in pages, with buttons to mute, open and unwatch", async () => {
    const desk = await ordersDesk();
    const { market } = desk.sandbox;
    const alice = desk.person(1001);
    const ids = Array.from({ length: 7 }, (_, index) => market.add({ quantity: `${100 + index}` }).orderId);
    for (const id of ids) await watch(alice, id);
    const list = await alice.asks("/orders", /Your orders/);
    for (const id of ids.slice(0, 5)) expect(list.text).toContain(id);
    expect(list.text).not.toContain(ids[5]);
    expect(list.text).toContain("Page 1 of 2");
    expect(labelsOf(list).filter((label) => label.endsWith("Open"))).toHaveLength(5);
    expect(labelsOf(list).slice(-2)).toEqual(["🔄 Refresh", "2 ›"]);

    // A fill shows at the next refresh, and a filled order is no longer listed.
    market.fill(ids[0]!, "50");
    await alice.reads(/🟡/);
    await alice.taps(list, "🔄");
    await alice.sees(
      list,
      new RegExp(`1\\. Buy KLV-USDT[^\n]*\n▰▰▰▰▰▱▱▱▱▱ 50% · partially filled\nAs of [^\n]*\n${ids[0]!}`),
    );
    market.fill(ids[0]!, "50");
    await alice.reads(/✅/);
    await alice.taps(list, "2 ›");
    const second = await alice.sees(list, /Page 2 of 2/);
    expect(second.text).toContain(`6. Buy KLV-USDT · limit · maker\n▱▱▱▱▱▱▱▱▱▱ 0% · open\nAs of `);
    expect(second.text).toContain(ids[6]!);
    expect(second.text).not.toContain(ids[5]);

    await alice.taps(second, "🔇 Mute");
    await alice.sees(list, /6\. Buy KLV-USDT · limit · maker 🔇/);
    market.fill(ids[6]!, "1");
    const muted = await alice.reads(/🟡/);
    expect(desk.isSilent(muted)).toBe(true);
    await alice.taps(second, "🔊 Unmute");
    await alice.sees(list, /6\. Buy KLV-USDT · limit · maker\n/);
    market.fill(ids[6]!, "1");
    expect(desk.isSilent(await alice.reads(/🟡/))).toBe(false);

    await alice.taps(second, "6 · Open");
    expect((await alice.reads(/Status/)).text).toContain(ids[6]);
    await alice.taps(second, "🔕 Unwatch");
    const only = await alice.sees(list, /Your orders(?![^]*Page)/);
    expect(only.text).not.toContain(ids[6]);
    for (const id of ids.slice(1, 6)) expect(only.text).toContain(id);
    market.cancel(ids[6]!);
    market.cancel(ids[5]!);
    await alice.reads(new RegExp(`cancelled[^]*${ids[5]!}`));
    expect(await alertsOf(desk, alice, ids[6]!)).toHaveLength(2);
  });
});
