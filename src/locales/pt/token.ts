import type { token as en } from "../en/token.js";

export const token: typeof en = {
  name: "Nome",
  price: "Preço",
  priceNow: (token, rate, other) => `1 ${token} = ${rate} ${other} antes da taxa do bot`,
  kind: "Tipo",
  ordinary: "token fungível",
  semiFungible: "token semifungível (numerado)",
  decimals: "Decimais",
  decimalsUnknown: "desconhecidos (valores em unidades-base)",
  namesakes: (ids) => `⚠️ Há tokens com o mesmo nome ou um parecido: ${ids}. Guie-se pelo ID.`,
  shareOf: (first, second) => `Token LP do pool ${first}/${second}.`,
  pools: "Pools",
  poolsUnknown: "Não consigo ler os pools agora. Tente de novo em instantes.",
  poolsNone: "Não está em nenhum pool.",
  reserves: (first, second) => `${first} e ${second}`,
  fee: (percent) => `taxa ${percent}`,
  states: {
    Active: "negociação liberada",
    Inactive: "negociação desativada",
    PartialActive: "ainda não aberto para trocas",
  },
  commands: "Você também pode enviar:",
};
