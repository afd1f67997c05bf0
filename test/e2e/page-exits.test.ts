import { join } from "node:path";
import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { defaultWorld, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";
import { createSwiftClock } from "../support/swift-clock.js";
import { until } from "../support/until.js";
import { signing } from "../support/wallet-chat.js";

/** Exits on a phone, from what was just bought to the last part. Saves pictures for people to look at. */

const viewport = { width: 390, height: 844 };

const english = {
  confirm: /^✅ Confirm swap/,
  sign: "✍️ Sign in your wallet",
  done: /(?:Swap completed|Accepted, not yet confirmed)/,
  replaced: /Replaced by a newer quote/,
  setExit: "🚪 Set an exit",
  ask: /When should I ask you to sell\?/,
  bracket: "🎯 Target +50%, stop −20%",
  setUp: /^🚪 Exit\s*Sells/,
  set: "👍 Set this order",
  isSet: /^✅ Exit set/,
  orders: /Your orders/,
  token: /Pool price[^]*to go/,
  target: /Your exit, 1 of [23]: at least/,
  floor: /the price fell to it, and may fall further/,
  ended: /Ended: 🚪 [^]*All of it is sold/,
  trail: "/exit 5 KFI 33.33%@+5% trail 20%",
  highest: /Highest so far [^]*, I ask you at/,
  shrunk: /You had less than planned: it goes on with 100 KFI of 500 KFI\./,
  empty: /Ended: 🚪 [^]*You have nothing of it any more/,
  none: /You have no orders here/,
};
const portuguese: typeof english = {
  confirm: /^✅ Confirmar troca/,
  sign: "✍️ Assinar na carteira",
  done: /(?:Troca concluída|Transação aceita, não confirmada)/,
  replaced: /Substituída por uma cotação mais nova/,
  setExit: "🚪 Definir uma saída",
  ask: /Quando devo propor a venda\?/,
  bracket: "🎯 Alvo +50%, stop −20%",
  setUp: /^🚪 Saída\s*Vende/,
  set: "👍 Criar esta ordem",
  isSet: /^✅ Saída criada/,
  orders: /Suas ordens/,
  token: /Preço do pool[^]*faltam/,
  target: /Sua saída, 1 de [23]: no mínimo/,
  floor: /o preço caiu até lá e ainda pode cair mais/,
  ended: /Encerrada: 🚪 [^]*Tudo foi vendido/,
  trail: "/exit 5 KFI 33,33%@+5% móvel 20%",
  highest: /Mais alto até agora [^]*, pergunto a/,
  shrunk: /Você tinha menos que o previsto: ela continua com 100 KFI de 500 KFI\./,
  empty: /Encerrada: 🚪 [^]*Você não tem mais nada dele/,
  none: /Você não tem ordens aqui/,
};

type Texts = typeof english;

/** Alice's phone, on which each card that is waited for must fit, and whose pictures are called after the walk. */
async function phone(walk: string, mode: string, language: string, texts: Texts) {
  const clock = { ...createSwiftClock(10), timer: systemClock.timer };
  const desk = await sandboxDesk(
    { world: defaultWorld, wallet: mode === "wallet", clock },
    { HTTP_TIMEOUT_SECONDS: "100", QUOTE_TTL_SECONDS: "600", SIGN_SECONDS: "3600", PRICE_POLL_RPS: "20" },
  );
  const alice = await desk.trader();
  if (language === "pt") await speaksPortuguese(alice, await alice.asks("/settings", /^Settings/));
  const { page } = await openPage(desk.sandbox.url, { viewport });
  const log = page.getByRole("log");
  const cards = log.locator("article.from-others");
  let taken = 0;

  /** Waits for the newest card that says a text, checks that it fits, and keeps a picture. */
  const shows = async (text: RegExp, picture: string): Promise<Locator> => {
    const found = cards.filter({ hasText: text }).last();
    await found.waitFor();
    // Whatever it says later.
    const card = log.locator(`[data-message="${await found.getAttribute("data-message")}"]`);
    // The bot's clock runs ahead of the browser's.
    await page.clock.setFixedTime(clock.now());
    await card.scrollIntoViewIfNeeded();
    taken += 1;
    expect(await page.evaluate("document.documentElement.scrollWidth"), picture).toBeLessThanOrEqual(viewport.width);
    expect((await card.boundingBox())!.height, picture).toBeLessThanOrEqual(viewport.height);
    expect(await cutLabels(card), picture).toEqual([]);
    const name = `exits-${walk}-${mode}-${language}-${taken}-${picture}-390.png`;
    await page.screenshot({ path: join(screenshots, name) });
    return card;
  };
  const taps = (name: RegExp | string) => log.getByRole("button", { name }).last().click();
  const types = async (text: string) => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
  };
  /** Confirms a swap's card, signs it if a wallet has to, and waits for its end. */
  const sells = async (card: Locator, picture: string) => {
    // Where the pools can't be read in time, it asks once more first.
    const confirm = card.getByRole("button", { name: texts.confirm });
    const first = card.getByRole("button", { name: /^⚠️/ });
    await confirm.or(first).first().waitFor();
    if (await first.isVisible()) await first.click();
    await confirm.click();
    if (mode === "wallet") {
      const address = await card.getByRole("link", { name: texts.sign }).getAttribute("href");
      expect(await signing(desk).sign(address!)).toBe(200);
    }
    await card.filter({ hasText: texts.done }).waitFor();
    return shows(texts.done, picture);
  };
  const push = (percent: number): void => {
    for (const { address, firstToken, secondToken } of desk.sandbox.chain.pools())
      if ([firstToken, secondToken].includes("KFI")) desk.sandbox.chain.pushPrice(address, "KFI", percent);
  };
  /** Sends a line, and confirms its card. */
  const swaps = async (line: string, picture: string) => {
    const before = await cards.count();
    await types(line);
    const card = cards.nth(before);
    await card.waitFor();
    return sells(card, picture);
  };
  return { alice, shows, taps, types, sells, swaps, push };
}

const cutLabels = (card: Locator) =>
  card
    .locator(".keyboard button")
    .evaluateAll((all: readonly Scrolled[]) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + 1).map(({ textContent }) => textContent),
    );

/** What the test reads of an element in the browser; DOM types aren't loaded here. */
interface Scrolled {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly textContent: string;
}

describe.each([
  ["query", "en", english],
  ["query", "pt", portuguese],
  ["wallet", "en", english],
  ["wallet", "pt", portuguese],
] as const)("on a phone (%s, %s)", (mode, language, texts) => {
  it("an exit of what was just bought sells one part of a whipsaw", async () => {
    const { shows, taps, types, sells, swaps, push } = await phone("bracket", mode, language, texts);
    await swaps("/swap 100 KLV KFI", "bought");
    await taps(texts.setExit);
    await shows(texts.ask, "presets");
    await taps(texts.bracket);
    await shows(texts.setUp, "set-up");
    await taps(texts.set);
    await shows(texts.isSet, "set");
    await types("KFI");
    await shows(texts.token, "token");
    await types("/orders");
    await shows(texts.orders, "orders");
    push(60);
    const target = await shows(texts.target, "target");
    push(-60);
    const floor = await shows(texts.floor, "floor");
    await target.filter({ hasText: texts.replaced }).waitFor();
    await sells(floor, "sold");
    await shows(texts.ended, "ended");
  });

  it("a ladder with a trail sells part by part", async () => {
    const { alice, shows, taps, types, sells, push } = await phone("ladder", mode, language, texts);
    await types(texts.trail);
    await shows(texts.setUp, "set-up");
    await taps(texts.set);
    await shows(texts.isSet, "set");
    push(10);
    await sells(await shows(texts.target, "target"), "sold");
    // Of what is left, two answers must have reached it.
    await until(async () => texts.highest.test((await alice.asks("/orders", texts.orders)).text));
    await shows(texts.highest, "orders");
    await types("KFI");
    await shows(texts.token, "token");
    push(-30);
    await sells(await shows(texts.floor, "floor"), "rest-sold");
    // Both parts together.
    expect(await (await shows(texts.ended, "ended")).textContent()).toContain("5 KFI → KLV");
  });

  it("an exit goes on after a sale by hand, ends once nothing is left, and touches no later purchase", async () => {
    const { shows, taps, types, swaps, push } = await phone("by-hand", mode, language, texts);
    await types("/exit max KFI 50%@+5% 50%@+60% -30%");
    await shows(texts.setUp, "set-up");
    await taps(texts.set);
    await shows(texts.isSet, "set");
    await swaps("/swap 80% KFI KLV", "sold-by-hand");
    push(40);
    await shows(texts.shrunk, "less");
    await swaps("/swap max KFI KLV", "all-sold");
    push(-70);
    await shows(texts.empty, "ended");
    await swaps("/swap 100 KLV KFI", "bought-again");
    push(-50);
    await types("/orders");
    await shows(texts.none, "orders");
  });
});
