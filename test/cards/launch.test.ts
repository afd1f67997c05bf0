import { describe, expect, it } from "vitest";
import type { Card } from "../../src/cards/card.js";
import { intentCard } from "../../src/bot/intents/card.js";
import { summaryOf } from "../../src/cards/kinds.js";
import { dropLaunchCard, launchCard, launchesCard } from "../../src/cards/launch.js";
import { contractCall } from "../../src/encoding/call.js";
import { languages, messagesIn } from "../../src/locales/messages.js";
import type { LaunchTerms } from "../../src/services/intent/terms.js";
import { operator } from "../services/samples.js";
import {
  checklist,
  factsAfter,
  intent,
  launch,
  lock,
  lp,
  noFacts,
  pair,
  pairHex,
  terms,
} from "../services/launch/samples.js";
import { asRead } from "../support/as-read.js";

const viewIn = (language: string) => ({
  words: messagesIn(language),
  timeZone: "UTC",
  now: Date.parse("2026-07-01T12:00:00Z"),
  returnDataEncoding: "hex" as const,
  callerIsPerson: true,
  warnImpactBps: 300,
  maxImpactBps: 1500,
});
const view = viewIn("en");

const buttonsOf = (card: Card): string[] =>
  (card.keyboard ?? []).flat().map((each) => `${each.text} = ${"callback_data" in each ? each.callback_data : ""}`);

/** What is shown as code: what a tap on it copies. */
const copied = ({ text, entities }: Card): string[] =>
  entities.filter(({ type }) => type === "code").map(({ offset, length }) => text.slice(offset, offset + length));

describe("the checklist", () => {
  it("shows what is done, how that is known, what is next and what the router will ask for", () => {
    const card = launchCard(checklist(factsAfter(2), { pair, lpTokenId: lp.id }), view);
    expect(card.text).toMatchInlineSnapshot(`
      "Launch DVK-34ZH / KFI
      Pair: klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz
      LP token: LPDVKKFI-1A2B (LPDVKKFI, ticker LPDVKKFI)

      ✅ 1. Create the pair · on chain
      ✅ 2. Issue the LP token · on chain
      ▶️ 3. Set the token roles
      ▫️ 4. Add the first liquidity
      ▫️ 5. Lock the LP tokens
      ▫️ 6. Enable swapping

      Allows the pair to mint and burn LP tokens. Without it, adding liquidity fails.

      To enable swapping, lock LP tokens worth more than 7 KFI for more than 30 epochs.

      Checked at 12:00:00 UTC"
    `);
    expect(copied(card)).toEqual([pair, lp.id]);
    expect(buttonsOf(card)).toMatchInlineSnapshot(`
      [
        "▶️ Set the token roles = v1:launch:launch-1/do.set-roles",
        "🔄 Check = v1:launch:launch-1/check",
        "🗑 Remove = v1:launch:launch-1/drop",
      ]
    `);
  });

  it("says the same in Portuguese", () => {
    const card = launchCard(checklist(factsAfter(2), { pair, lpTokenId: lp.id }), viewIn("pt"));
    expect(card.text).toMatchInlineSnapshot(`
      "Lançamento DVK-34ZH / KFI
      Par: klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz
      Token LP: LPDVKKFI-1A2B (LPDVKKFI, ticker LPDVKKFI)

      ✅ 1. Criar o par · na rede
      ✅ 2. Emitir o token LP · na rede
      ▶️ 3. Definir os papéis do token
      ▫️ 4. Adicionar a primeira liquidez
      ▫️ 5. Bloquear os tokens LP
      ▫️ 6. Liberar as trocas

      Permite que o par emita e queime tokens LP. Sem isso, adicionar liquidez falha.

      Para liberar as trocas, bloqueie tokens LP que valham mais de 7 KFI por mais de 30 épocas.

      Verificado às 12:00:00 UTC"
    `);
  });

  it("says why a lock does not suffice, and offers another one", () => {
    const short = lock(49_497_481n, 5427n);
    const card = launchCard(checklist(factsAfter(4), { pair, lpTokenId: lp.id }, [short]), view);
    expect(card.text.slice(card.text.indexOf("You lock"))).toMatchInlineSnapshot(`"C"`);
    expect(buttonsOf(card)[0]).toBe("▶️ Lock the LP tokens = v1:launch:launch-1/do.lock");
  });

  it("gives the exact values of a call that the person makes in their own wallet", () => {
    const call = contractCall({ contract: "pair", address: pair }, "addInitialLiquidity", {}, [
      { tokenId: "DVK-34ZH", units: 1_000_000_000n },
      { tokenId: "KFI", units: 20_000_000n },
    ]);
    const done = { "set-roles": "word" } as const;
    const card = launchCard(
      checklist(factsAfter(3), { pair, lpTokenId: lp.id, done }, [], { isManual: true, manualCall: call }),
      view,
    );
    expect(card.text.slice(card.text.indexOf("Do this"))).toMatchInlineSnapshot(`
      "Do this step in your wallet, from the account that created the pair. (Its format isn't publicly documented, so I don't send it for you.) Enter exactly:
      Contract: klv1qqqqqqqqqqqqqpgqk762znj9v7nyky3wucdcw9awz83ppqy6c0nqhe2qaz
      Function: addInitialLiquidity
      Arguments: none
      Payment: DVK-34ZH=1000000000,KFI=20000000
      Then tap 🔄 Check, and I'll look it up on chain.

      Checked at 12:00:00 UTC"
    `);
    expect(copied(card).slice(2)).toEqual([pair, "addInitialLiquidity", "DVK-34ZH=1000000000,KFI=20000000"]);
    // The chain will show it, so nobody's word is asked for; the last word can be taken back.
    expect(buttonsOf(card).map((text) => text.split(" = ")[0])).toEqual([
      "✏️ Change amounts",
      "↩️ Mark as not done: set the token roles",
      "🔄 Check",
      "🗑 Remove",
    ]);
  });

  it("offers nothing again while an outcome is unknown and no view tells", () => {
    const card = launchCard(checklist(noFacts, { unknown: ["create-pair"] }), view);
    expect(card.text).toContain("⚠️ 1. Create the pair");
    expect(buttonsOf(card).map((text) => text.split(" = ")[0])).toEqual([
      "✅ It went through",
      "↩️ It didn't",
      "🔄 Check",
      "🗑 Remove",
    ]);
  });

  it("says that the node could not be asked", () => {
    const card = launchCard(checklist({ isReachable: false }), view);
    expect(card.text).toContain("I can't reach the node.");
    expect(card.text).not.toContain("This node doesn't report");
  });

  it("names who else made the pair", () => {
    const card = launchCard(checklist({ ...factsAfter(1), adder: operator }, { pair }), view);
    expect(card.text).toContain(`Only ${operator} can add the first liquidity`);
    expect(card.text).not.toContain("it still works");
  });

  it("ends in a swap that anybody can make", () => {
    const card = launchCard(checklist(factsAfter(6), { pair, lpTokenId: lp.id }), view);
    expect(copied(card).at(-1)).toBe("/swap 1 DVK-34ZH KFI");
    expect(buttonsOf(card)).toHaveLength(2);
  });

  it("keeps every button within Telegram's 64 bytes, also with the longest id", () => {
    const id = "x".repeat(22);
    for (const count of [0, 1, 2, 3, 4, 6]) {
      for (const language of languages.keys()) {
        const card = launchCard(checklist(factsAfter(count), { id, unknown: ["lock"] }), viewIn(language));
        for (const each of (card.keyboard ?? []).flat()) {
          expect("callback_data" in each && Buffer.byteLength(each.callback_data)).toBeLessThanOrEqual(64);
        }
      }
    }
  });
});

describe("the list and the end of launches", () => {
  it("opens each launch, or a new one", () => {
    expect(buttonsOf(launchesCard([launch()], view))).toEqual([
      "DVK-34ZH / KFI = v1:launch:launch-1/open",
      "➕ New launch = v1:launch:new",
    ]);
  });

  it("asks before it drops one", () => {
    const card = dropLaunchCard(launch(), view);
    expect(card.text).toContain("Nothing changes on chain");
    expect(buttonsOf(card)).toEqual([
      "🗑 Yes, remove it = v1:launch:launch-1/dropped",
      "‹ Back = v1:launch:launch-1/check",
    ]);
  });
});

describe("the card of a step", () => {
  const quoted = (about: LaunchTerms) => ({
    ...intent(about, undefined),
    state: "QUOTED" as const,
  });

  it("shows the pair's address in both forms once the node answered", () => {
    const card = intentCard(intent(terms.createPair, { kind: "ok", returnData: [pairHex] }), view);
    expect(copied(card)).toEqual([pair, pairHex]);
    expect(buttonsOf(card)).toEqual(["📋 Checklist = v1:launch:launch-1/open"]);
  });

  it("claims nothing from an answer that is not a contract's address", () => {
    const card = intentCard(intent(terms.createPair, { kind: "ok", returnData: ["00"] }), view);
    expect(card.text).toContain("I can't tell what happened");
  });

  it("says in whose name the call is made, or that nobody is told", () => {
    expect(intentCard(quoted(terms.issueLp), view).text).toContain("must be the pair's creator");
    const untold = { ...quoted(terms.issueLp), terms: { ...terms.issueLp, callerTravels: false } };
    expect(intentCard(untold, view).text).toContain("from the node's own account");
  });

  it("warns when a deposit may not suffice to enable swapping", () => {
    const kfi = terms.addLiquidity.second.token;
    const worth = (least: bigint) => ({
      ...quoted(terms.addLiquidity),
      terms: {
        ...terms.addLiquidity,
        worth: { least: { token: kfi, units: least }, minimum: { token: kfi, units: 7_000_000n } },
      },
    });
    expect(intentCard(worth(7_000_000n), view).text).toContain("Add more liquidity");
    expect(intentCard(worth(7_000_001n), view).text).not.toContain("Add more liquidity");
  });

  it("names the market beside a first deposit, and asks for a second step where that is far", () => {
    const { second } = terms.addLiquidity;
    const market = (differenceBps: bigint) => ({
      worth: { ...second, units: 40_000_000n },
      differenceBps,
      loss: { ...second, units: 3_431_458n },
    });
    const about = { ...terms.addLiquidity, market: market(-5_000n) };
    const card = intentCard(quoted(about), view);
    expect(asRead(card.text)).toContain("Market price: 1 DVK-34ZH = 0.04 KFI. Your price for DVK-34ZH is 50% lower.");
    expect(card.text).toContain("can take up to 3.431458 KFI of your deposit.");
    expect(buttonsOf(card)).toEqual([
      "⚠️ Keep these amounts = v1:a:intent-1",
      "✏️ Change amounts = v1:launch:launch-1/do.add-liquidity",
      "✖️ Cancel = v1:x:intent-1",
    ]);
    const accepted = intentCard(quoted(about), view, { isAccepted: true });
    expect(asRead(accepted.text)).toContain("DVK-34ZH is 50% lower");
    expect(buttonsOf(accepted)[0]).toMatch(/= v1:c:intent-1$/);
    const near = intentCard(quoted({ ...about, market: market(500n) }), view);
    expect(asRead(near.text)).toContain("price for DVK-34ZH is 5% higher");
    expect(buttonsOf(near)[0]).toMatch(/= v1:c:intent-1$/);
    expect(intentCard(quoted({ ...about, market: market(0n) }), view).text).toContain("Matches the market price");
  });

  it("names the market also where the person makes the deposit in their own wallet", () => {
    const { first, second } = terms.addLiquidity;
    const market = {
      worth: { ...second, units: 10_000_000n },
      differenceBps: 10_000n,
      loss: { ...second, units: 1_715_729n },
    };
    const liquidity = { first, second };
    const manualCall = {
      contract: "pair",
      address: pair,
      function: "addInitialLiquidity",
      inputs: {},
      payments: [],
    } as const;
    const { text } = launchCard(
      checklist(factsAfter(3), { pair, liquidity }, [], { manualCall, market, isManual: true }),
      view,
    );
    expect(asRead(text)).toContain("Your price for DVK-34ZH is 100% higher.");
    expect(text).toContain("Check both amounts.");
  });

  it("asks for a second step where the router's conditions cannot be checked", () => {
    const card = intentCard(quoted(terms.enable), view);
    expect(buttonsOf(card)[0]).toMatch(/^I understand/);
    expect(buttonsOf(intentCard(quoted(terms.enable), view, { isAccepted: true }))[0]).toBe(
      "✅ Confirm: enable swapping = v1:c:intent-1",
    );
  });

  it("has one line in the history", () => {
    expect(summaryOf(quoted(terms.setRoles), view)).toBe("🚀 Set the token roles · DVK-34ZH / KFI");
  });
});
