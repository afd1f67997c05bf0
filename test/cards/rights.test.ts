import { describe, expect, test } from "vitest";
import { rightsLines } from "../../src/cards/rights.js";
import { card } from "../../src/cards/card.js";
import { asRead } from "../support/as-read.js";
import { issued, pair, toldOf } from "../services/market/rights-samples.js";
import { en, now, pt } from "./arrange.js";

const gem = { id: "GEM-5D0X", name: "GEM", precision: 6, kind: "fungible" } as const;
const between = { contracts: [], account: undefined };

const neverAll = "Impossible for ever: destroying others' coins, stopping transfers, making more.";
const mayChange = "Selling costs no royalty now. The issuer can change that.";
const destroys = "⚠️ The issuer can destroy GEM-5D0X in any account: in yours, and in a pool.";
const stops = "⚠️ The issuer can stop all transfers of GEM-5D0X: no buying, no selling, no leaving a pool.";
const stopped = "⛔ All transfers of GEM-5D0X are stopped now. Only its issuer can resume them.";
const limited = "⚠️ GEM-5D0X moves only between addresses that its issuer approves.";
const royalty = (costs: string) => `Selling GEM-5D0X costs its issuer's royalty on top: ${costs}.`;

/** Written by hand: what a trader reads first, and what stands in the fold. */
const english: Readonly<Record<keyof typeof issued, readonly [warnings: string[], details: string[]]>> = {
  "nothing allowed": [[], [neverAll, mayChange]],
  "can be staked": [[], [neverAll, mayChange]],
  "wipe without burn": [[], [neverAll, mayChange]],
  "burn without wipe": [[], [neverAll, mayChange]],
  "wipe and burn": [[destroys], ["Impossible for ever: stopping transfers, making more.", mayChange]],
  "can be stopped": [[stops], ["Impossible for ever: destroying others' coins, making more.", mayChange]],
  "stopped, for the last time": [[`${stopped} Once resumed, they can't be stopped again.`], [neverAll, mayChange]],
  "stopped, and again at any time": [
    [stopped, stops],
    ["Impossible for ever: destroying others' coins, making more.", mayChange],
  ],
  "more without limit": [
    ["More can be made without limit by the issuer. In circulation now: 5 GEM-5D0X."],
    ["Impossible for ever: destroying others' coins, stopping transfers.", mayChange],
  ],
  "more up to a maximum, by two": [
    [],
    [
      // The operator is the owner, and counts once.
      "More can be made by the issuer and 1 other address, up to 9,223,372,036,854 GEM-5D0X in circulation, 1 GEM-5D0X now. What is destroyed makes room for more.",
      "Impossible for ever: destroying others' coins, stopping transfers.",
      mayChange,
    ],
  ],
  "a role to make more, but none can be made": [[], [neverAll, mayChange]],
  "the pair may send and receive": [[limited], [neverAll, mayChange]],
  "the pair may only send": [
    ["⛔ GEM-5D0X can be bought but not sold: KLV/GEM-5D0X doesn't take it back.", limited],
    [neverAll, mayChange],
  ],
  "the pair may only receive": [
    ["⛔ GEM-5D0X can't be traded: KLV/GEM-5D0X may not give it out.", limited],
    [neverAll, mayChange],
  ],
  "the pair has no role": [
    ["⛔ GEM-5D0X can't be traded: KLV/GEM-5D0X may not give it out.", limited],
    [neverAll, mayChange],
  ],
  "the pair is the owner": [[limited], [neverAll, mayChange]],
  "roles without a limit": [[], [neverAll, mayChange]],
  "royalties of one share": [
    [royalty("1% of the amount")],
    [neverAll, "Selling costs a royalty. The issuer can change that."],
  ],
  "royalties in bands and a fixed one, final": [
    [royalty("0.25% to 5% of the amount, depending on how much it is, and 3.000001 KLV")],
    [neverAll, "Selling costs a royalty. The issuer can't change that any more."],
  ],
  "a fixed royalty": [[royalty("3 KLV")], [neverAll, "Selling costs a royalty. The issuer can change that."]],
  everything: [
    [
      "⛔ GEM-5D0X can be bought but not sold: KLV/GEM-5D0X doesn't take it back.",
      stopped,
      destroys,
      stops,
      limited,
      royalty("100% of the amount"),
      "More can be made without limit by the issuer and 1 other address. In circulation now: 0 GEM-5D0X.",
    ],
    ["Selling costs a royalty. The issuer can change that."],
  ],
};

const nunca = "Impossível para sempre: destruir moedas dos outros, parar transferências, criar mais.";
const podeMudar = "Vender não custa royalties agora. O emissor pode mudar isso.";
const destroi = "⚠️ O emissor pode destruir GEM-5D0X em qualquer conta: na sua e em um pool.";
const para = "⚠️ O emissor pode parar todas as transferências de GEM-5D0X: nada de comprar, vender ou sair de um pool.";
const parado = "⛔ Todas as transferências de GEM-5D0X estão paradas agora. Só o emissor pode retomá-las.";
const limitado = "⚠️ GEM-5D0X só circula entre endereços aprovados pelo emissor.";
const royalties = (custo: string) => `Vender GEM-5D0X custa, além do valor, os royalties do emissor: ${custo}.`;

const portuguese: typeof english = {
  "nothing allowed": [[], [nunca, podeMudar]],
  "can be staked": [[], [nunca, podeMudar]],
  "wipe without burn": [[], [nunca, podeMudar]],
  "burn without wipe": [[], [nunca, podeMudar]],
  "wipe and burn": [[destroi], ["Impossível para sempre: parar transferências, criar mais.", podeMudar]],
  "can be stopped": [[para], ["Impossível para sempre: destruir moedas dos outros, criar mais.", podeMudar]],
  "stopped, for the last time": [[`${parado} Uma vez retomadas, não podem mais ser paradas.`], [nunca, podeMudar]],
  "stopped, and again at any time": [
    [parado, para],
    ["Impossível para sempre: destruir moedas dos outros, criar mais.", podeMudar],
  ],
  "more without limit": [
    ["Mais moedas podem ser criadas sem limite pelo emissor. Em circulação agora: 5 GEM-5D0X."],
    ["Impossível para sempre: destruir moedas dos outros, parar transferências.", podeMudar],
  ],
  "more up to a maximum, by two": [
    [],
    [
      "Mais moedas podem ser criadas pelo emissor e por mais um endereço, até 9.223.372.036.854 GEM-5D0X em circulação (agora 1 GEM-5D0X). O que é destruído abre espaço para mais.",
      "Impossível para sempre: destruir moedas dos outros, parar transferências.",
      podeMudar,
    ],
  ],
  "a role to make more, but none can be made": [[], [nunca, podeMudar]],
  "the pair may send and receive": [[limitado], [nunca, podeMudar]],
  "the pair may only send": [
    ["⛔ GEM-5D0X pode ser comprado, mas não vendido: KLV/GEM-5D0X não o aceita de volta.", limitado],
    [nunca, podeMudar],
  ],
  "the pair may only receive": [
    ["⛔ GEM-5D0X não pode ser negociado: KLV/GEM-5D0X não pode entregá-lo.", limitado],
    [nunca, podeMudar],
  ],
  "the pair has no role": [
    ["⛔ GEM-5D0X não pode ser negociado: KLV/GEM-5D0X não pode entregá-lo.", limitado],
    [nunca, podeMudar],
  ],
  "the pair is the owner": [[limitado], [nunca, podeMudar]],
  "roles without a limit": [[], [nunca, podeMudar]],
  "royalties of one share": [[royalties("1% do valor")], [nunca, "Vender custa royalties. O emissor pode mudar isso."]],
  "royalties in bands and a fixed one, final": [
    [royalties("de 0,25% a 5% do valor, conforme a quantidade, e mais 3,000001 KLV")],
    [nunca, "Vender custa royalties. O emissor não pode mais mudar isso."],
  ],
  "a fixed royalty": [[royalties("3 KLV")], [nunca, "Vender custa royalties. O emissor pode mudar isso."]],
  everything: [
    [
      "⛔ GEM-5D0X pode ser comprado, mas não vendido: KLV/GEM-5D0X não o aceita de volta.",
      parado,
      destroi,
      para,
      limitado,
      royalties("100% do valor"),
      "Mais moedas podem ser criadas sem limite pelo emissor e por mais um endereço. Em circulação agora: 0 GEM-5D0X.",
    ],
    ["Vender custa royalties. O emissor pode mudar isso."],
  ],
};

const klvWithDecimals = (id: string) => ({
  id,
  name: id,
  kind: "fungible" as const,
  ...(id === "KLV" && { precision: 6 }),
});
const shown = (lines: Parameters<typeof card>[0]) =>
  asRead(card(lines).text)
    .split("\n")
    .filter((each) => each !== "");

describe.each([
  ["en", en, english, "What the issuer can do", "As the node said at 12:00:00 UTC, 12:00:00 UTC."],
  ["pt", pt, portuguese, "O que o emissor pode fazer", "Segundo o nó, às 12:00:00 UTC, 12:00:00 UTC."],
] as const)("what the issuer of a token can do (%s)", (_language, view, table, title, time) => {
  test.each(Object.entries(issued))("%s", async (name, asset) => {
    const told = await toldOf(asset, now);
    const { warnings, details } = rightsLines(gem, told, [pair], between, { ...view, tokenOf: klvWithDecimals });
    const [expected, folded] = table[name as keyof typeof issued];
    expect(shown(warnings)).toEqual(expected);
    expect(shown(details)).toEqual([title, ...folded, time]);
  });
});
