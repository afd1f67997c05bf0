import type { token as en } from "../en/token.js";

export const token: typeof en = {
  name: "Nome",
  price: "Preço",
  priceNow: (token, rate, other) => `1 ${token} = ${rate} ${other} antes da taxa`,
  kind: "Tipo",
  ordinary: "token comum",
  semiFungible: "token semifungível, cada um com um número",
  decimals: "Decimais",
  decimalsUnknown: "desconhecidos, então só conto unidades mínimas",
  namesakes: (ids) => `⚠️ Outros tokens têm o mesmo nome, ou um parecido: ${ids}. Só o id conta.`,
  shareOf: (first, second) => `É uma parte do pool de ${first} e ${second}.`,
  pools: "Pools",
  poolsUnknown: "Não consigo ler os pools agora. Envie o id de novo daqui a pouco.",
  poolsNone: "Não está em nenhum pool.",
  reserves: (first, second) => `${first} e ${second}`,
  fee: (percent) => `taxa ${percent}`,
  states: {
    Active: "aberto para negociação",
    Inactive: "desligado",
    PartialActive: "ainda não aberto para negociação",
  },
  commands: "Você também pode enviar:",
};
