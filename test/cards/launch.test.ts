import { describe, expect, it } from "vitest";
import type { Card } from "../../src/cards/card.js";
import { intentCard, summaryOf } from "../../src/cards/intent.js";
import { launchCard } from "../../src/cards/launch.js";
import type { LaunchTerms } from "../../src/services/terms/launch-terms.js";
import { checklist, factsAfter, pair, terms } from "../services/trade/launch-samples.js";
import { asRead } from "../support/as-read.js";
import { en as view, intent } from "./arrange.js";

const buttonsOf = (card: Card): string[] =>
  (card.keyboard ?? []).flat().map((each) => `${each.text} = ${"callback_data" in each ? each.callback_data : ""}`);

describe("a launch step's card", () => {
  const quoted = (about: LaunchTerms) => ({ ...intent(about), id: "intent-1" });

  it("claims nothing if the answer is not a contract's address", () => {
    const card = intentCard(intent(terms.createPair, "OK", { kind: "ok", returnData: ["00"] }), view);
    expect(card.text).toContain("I can't tell what happened");
  });

  it("warns if a deposit may be too small to enable swapping", () => {
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

  it("still shows the market price after the extra confirmation for a price far from it", () => {
    const { second } = terms.addLiquidity;
    const market = {
      worth: { ...second, units: 40_000_000n },
      differenceBps: -5_000n,
      loss: { ...second, units: 3_431_458n },
    };
    const about = { ...terms.addLiquidity, market };
    const accepted = intentCard(quoted(about), view, { isAccepted: true });
    expect(asRead(accepted.text)).toContain("DVK-34ZH is 50% lower");
    expect(buttonsOf(accepted)[0]).toMatch(/= v1:c:intent-1$/);
  });

  it("shows the market price even if the user makes the deposit in their own wallet", () => {
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

  it("asks for an extra confirmation if the router's conditions can't be checked", () => {
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

describe("the checklist", () => {
  it("says in days how long a lock has to last, if the node says how long an epoch is", () => {
    const shown = (facts = factsAfter(4)) => asRead(launchCard(checklist(facts, { pair }), view).text);
    expect(shown()).toContain("for more than 30 epochs (about 8 days).");
    const { epochMilliseconds: _, ...dateless } = factsAfter(4);
    expect(shown(dateless)).toContain("for more than 30 epochs.");
  });

  it("names the LP token once if its name is its ticker", () => {
    const shown = (lpName: string) => asRead(launchCard(checklist(factsAfter(1), { pair, lpName }), view).text);
    expect(shown("LPDVKKFI")).toMatch(/^LP token: LPDVKKFI$/m);
    expect(shown("DvkKfiPool")).toMatch(/^LP token: DvkKfiPool, ticker LPDVKKFI$/m);
  });
});
