import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/clock.js";
import { languages } from "../../src/locales/messages.js";
import { dataOf, labelsOf, people, sandboxDesk, type SandboxDesk, tradingDesk } from "../support/sandbox-desk.js";
import { accepted } from "../support/as-read.js";
import { until } from "../support/until.js";

describe("/settings", () => {
  it("sets the slippage by button or by text, never above the operator's maximum", async () => {
    const { desk, alice } = await tradingDesk({}, { MAX_SLIPPAGE_BPS: "300" });
    const settings = await alice.asks("/settings");
    expect(settings.text).toMatch(/Slippage: 1%[^]*Time zone: UTC/);
    await alice.taps(settings, "Slippage");
    const choices = await alice.sees(settings, /Maximum: 3%/);
    expect(labelsOf(choices)).toEqual(["0.5%", "• 1%", "2%", "Custom", "‹ Back"]);
    await alice.taps(settings, "2%");
    await alice.sees(settings, /Slippage: 2%/);
    expect((await alice.asks("/quote 100 KLV KFI")).text).toMatch(/You get at least: 0\.9624/);

    await alice.taps(settings, "Slippage");
    await alice.sees(settings, /Maximum: 3%/);
    await alice.taps(settings, "Custom");
    await alice.reads(/Send the slippage in percent/);
    for (const bad of ["3.01", "-1", "1e0", "0.001", "abc"]) {
      expect((await alice.asks(bad)).text).toMatch(/number from 0 to 3% with at most two decimals/);
    }
    expect((await alice.asks("0.25 %")).text).toMatch(/Saved\.[^]*Slippage: 0\.25%/);
    expect((await alice.asks("/swap 100 KLV KFI")).text).toMatch(/slippage 0\.25%/);

    // The operator lowers the maximum below what the user chose.
    await desk.restart({ MAX_SLIPPAGE_BPS: "20", DEFAULT_SLIPPAGE_BPS: "10" });
    expect((await alice.asks("/settings")).text).toMatch(/Slippage: 0\.2%/);
    expect((await alice.asks("/swap 100 KLV KFI")).text).toMatch(/slippage 0\.2%/);
  });

  it("accepts a typed slippage while its page is open, and only then", async () => {
    const { alice } = await tradingDesk();
    const settings = await alice.asks("/settings");
    await alice.taps(settings, "Slippage");
    await alice.sees(settings, /How far the price/);
    // Text that isn't a number goes to the rest of the bot.
    expect((await alice.asks("KFI")).text).toMatch(/^KFI/);
    expect((await alice.asks("0.5")).text).toMatch(/Saved\.[^]*Slippage: 0\.5%/);
    await alice.taps(settings, "‹ Back");
    await alice.sees(settings, /Time zone/);
    expect((await alice.asks("2")).text).toMatch(/didn't understand that/);
    // An open dialog gets the answer.
    await alice.asks("/swap KLV KFI");
    await alice.taps(settings, "Slippage");
    expect((await alice.asks("2")).text).toMatch(/You pay: 2 KLV/);
  });

  it("sets the amount buttons, the time zone and the language", async () => {
    const { desk, alice } = await tradingDesk();
    const settings = await alice.asks("/settings");
    await alice.taps(settings, "Quick amounts");
    await alice.reads(/up to four amounts/);
    for (const bad of ["1 2 3 4 5", "0", "1,5", "-1", "ten"]) {
      expect((await alice.asks(bad)).text).toMatch(/one to four plain amounts/);
    }
    expect((await alice.asks("7 70  0.5")).text).toMatch(/Quick amounts: 7 {2}70 {2}0\.5/);

    const again = await alice.asks("/settings");
    await alice.taps(again, "Time zone");
    const cities = await alice.reads(/Which city is in your time zone/);
    expect(labelsOf(cities)).toContain("São Paulo");
    expect((await alice.asks("Mars/Olympus")).text).toMatch(/don't know that place/);
    expect((await alice.asks("sao paulo")).text).toMatch(/Time zone: America\/Sao_Paulo/);
    // Not in the new time zone: clients format a card's dates themselves.
    expect((await alice.asks("/swap 1 KLV KFI")).text).toMatch(/Valid until \d\d:\d\d:\d\d UTC/);

    const third = await alice.asks("/settings");
    await alice.taps(third, "Language");
    const names = [...languages.values()].map(({ languageName }) => languageName.replace("English", "• English"));
    expect(labelsOf(await alice.sees(third, /^Language/))).toEqual([...names, "‹ Back"]);
    expect(await alice.taps(third, "Português")).toBe("Salvo.");
    await alice.sees(third, /Configurações/);
    await until(() => commandsFor(desk, alice.id).includes("Trocar tokens"));
    expect((await alice.asks("/start")).text).toMatch(/Sua conta/);
  });

  it("starts in Portuguese if the user's Telegram is in Portuguese", async () => {
    const desk = await sandboxDesk({ people: [{ id: people.carol, firstName: "Carol", languageCode: "pt-br" }] });
    const carol = desk.person(people.carol);
    expect((await carol.asks("/start")).text).toMatch(/Boas-vindas/);
    expect((await carol.asks("/swap -1 KLV KFI")).text).toMatch(/negativo/);
  });
});

describe("/history and /fees", () => {
  it("list confirmed calls, and the fees that the node's answers prove", async () => {
    const { alice } = await tradingDesk();
    expect((await alice.asks("/history")).text).toMatch(/Nothing here yet/);
    expect((await alice.asks("/fees")).text).toMatch(/1% goes to this bot's operator[^]*No swap in/);
    const card = await alice.asks("/swap 100 KLV KFI");
    await alice.confirms(card);
    // A card that wasn't confirmed isn't listed.
    await alice.asks("/swap 9 KLV KFI");
    const history = await alice.asks("/history");
    expect(history.text).toMatch(/^Your history\n\n☑️ 100 KLV → 0\.982076 KFI\n.*· accepted, not confirmed$/);
    expect((await alice.asks("/fees")).text).toMatch(/according to the node or your balance:\n0\.009919 KFI\n/);
  });
});

describe("/freeze", () => {
  it("cancels open cards, and refuses confirms and new cards until /unfreeze", async () => {
    const { desk, alice } = await tradingDesk();
    expect((await alice.asks("/unfreeze")).text).toMatch(/isn't frozen/);
    const refused = await alice.asks("/swap 99999 KLV KFI");
    await alice.confirms(refused, /Rejected/);
    const card = await alice.asks("/swap 100 KLV KFI");
    expect((await alice.asks("/freeze")).text).toMatch(/Frozen\.[^]*Open quotes cancelled: 1/);
    await alice.sees(card, /Cancelled\. Nothing was sent/);
    // A rejected card offers a new quote, but not while frozen.
    await alice.taps(refused, "🔄 New quote");
    await alice.reads(/account is frozen/);
    // A tap on the old button, which may already have been on its way.
    for (const verb of ["c", "r"]) {
      const data = dataOf(card, "✅ Confirm swap").replace(":c:", `:${verb}:`);
      desk.sandbox.telegram.press(alice.id, card.messageId, data);
    }
    for (const line of ["/swap 1 KLV KFI", "/swap", "/multihop", "/lock", "/unlock LKTOK-1A2B/1 5"]) {
      expect((await alice.asks(line)).text).toMatch(/account is frozen/);
    }
    expect((await alice.asks("/quote 1 KLV KFI")).text).toMatch(/^Quote/);
    expect((await alice.asks("/unfreeze")).text).toMatch(/Unfrozen/);
    expect(desk.callsSent()).toHaveLength(1);
    const fresh = await alice.asks("/swap 1 KLV KFI");
    await alice.confirms(fresh);
  });
});

describe("cards", () => {
  it("are cancelled by their button, or all at once by /cancel", async () => {
    const { alice } = await tradingDesk();
    const [first, second] = [await alice.asks("/swap 1 KLV KFI"), await alice.asks("/lock 1 KFI 5500")];
    await alice.taps(first, "✖️ Cancel");
    expect((await alice.sees(first, /Cancelled/)).keyboard).toBeUndefined();
    expect((await alice.asks("/cancel")).text).toMatch(/^Cancelled:\nLock 1 KFI until [0-9: -]+ UTC \(epoch 5500\)$/);
    await alice.sees(second, /Cancelled/);
  });

  it("are refreshed in place, and an expired one is replaced", async () => {
    let ahead = 0;
    const { desk, alice } = await tradingDesk({ clock: { ...systemClock, now: () => Date.now() + ahead } });
    const [other, card] = [await alice.asks("/swap 2 KLV KFI"), await alice.asks("/swap 1 KLV KFI")];
    ahead = 31_000;
    await alice.confirms(card, /had expired[^]*You get at least/);
    await alice.taps(card, "🔄 Refresh");
    await alice.sees(card, /^(?!.*expired)[^]*You get at least/);
    expect(desk.sandbox.telegram.chat(alice.id).at(-1)?.messageId).toBe(card.messageId);
    await alice.confirms(card);
    expect(desk.callsSent()).toHaveLength(1);
    // /cancel doesn't call an expired card cancelled.
    expect((await alice.asks("/cancel")).text).not.toMatch(/Cancelled/);
    expect(labelsOf(await alice.sees(other, /⌛ Expired/))).toEqual(["Expired", "🔄 New quote"]);
  });

  it("that were deleted from the chat are sent again as a new message", async () => {
    const { desk, alice } = await tradingDesk();
    const card = await alice.asks("/swap 1 KLV KFI");
    const { url, token } = desk.sandbox;
    desk.sandbox.telegram.press(alice.id, card.messageId, dataOf(card, "✅ Confirm swap"));
    await fetch(`${url}/bot${token}/deleteMessage?chat_id=${alice.id}&message_id=${card.messageId}`);
    expect((await alice.reads(accepted)).messageId).toBeGreaterThan(card.messageId);
    expect(desk.callsSent()).toHaveLength(1);
  });

  it("that would pay to an old address are cancelled when the address changes", async () => {
    const { desk, alice } = await tradingDesk();
    const card = await alice.asks("/swap 1 KLV KFI");
    const question = await alice.asks(`/wallet ${desk.address("Bob")}`);
    expect((await alice.asks("/wallet")).text).toContain(desk.address("Alice"));
    await alice.taps(question, "↩️ Keep my current address");
    await alice.sees(question, /^Nothing changed/);
    const again = await alice.asks(`/wallet ${desk.address("Bob")}`);
    await alice.taps(again, "Yes, change it");
    const changed = await alice.reads(/was changed/);
    expect(changed.text).toMatch(/1 open quote for the old address was cancelled/);
    await alice.sees(card, /Cancelled/);
    expect((await alice.asks("/wallet")).text).toContain(desk.address("Bob"));
    for (const contract of [
      "klv1qqqqqqqqqqqqqpgqhe7lg537aszyv48xpuhqh2jykx986wnd932qrd2478",
      // Any address that begins with eight zero bytes is a contract's: no key signs for it.
      "klv1qqqqqqqqqqqqqqgqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdtr49",
    ]) {
      expect((await alice.asks(`/wallet ${contract}`)).text).toMatch(/contract address/);
    }
  });
});

describe("unknown input", () => {
  it("gets an answer: commands, words and buttons", async () => {
    const { desk, alice } = await tradingDesk();
    expect((await alice.asks("/nonsense")).text).toMatch(/Unknown command/);
    expect((await alice.asks("what now?")).text).toMatch(/didn't understand that/);
    const settings = await alice.asks("/settings");
    for (const [data, said] of [
      ["v1:zz:1", /no longer active/],
      ["v1:slip:7777", /no longer active/],
      ["v1:lang:xx", /no longer active/],
      ["v1:h:999999", /no longer active/],
      ["v1:c:AAAAAAAAAAAAAAAAAAAAAA", /isn't yours/],
      ["v1:m:AAAAAAAAAAAAAAAAAAAAAA", /isn't yours/],
      ["not ours at all", /no longer active/],
      ["v1:pick:KLV", /no longer active/],
    ] as const) {
      expect(await tapAnswer(desk, alice.id, settings.messageId, data)).toMatch(said);
    }
  });
});

describe("pasted text", () => {
  it("with a token's id or name shows the token and its pools", async () => {
    const { desk, alice } = await tradingDesk();
    const byName = await alice.asks("dvk");
    const timeless = (text: string) => text.replace(/(?<=since: ).*/, "today").replace(/(?<=node said at ).*/, "noon.");
    expect(timeless(byName.text)).toMatchInlineSnapshot(`
      "DVK-34ZH
      Pool price: 1 DVK-34ZH = 0.1 KLV

      Your position
      DVK-34ZH: balance unknown · value unknown
      cost unknown
      Deepest pool: 10,030,785 KLV and 100,307,850 DVK-34ZH
      LP tokens in the lock contract: unknown
      Seen here since: today
      What the issuer can do
      Impossible for ever: destroying others' coins, stopping transfers, making more.
      Selling costs no royalty now. The issuer can change that.
      As the node said at noon.
      Pools
      10,030,785 KLV and 100,307,850 DVK-34ZH
      fee 0.3% · trading enabled
      64,000.112 KFI and 63,980,040 DVK-34ZH
      fee 0.3% · trading enabled"
    `);
    expect(timeless((await alice.asks(" dvk-34zh ")).text)).toBe(timeless(byName.text));
    expect((await alice.asks("/swap 100 KLV DVK-34ZH")).text).toMatch(/You pay: 100 KLV/);
    expect((await alice.asks("LPKLVKFI-3I0N")).text).toMatch(/LP token of the KLV\/KFI pool/);
    expect((await alice.asks("LKTOK-1A2B")).text).toMatch(/semi-fungible/);
    expect((await alice.asks("ABC-12DE")).text).toMatch(/There is no token ABC-12DE on this chain/);
    desk.sandbox.faults.set("node", "5xx");
    expect((await alice.asks("KFI")).text).toMatch(/Pools[^]*KLV and .* KFI|can't read the pools/);
  });

  it("with an address offers it as the payout address, and changes nothing before a tap", async () => {
    const desk = await sandboxDesk();
    const bob = desk.person(people.bob);
    const address = desk.address("Bob");
    const offered = await bob.asks(address);
    expect(offered.text).toBe(`Use this as your wallet address?\n${address}`);
    expect((await bob.asks("/start")).text).toMatch(/I'll ask for your wallet address/);
    await bob.taps(offered, "📬 Use this address");
    await bob.reads(/Saved\.[^]*Your wallet address/);
    expect((await bob.asks(address.toUpperCase())).text).toMatch(/^Your wallet address/);

    // Replacing an address needs a confirmation that shows both.
    const other = await bob.asks(desk.address("Alice"));
    expect(other.text).toMatch(/is not the address you have set/);
    expect(await bob.taps(offered, "📬 Use this address")).toMatch(/no longer active/);
    await bob.taps(other, "📬 Use this address");
    const change = await bob.reads(new RegExp(`Current address[^]*${address}[^]*${desk.address("Alice")}`));
    expect((await bob.asks("/wallet")).text).toContain(address);
    await bob.taps(change, "Yes, change it");
    await bob.reads(/was changed/);
    expect((await bob.asks("/wallet")).text).toContain(desk.address("Alice"));
    expect((await bob.asks(`${address.slice(0, -1)}q`)).text).toMatch(/isn't a valid address/);
  });
});

/** Sends a tap with any data. @returns the answer. */
async function tapAnswer(desk: SandboxDesk, userId: number, messageId: number, data: string): Promise<string> {
  return new Promise((resolve) => {
    const { callbackQueryId } = desk.sandbox.telegram.press(userId, messageId, data);
    const stop = desk.sandbox.telegram.subscribe((event) => {
      if (event.type !== "callback-answer" || event.callbackQueryId !== callbackQueryId) return;
      stop();
      resolve(event.text ?? "");
    });
  });
}

/** The descriptions in a user's command menu. */
function commandsFor({ sandbox }: SandboxDesk, id: number): string[] {
  return sandbox.telegram.commands(id).map(({ description }) => description);
}
