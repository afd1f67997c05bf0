import type { security as en } from "../en/security.js";

export const security: typeof en = {
  title: "Segurança",
  notFrozen: "As negociações estão abertas. 🧊 para tudo de uma vez.",
  frozen: (since) => `Congelado desde ${since}. /unfreeze reabre as negociações.`,
  phrase: "Sua frase",
  noPhrase: "Ainda sem frase. Escolha palavras para cada cartão mostrar: um bot que me imite não as conhece.",
  limits: "Seus limites",
  noLimits: "Nenhum. Um limite vale na hora; aumentar um leva 24 horas.",
  most: (atATime, inADay) => `${atATime} por vez, ${inADay} por dia`,
  unlimited: "sem limite",
  later: (from, most) => `a partir de ${from}: ${most}`,
  changes: "Mudanças recentes",
  noChanges: "Nenhuma.",
  guards: {
    wallet: "endereço de recebimento",
    freeze: "congelado",
    unfreeze: "descongelado",
    limit: "limite",
    phrase: "frase",
    slippage: "slippage",
    timezone: "fuso horário",
  },
  setLimit: "Definir um limite",
  setPhrase: "Escolher uma frase",
  freeze: "🧊 Congelar",
  askLimit:
    "Envie o token, o máximo por vez e o máximo por dia, como KLV 100 / 500. Um traço significa sem limite: KLV - / 500. Contam trocas, rotas, bloqueios e depósitos. Limites menores valem na hora, maiores depois de 24 horas.",
  askPhrase: "Envie algumas palavras, no máximo 40 caracteres, que vão aparecer em cada cartão que você confirmar.",
  badPhrase: "Envie palavras simples, de 1 a 40 caracteres.",
  slippageZero: "⚠️ Com 0 % quase toda troca falha: qualquer mudança no preço já é demais.",
  slippageHigh: (percent) => `⚠️ Com ${percent} % você pode receber ${percent} % a menos. Outros podem se aproveitar.`,
};
