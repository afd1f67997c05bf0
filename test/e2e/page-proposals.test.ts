import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { screenshots } from "../support/browser.js";
import { openPage } from "../support/pages.js";
import { defaultWorld, sandboxDesk, speaksPortuguese } from "../support/sandbox-desk.js";

/** Links for programs and what they propose, on a phone. Saves pictures for people to look at. */

const run = promisify(execFile);
const viewport = { width: 390, height: 844 };
const NAME = "My n8n workflow 2nd one";

const english = {
  list: /Links for programs/,
  none: /You have no links yet/,
  create: "➕ New link",
  ask: /What is the program called/,
  made: /📨 Link for/,
  copyTry: "📋 Copy this line",
  from: `📨 Proposed by ${NAME}. Nothing happens unless you confirm.`,
  confirm: /^✅ Confirm swap/,
  tooSoon: "This quote is new. Read it, then tap again.",
  pause: `⏸ Pause ${NAME}`,
  nowPaused: `${NAME} is paused. Resume it in /signals.`,
  after: { query: /Swap completed/, wallet: /Waiting for your signature/ },
  counted: /paused · last one .* · 1 today/,
  resume: `▶️ Resume ${NAME}`,
  remove: "🗑 Delete",
  removeAsk: /Delete the link for/,
  removeNow: "🗑 Yes, delete it",
};
const portuguese: typeof english = {
  list: /Links para programas/,
  none: /Você ainda não tem links/,
  create: "➕ Novo link",
  ask: /Como se chama o programa/,
  made: /📨 Link de/,
  copyTry: "📋 Copiar linha",
  from: `📨 Proposta de ${NAME}. Nada acontece sem a sua confirmação.`,
  confirm: /^✅ Confirmar troca/,
  tooSoon: "Esta cotação é recente. Leia-a e toque de novo.",
  pause: `⏸ Pausar ${NAME}`,
  nowPaused: `${NAME} está em pausa. Retome em /signals.`,
  after: { query: /Troca concluída/, wallet: /Esperando sua assinatura/ },
  counted: /em pausa · última .* · 1 hoje/,
  resume: `▶️ Retomar ${NAME}`,
  remove: "🗑 Apagar",
  removeAsk: /Apagar o link de/,
  removeNow: "🗑 Sim, apagar",
};

it.each([
  ["query", "en", english],
  ["query", "pt", portuguese],
  ["wallet", "en", english],
  ["wallet", "pt", portuguese],
] as const)("a link is made, used, paused and deleted (%s, %s)", async (mode, language, texts) => {
  // Ten times as slow, so that a card's first moment is long enough for any machine.
  const start = Date.now();
  let ahead = 0;
  const clock = { ...systemClock, now: () => start + ahead + Math.floor((Date.now() - start) / 10) };
  const desk = await sandboxDesk({ world: defaultWorld, wallet: mode === "wallet", clock, servesPrograms: true });
  const alice = await desk.trader();
  if (language === "pt") await speaksPortuguese(alice, await alice.asks("/settings", /^Settings/));
  const permissions = ["clipboard-read", "clipboard-write"];
  const { page } = await openPage(desk.sandbox.url, { viewport, permissions });
  const log = page.getByRole("log");
  const tap = (name: string | RegExp) => log.getByRole("button", { name }).last().click();
  const types = async (text: string) => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
  };
  const keepsPicture = (name: string) =>
    page.screenshot({ path: join(screenshots, `proposals-${mode}-${language}-${name}-390.png`) });
  /** Waits until the newest card says a text and fits, and keeps a picture. */
  const shows = async (text: string | RegExp, picture: string) => {
    const card = log.locator("article.from-others").filter({ hasText: text }).last();
    await card.waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth"), picture).toBeLessThanOrEqual(viewport.width);
    expect((await card.boundingBox())!.height, picture).toBeLessThanOrEqual(2 * viewport.height);
    expect(await cutLabels(page), picture).toEqual([]);
    await keepsPicture(picture);
    return card;
  };

  await types("/signals");
  await shows(texts.none, "1-none");
  await tap(texts.create);
  await shows(texts.ask, "2-ask");
  await types(NAME);
  const made = await shows(texts.made, "3-link");
  const hidden = made.locator(".spoiler:not(.shown)");
  expect(await hidden.count()).toBe(2);
  await hidden.first().click();
  await hidden.first().click();
  const shown = await shows(texts.made, "4-link-shown");
  await tap(texts.copyTry);
  const line = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(line).toMatch(/^curl -d 'swap 1 KLV \S+' http:\/\/127\.0\.0\.1:\d+\/propose\/[\w-]{43}$/);
  expect(await shown.textContent()).toContain(line);

  const { id } = JSON.parse((await run("sh", ["-c", line])).stdout) as { id: string };
  const state = async () => (await fetch(`${line.split(" ").at(-1)}/${id}`)).json();
  await shows(texts.from, "5-card");
  await tap(texts.confirm);
  await page.getByRole("status").getByText(texts.tooSoon).waitFor();
  await shows(texts.from, "6-too-soon");
  expect(await state()).toEqual({ state: "waiting" });
  expect(desk.callsSent()).toEqual([]);

  await tap(texts.pause);
  const alert = page.getByRole("dialog", { name: "Swapdesk" });
  await alert.getByText(texts.nowPaused).waitFor();
  await shows(texts.from, "7-paused");
  await alert.getByRole("button").click();
  ahead += 1500;
  await tap(texts.confirm);
  await shows(texts.after[mode], "8-confirmed");

  await types("/signals");
  await shows(texts.counted, "9-list");
  await log.getByRole("button", { name: texts.resume }).waitFor();
  await tap(texts.remove);
  await shows(texts.removeAsk, "10-delete");
  await tap(texts.removeNow);
  await shows(texts.none, "11-deleted");
  const refused = await run("sh", ["-c", line]);
  expect(JSON.parse(refused.stdout)).toEqual({ error: "unknown" });

  await page.getByRole("button", { name: "Inspector", exact: true }).click();
  await page.getByLabel("Calls of").selectOption("programs");
  const posts = page.getByRole("tabpanel", { name: "Wire" }).locator(".call", { hasText: "POST" });
  await posts.nth(1).waitFor();
  await posts.nth(1).locator("summary").click();
  await posts.nth(1).getByText(id).waitFor();
  await keepsPicture("12-inspector");
});

const cutLabels = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('[role="log"] .keyboard button')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => one.textContent)
  `);
