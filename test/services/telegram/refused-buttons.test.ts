import { Api } from "grammy";
import { describe, expect, it, onTestFinished } from "vitest";
import { refusedLinks } from "../../../src/refused-links.js";
import type { Keyboard } from "../../../src/cards/card.js";
import { sendCardTo } from "../../../src/bot/send.js";
import { deliveryFailureOf } from "../../../src/services/telegram/telegram-errors.js";
import { createTelegramClient } from "../../../src/services/telegram/telegram-client.js";
import { startTelegram, token } from "../../sandbox/telegram/harness.js";
import { telegramError } from "../alerts/orders-world.js";
import { silent } from "../samples.js";

const ALICE = 1001;

async function arrange(explorer: string) {
  const { telegram, url, close } = await startTelegram();
  onTestFinished(close);
  telegram.sendText(ALICE, "/start");
  const links = { "rejected-explorer-url": explorer, "rejected-public-url": "https://bot.example" };
  const client = createTelegramClient({ apiRoot: url, timeoutSeconds: 5, links, log: silent });
  onTestFinished(client.close);
  const api = new Api(token, client.options);
  api.config.use(...client.olderServer);
  const told = () => client.refusedButtons.flatMap(({ incident, isMismatch }) => (isMismatch() ? [incident] : []));
  const send = (...keyboard: Keyboard) => sendCardTo(api, ALICE, { text: "Swap completed", entities: [], keyboard });
  const seen = () => telegram.chat(ALICE).filter(({ from }) => from === "bot");
  return { told, send, seen };
}

const check: Keyboard[number][number] = { text: "Check", callback_data: "check" };
const linkTo = (base: string) => ({ text: "Explorer", url: `${base}/transaction/ab` });

describe("a message with a button that Telegram refuses", () => {
  it("is sent once more without its links, and the variable is named", async () => {
    const { told, send, seen } = await arrange("http://explorer:3000");
    await send([check], [linkTo("http://explorer:3000")]);
    expect(seen()).toMatchObject([{ text: "Swap completed", keyboard: [[{ text: "Check" }]] }]);
    expect(told()).toEqual(["rejected-explorer-url"]);
  });

  it("is sent without any button if it isn't for a link", async () => {
    const { told, send, seen } = await arrange("https://explorer.example");
    await send([{ text: "Long", callback_data: "x".repeat(65) }], [linkTo("https://explorer.example")]);
    expect(seen()).toMatchObject([{ text: "Swap completed" }]);
    expect(seen()[0]?.keyboard ?? []).toEqual([]);
    expect(told()).toEqual(["rejected-buttons"]);
  });

  it("keeps every button, and tells nobody, if Telegram takes it", async () => {
    const { told, send, seen } = await arrange("http://[::1]:3000");
    await send([check], [linkTo("http://[::1]:3000")]);
    expect(seen()[0]?.keyboard).toHaveLength(2);
    expect(told()).toEqual([]);
  });

  it.each([
    "Bad Request: inline keyboard button URL 'http://explorer:3000/' is invalid: Wrong HTTP URL",
    "Bad Request: BUTTON_URL_INVALID",
    "Bad Request: BUTTON_DATA_INVALID",
    "Bad Request: REPLY_MARKUP_INVALID",
    'Bad Request: can\'t parse inline keyboard button: Field "text" must be of type String',
  ])("isn't taken for told by %j", (description) => {
    expect(deliveryFailureOf(telegramError(400, description))).toBe("unclear");
  });
});

it.each([
  ["http://explorer:3000", "http://bot", "https://help/desk", ["EXPLORER_URL", "PUBLIC_URL", "SUPPORT_CONTACT"]],
  ["https://explorer.example", "http://127.0.0.1:3000", "https://help.example", []],
  ["http://[::1]", "http://127.0.0.1", "desk@help", []],
  ["http://10.0.0.7:3000", "http://127.0.0.1", "@helpdesk", []],
])("of %s, %s and %s, Telegram takes no link to %j", (explorerUrl, publicUrl, supportContact, expected) => {
  expect(refusedLinks({ explorerUrl, publicUrl, supportContact })).toEqual(expected);
});
