import { describe, expect, it } from "vitest";
import { asRead } from "../support/as-read.js";
import { ordersDesk } from "../support/orders-desk.js";
import { people, sandboxDesk, type SandboxDesk, speaksPortuguese, tradingDesk } from "../support/sandbox-desk.js";
import { everythingStored } from "../support/stored.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";

type Desk = Pick<SandboxDesk, "sandbox">;

/** What the bot offers when a user types after its name. */
async function offered({ sandbox }: Desk, userId: number, query: string) {
  const { inlineQueryId } = sandbox.telegram.typeInline(userId, query);
  const asked = () => sandbox.telegram.inlineQueries().find(({ id }) => id === inlineQueryId);
  await until(
    () => asked()?.answer !== undefined,
    () => `${query} is not answered`,
  );
  const { results, ...answer } = asked()!.answer!;
  return { inlineQueryId, results, ...answer };
}

const linkIn = (result: { reply_markup?: unknown }) =>
  (result.reply_markup as { inline_keyboard: { url: string }[][] }).inline_keyboard[0]![0]!.url;
const quotations = ({ sandbox }: Desk) =>
  sandbox.wireLog.entries().filter(({ service }) => service === "quotation").length;

describe("a shared price", () => {
  it("is current, cached only for its user, and doesn't reveal who shares it", async () => {
    const { desk } = await tradingDesk();
    const { results, cacheSeconds, isPersonal } = await offered(desk, people.alice, "100 KLV KFI");
    expect({ cacheSeconds, isPersonal }).toEqual({ cacheSeconds: 5, isPersonal: true });
    const [result, ...others] = results;
    expect(others).toEqual([]);
    expect(result?.title).toMatch(/^100 KLV → 0\.98\d* KFI$/);
    const { message_text: text = "", entities = [] } = result!.input_message_content!;
    expect(asRead(text)).toMatch(
      /^100 KLV → KFI\nYou get about: .+ KFI\nTotal cost: 1\.3% \([0-9.]+ KLV\)\n1 KLV = .+ KFI\nPrice at /,
    );
    expect(entities.filter(({ type }) => type === "date_time").map((each) => each.date_time_format)).toEqual([
      "T",
      "r",
    ]);
    expect(JSON.stringify(result)).not.toContain(desk.address("Alice"));
    expect(linkIn(result!)).toBe("https://t.me/swapdesk_sandbox_bot?start=quote_100_KLV_KFI");
  });

  it("links to the price in the bot, and from there to a swap", async () => {
    const desk = await sandboxDesk();
    const { inlineQueryId, results } = await offered(desk, people.alice, "1.5 klv to kfi");
    const [group] = desk.sandbox.telegram.groups();
    desk.sandbox.telegram.chooseInline(people.alice, inlineQueryId, results[0]!.id, group!.id);
    const shared = desk.sandbox.telegram.chat(group!.id).at(-1)!;
    expect(shared).toMatchObject({ from: "person", fromId: people.alice });
    const [, payload] = /\?start=(.+)$/.exec(shared.keyboard![0]![0]!.url!)!;
    expect(payload).toBe("quote_1p5_KLV_KFI");
    const bob = desk.person(people.bob);
    const quote = await bob.asks(`/start ${payload}`);
    expect(asRead(quote.text)).toMatch(/Quote KLV → KFI[^]*You pay: 1\.5 KLV/);
    expect(quote.keyboard![0]![0]!.data).toBe("v1:do:swap 1.5 KLV KFI");
    // The same amount in a language with a decimal comma.
    const carol = desk.person(people.carol);
    await speaksPortuguese(carol);
    expect(asRead((await carol.asks(`/start ${payload}`)).text)).toMatch(/1,5 KLV/);
    expect(desk.callsSent()).toEqual([]);
  });

  it.each(["", "  ", "hello", "100 KLV", "50% KLV KFI", "max KLV KFI", "100 NOPE KFI", "-1 KLV KFI", "100 KLV KLV"])(
    "isn't offered for %j",
    async (query) => {
      const desk = await sandboxDesk();
      const before = quotations(desk);
      const { results, button } = await offered(desk, people.alice, query);
      expect(results).toEqual([]);
      expect(button?.start_parameter).toBe("inline");
      expect(quotations(desk)).toBe(before);
    },
  );

  it("is available while frozen, and during a dialog, which stays open", async () => {
    const desk = await sandboxDesk();
    const alice = desk.person(people.alice);
    await alice.asks("/freeze");
    await alice.asks("/quote");
    expect((await offered(desk, people.alice, "100 KLV KFI")).results).toHaveLength(1);
    const answer = await alice.asks("KLV");
    expect(answer.text).toMatch(/You pay with KLV/);
  });

  it("isn't offered if the quotation service fails, and the button says so", async () => {
    const desk = await sandboxDesk();
    desk.sandbox.faults.set("quotation", "5xx");
    const { results, button } = await offered(desk, people.alice, "100 KLV KFI");
    expect(results).toEqual([]);
    expect(button?.text).toBe("Nothing found");
  });
});

describe("a user without access", () => {
  it("is offered nothing, and causes no quotation", async () => {
    const desk = await sandboxDesk({}, { ALLOWED_USER_IDS: `${people.bob}`, ADMIN_USER_IDS: `${people.bob}` });
    const before = quotations(desk);
    for (const query of ["100 KLV KFI", "KLV"]) {
      const { results, button } = await offered(desk, people.alice, query);
      expect(results).toEqual([]);
      expect(button).toEqual({ text: "Open in Swapdesk", start_parameter: "inline" });
    }
    expect(quotations(desk)).toBe(before);
    expect((await offered(desk, people.bob, "100 KLV KFI")).results).toHaveLength(1);
  });
});

it("a shared order shows its current state, with a link to it", async () => {
  // Telegram accepts no answer after ten seconds, which would be one second with a clock ten times as fast.
  const desk = await ordersDesk({}, createSwiftClock(1));
  const id = desk.sandbox.market.add({ quantity: "100", price: "0.00678" }).orderId;
  desk.sandbox.market.fill(id, "40", "0.0067");
  const { results } = await offered(desk, people.alice, id);
  expect(asRead(results[0]!.input_message_content!.message_text!)).toMatch(
    /^Buy KLV-USDT[^]*Filled: 40 of 100 KLV \(40%\)/,
  );
  expect(linkIn(results[0]!)).toBe(`https://t.me/swapdesk_sandbox_bot?start=order_${id}`);
  expect((await offered(desk, people.alice, id.replace(/^./, "0").replace(/.$/, "0"))).results).toEqual([]);
});

it("a hundred inline queries by one user cause at most ten quotations, and a command is still answered", async () => {
  const desk = await sandboxDesk();
  await offered(desk, people.bob, "1 KLV KFI");
  const before = quotations(desk);
  const ids = Array.from(
    { length: 100 },
    (_, index) => desk.sandbox.telegram.typeInline(people.alice, `${index + 1} KLV KFI`).inlineQueryId,
  );
  const alice = desk.person(people.alice);
  expect((await alice.asks("/help")).text).toContain("/swap");
  const of = (id: string) => desk.sandbox.telegram.inlineQueries().find((each) => each.id === id);
  // The last query is answered, even if earlier ones weren't.
  await until(() => of(ids.at(-1)!)?.answer !== undefined);
  expect(ids.filter((id) => of(id)?.answer !== undefined).length).toBeLessThan(20);
  expect(quotations(desk) - before).toBeLessThanOrEqual(10);
});

it("an inline query isn't answered again after a restart", async () => {
  const desk = await sandboxDesk();
  await offered(desk, people.alice, "777 KLV KFI");
  expect(await everythingStored(desk.place)).not.toContain("777 KLV KFI");
  const stored = desk.sandbox.telegram.calls().filter(({ method }) => method === "answerInlineQuery");
  expect(stored).toHaveLength(1);
  await desk.restart();
  await desk.person(people.alice).asks("/help");
  expect(desk.sandbox.telegram.calls().filter(({ method }) => method === "answerInlineQuery")).toHaveLength(1);
});

describe("an invalid link", () => {
  it.each([
    "x",
    "swap_100_KLV_KFI",
    "order_",
    "quote_x",
    "a_b-".repeat(16),
    "quote_1_KLV_KFI_KFI_<b>",
    "alert_KFI_KLV_9",
  ])("/start %s gets an explanation that doesn't repeat it", async (payload) => {
    const desk = await sandboxDesk();
    const answer = await desk.person(people.alice).asks(`/start ${payload}`);
    expect(answer.text).not.toContain(payload);
    expect(answer.text).toMatch(/can't read this link/);
  });
});
