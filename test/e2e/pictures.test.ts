import { describe, expect, it } from "vitest";
import { grains, MAX_PAIRS } from "../../src/services/market/price-history.js";
import { asRead } from "../support/as-read.js";
import {
  dataOf,
  defaultWorld,
  people,
  sandboxDesk,
  type SandboxDesk,
  speaksPortuguese,
  tradingDesk,
} from "../support/sandbox-desk.js";
import { inTablesOf } from "../support/stored.js";
import { ordersDesk, watch } from "../support/orders-desk.js";

const photoOf = (desk: Pick<SandboxDesk, "sandbox">, fileId = "") => desk.sandbox.telegram.file(fileId)!;
const methodsOf = (desk: Pick<SandboxDesk, "sandbox">) => desk.sandbox.telegram.calls().map(({ method }) => method);

describe("a pair's chart", () => {
  it("is sent on /chart with its figures as text, and updated in place", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const shown = await alice.asks("/chart KFI KLV");
    expect(shown.photo).toMatchObject({ width: 800, height: 500 });
    expect(photoOf(desk, shown.photo?.fileId).size).toBeLessThan(60_000);
    expect(asRead(shown.text)).toMatch(/^KFI\/KLV · 6 hours\nNow: 1 KFI = [0-9.,]+ KLV\n/);
    expect(shown.text.length).toBeLessThanOrEqual(1024);
    expect(shown.text).toMatch(/Highest: .+\nLowest: .+\nPrices seen by this bot/);

    await alice.taps(shown, "1 year");
    const edited = await alice.sees(shown, /KFI\/KLV · 1 year/);
    expect(edited.photo?.fileId).not.toBe(shown.photo?.fileId);
    expect(methodsOf(desk).filter((method) => method === "sendPhoto")).toHaveLength(1);
    expect(methodsOf(desk)).toContain("editMessageMedia");
  });

  it("ends at the price of the pair's own pool, even if another route is better", async () => {
    const desk = await sandboxDesk({ world: defaultWorld });
    const shown = await desk.person(people.alice).asks("/chart KFI DVK-34ZH");
    // Via KLV it would be 1,005.
    expect(asRead(shown.text)).toContain("Now: 1 KFI = 999.6");
  });

  it("is sent as a new message from a button of a quote or a token's card", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const quote = await alice.asks("/quote 100 KLV KFI");
    await alice.taps(quote, "📈");
    const chart = await alice.reads(/^KLV\/KFI/);
    expect(chart.photo).toBeDefined();
    expect(chart.messageId).not.toBe(quote.messageId);
    const token = await alice.asks("KFI");
    await alice.taps(token, "📈");
    expect((await alice.reads(/^KFI\/KLV/)).photo).toBeDefined();
  });

  it("uses the user's language and theme", async () => {
    const desk = await sandboxDesk();
    const carol = desk.person(people.carol);
    await speaksPortuguese(carol);
    const dark = await carol.asks("/chart KFI KLV");
    expect(dark.text).toMatch(/^KFI\/KLV · 6 horas\nAgora: /);
    const settings = await carol.asks("/settings");
    await carol.taps(settings, "☀️ Gráficos claros");
    await carol.sees(settings, /Gráficos: claros/);
    const light = await carol.asks("/chart KFI KLV");
    const bytes = (fileId = "") => photoOf(desk, fileId).bytes();
    expect(await bytes(light.photo?.fileId)).not.toEqual(await bytes(dark.photo?.fileId));
  });

  it("of anything but one or two tokens leads to an example", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    for (const typed of ["/chart", "/chart 100 KFI", "/chart 100 KFI KLV", "/chart KFI KLV DVK-34ZH"]) {
      const answer = await alice.asks(typed);
      expect([typed, answer.text]).toEqual([typed, "Send two tokens, for example /chart KFI KLV."]);
    }
  });

  it("of a single token is drawn against KLV", async () => {
    const desk = await sandboxDesk();
    const shown = await desk.person(people.alice).asks("/chart KFI");
    expect(shown.photo).toMatchObject({ width: 800, height: 500 });
    expect(asRead(shown.text)).toMatch(/^KFI\/KLV · 6 hours\nNow: 1 KFI = [0-9.,]+ KLV\n/);
  });

  it("of an unknown token is refused in words that name it", async () => {
    const desk = await sandboxDesk();
    const answer = await desk.person(people.alice).asks("/chart NOPE KLV");
    expect(answer.photo).toBeUndefined();
    expect(answer.text).toContain("NOPE");
  });

  it("shows only the current price if earlier ones can't be read", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks("/chart KFI KLV");
    const slot = desk.sandbox.time.clock.now() - grains.minute.milliseconds;
    const pair = { first: "KFI", second: "KLV", grain: "minute", slot } as const;
    await inTablesOf(desk.place, (tx) =>
      tx
        .insertInto("prices")
        .values({ ...pair, units_first: "damaged", units_second: "1" })
        .execute(),
    );
    const shown = await alice.asks("/chart KFI KLV");
    expect(shown.photo).toBeDefined();
    expect(asRead(shown.text)).toMatch(/\nNow: 1 KFI = [0-9.,]+ KLV\nHighest/);
  });

  it("is refused if a user asks too often", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const began = Date.now();
    for (let times = 0; times < 30; times += 1) alice.says("/chart KFI KLV");
    const refused = await alice.reads(/Too many requests/);
    expect(refused.photo).toBeUndefined();
    // One more is allowed every two seconds, and a slow machine takes that long for a few of them.
    const drawn = methodsOf(desk).filter((method) => method === "sendPhoto").length;
    expect(drawn).toBeLessThanOrEqual(21 + Math.floor((Date.now() - began) / 2000));
  });

  it("leads to a new message if the old one can't be edited", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    const shown = await alice.asks("/chart KFI KLV");
    desk.sandbox.telegram.faultNext("editMessageMedia", "400");
    await alice.taps(shown, "1 year");
    expect((await alice.reads(/./)).photo).toBeDefined();
  });
});

describe("an order's fills", () => {
  it("are drawn with the times when the bot saw them", async () => {
    const desk = await ordersDesk();
    const { market } = desk.sandbox;
    const id = market.add({ quantity: "100", price: "0.00678" }).orderId;
    const alice = desk.person(1001);
    await watch(alice, id);
    market.fill(id, "40", "0.0067");
    await alice.reads(/^🟡 40%/);
    market.fill(id, "20", "0.0067");
    await alice.reads(/^🟡 60%/);
    const order = await alice.asks(`/order ${id}`);
    await alice.taps(order, "📈");
    const chart = await alice.reads(/Filled: 60%/);
    expect(chart.photo).toBeDefined();
    expect(asRead(chart.text)).toMatch(/40% on .+\n60% on /);
    market.fill(id, "40", "0.0067");
    await alice.reads(/^✅/);
    await alice.taps(chart, "🔄");
    expect((await alice.sees(chart, /Filled: 100%/)).photo?.fileId).not.toBe(chart.photo?.fileId);
  });
});

describe("a completed trade", () => {
  it("can be shared by its owner as a picture that doesn't reveal whose it was", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const swap = await alice.asks("/swap 100 KLV KFI");
    await alice.taps(swap, "✅");
    const done = await alice.sees(swap, /Swap completed/);
    await alice.taps(done, "🖼");
    const shared = await alice.reads(/^Swapped: 100 KLV → /);
    expect(shared.photo).toBeDefined();
    expect(shared.keyboard).toBeUndefined();
    expect(shared.text).not.toContain(desk.address("Alice"));

    const bob = desk.person(people.bob);
    await bob.asks("/start");
    const own = await bob.asks("/settings");
    desk.sandbox.telegram.press(people.bob, own.messageId, dataOf(done, "🖼"));
    expect((await bob.reads(/no longer active/)).photo).toBeUndefined();
    desk.sandbox.telegram.press(people.bob, own.messageId, dataOf(done, "🖼").replace(":sh:", ":ps:hidden."));
    expect((await bob.reads(/no longer active/)).photo).toBeUndefined();
  });
});

describe("a position", () => {
  it("is drawn from a token's card, the portfolio and a sale, without amounts unless they are asked for", async () => {
    const { desk, alice } = await tradingDesk({ world: defaultWorld });
    const pressed = (data: string, messageId: number) => desk.sandbox.telegram.press(people.alice, messageId, data);
    const before = await alice.asks("KFI");
    pressed("v1:pp:hidden.KFI/KLV", before.messageId);
    expect((await alice.reads(/I don't know what your KFI cost/)).photo).toBeUndefined();

    const bought = await alice.asks("/swap 100 KLV KFI");
    await alice.taps(bought, "✅");
    await alice.sees(bought, /Swap completed/);
    // So that a price of after the purchase is known.
    await alice.asks("/chart KFI KLV");
    await alice.taps(await alice.asks("KFI"), "🖼 Position");
    const held = await alice.reads(/^KFI\/KLV · under a day\nEntry: 1 KFI = /);
    expect(held.photo).toBeDefined();
    expect(asRead(held.text)).toMatch(/\nNow: 1 KFI = [0-9.]+ KLV\nGain: −[0-9.]+%\n/);
    await alice.taps(held, "🔢 With amounts");
    const shown = await alice.sees(held, /^KFI\/KLV · under a day · [0-9.]+ KFI\n/);
    expect(asRead(shown.text)).toMatch(/\nGain: −[0-9.]+% \(−[0-9.]+ KLV\)\n/);
    expect(shown.photo?.fileId).not.toBe(held.photo?.fileId);
    await alice.taps(await alice.asks("/portfolio"), "🖼 KFI");
    expect((await alice.reads(/^KFI\/KLV · under a day\n/)).photo).toBeDefined();

    const sale = await alice.asks("/swap 0.5 KFI KLV");
    await alice.taps(sale, "✅");
    const done = await alice.sees(sale, /Swap completed/);
    await alice.taps(done, "🖼 Position");
    const sold = await alice.reads(/\nSold: 1 KFI = /);
    expect(asRead(sold.text)).toMatch(/^KFI\/KLV · under a day\nEntry: 1 KFI = .+\nSold: .+\nGain: −[0-9.]+%\n/);
  });
});

it("the price history is limited to fewer than 250,000 rows", () => {
  const rows = Object.values(grains).reduce((sum, { kept }) => sum + kept, 60);
  expect(MAX_PAIRS * rows).toBeLessThan(250_000);
});
