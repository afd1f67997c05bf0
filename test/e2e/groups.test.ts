import { expect, it } from "vitest";
import { people, sandboxDesk } from "../support/sandbox-desk.js";
import { until } from "../support/until.js";

const group = -4001;
const order = "00000000-0000-4000-8000-000000000001";

/** A group in which Alice types commands, once clients know the bot's commands. */
async function groupDesk(environment: Readonly<Record<string, string>> = {}) {
  const desk = await sandboxDesk({}, environment);
  const { telegram } = desk.sandbox;
  // Until then Telegram treats a command as an ordinary message.
  await until(() => {
    telegram.sendText(people.alice, "/help", { chatId: group });
    return telegram.chat(group).at(-1)?.onlyFor === people.alice;
  });
  await desk.person(people.alice).asks("/help");
  const early = telegram.chat(group).length;
  const said = () => telegram.chat(group).slice(early);
  const asks = async (text: string) => {
    const before = said().length;
    telegram.sendText(people.alice, text, { chatId: group });
    await until(() => said().length === before + 2);
    return said().at(-1)!;
  };
  return { desk, said, asks };
}

it("shows a price or an order in a group only to the user who asked, with a link to the private chat", async () => {
  const { desk, said, asks } = await groupDesk();
  const quote = await asks("/quote 100 KLV KFI");
  expect(quote.text).toMatch(/0\.98\d+ KFI/);
  const privately = (payload: string) => [
    [{ text: "Open the private chat", url: `https://t.me/swapdesk_sandbox_bot${payload}` }],
  ];
  expect(quote.keyboard).toEqual(privately("?start=quote_100_KLV_KFI"));
  // The link shows the same there.
  await desk.person(people.alice).asks("/start quote_100_KLV_KFI", /Quote KLV → KFI/);
  desk.sandbox.market.add({ orderId: order, quantity: "10" });
  const seen = await asks(`/order ${order}`);
  expect(seen.text).toMatch(/Status: open/);
  expect(seen.keyboard).toEqual(privately(`?start=order_${order}`));
  const usage = await asks("/quote");
  expect([usage.text, usage.keyboard]).toEqual([expect.stringMatching(/\/quote/), privately("")]);
  expect((await asks("/order nonsense")).text).not.toMatch(/Status/);
  expect(said().every(({ onlyFor }) => onlyFor === people.alice)).toBe(true);
});

it("parses a number in a group according to the user's language", async () => {
  const { desk, asks } = await groupDesk();
  const alice = desk.person(people.alice);
  alice.says("/settings");
  const settings = await alice.reads(/Quick amounts/);
  await alice.taps(settings, "Language");
  await alice.sees(settings, /^Language/);
  await alice.taps(settings, "Português");
  expect((await asks("/quote 1.000,5 KLV KFI")).text).toMatch(/1\.000,5 KLV/);
});

it("refuses commands for private chats in a group, visibly only to the sender", async () => {
  const { desk, said, asks } = await groupDesk();
  for (const line of [
    "/swap 100 KLV KFI",
    "/limit 100 KLV KFI for 2",
    "/dca 100 KLV KFI",
    "/orders",
    "/portfolio",
    "/history",
    "/freeze",
  ]) {
    expect((await asks(line)).text).toMatch(/private chat/);
  }
  expect(said().every(({ onlyFor }) => onlyFor === people.alice)).toBe(true);
  expect(desk.callsSent()).toEqual([]);
});

it("shows no price to a user without access", async () => {
  const { desk, asks } = await groupDesk({ ALLOWED_USER_IDS: String(people.bob) });
  expect((await asks("/quote 100 KLV KFI")).text).toMatch(/private chat/);
  await desk.person(people.alice).asks("/quote 100 KLV KFI");
  expect(JSON.stringify(desk.sandbox.telegram.calls())).not.toMatch(/0\.98/);
});

it("refuses once, and shows no price, on a server without ephemeral commands", async () => {
  const { desk } = await groupDesk();
  desk.sandbox.telegram.setLacking(["ephemeral"]);
  const all = () => desk.sandbox.telegram.chat(group).filter(({ text, onlyFor }) => !onlyFor && !text.startsWith("/"));
  for (const _ of [1, 2]) desk.sandbox.telegram.sendText(people.alice, "/quote 100 KLV KFI", { chatId: group });
  // All messages in the group have been handled by then.
  await desk.person(people.alice).asks("/help");
  await until(() => all().length > 0);
  const answers = all();
  expect(answers.map(({ text }) => text)).toEqual([expect.stringMatching(/private chat/)]);
});
