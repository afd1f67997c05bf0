import type * as en from "../en/swap.js";

export const swap: typeof en.swap = {
  title: (from, to) => `Troca ${from} → ${to}`,
  quoteTitle: (from, to) => `Cotação ${from} → ${to}`,
  youPay: "Você paga",
  quoted: "Resultado cotado",
  fee: (percent) => `Taxa do bot ${percent}`,
  feeDeducted: "Taxa descontada",
  feeGoesTo: "para quem opera este bot",
  expected: "Você recebe cerca de",
  atLeast: "Você recebe no mínimo",
  orNothing: (slippage) => `ou nada é trocado (slippage ${slippage})`,
  failsBelow: (amount, units) =>
    `Antes da taxa, o contrato exige pelo menos ${amount} (${units} unidades mínimas). Abaixo disso, a troca falha e você fica com seus tokens.`,
  askIn: "Com qual token você paga? Escolha um, ou envie o nome ou id.",
  askOut: (token) => `Você paga com ${token}. Qual token você quer?`,
  askAmount: (from, to) => `Quanto ${from} você quer trocar por ${to}? Escolha ou envie um valor.`,
  done: "✅ Troca feita",
  paid: "Você pagou",
  received: "Você recebeu",
  keptTokens: "Nada foi trocado; você continua com seus tokens.",
  unknownNext: (token) => `Não vou reenviar. Veja se ${token} chegou antes de trocar de novo.`,
  swapThis: "💱 Fazer esta troca",
  toTrade: "Para negociar, envie:",
  usage: (command) => `Envie o valor, o token com que você paga e o que você quer, como ${command} 100 KLV KFI.`,
};

export const price: typeof en.price = {
  impact: "Impacto no preço",
  times: (count) => `${count} vezes`,
  notCompared: "⚠️ Não comparado com os pools",
  unknown: (payment) =>
    `Não consigo comparar este preço com nenhum pool agora, então você pode perder até todos os seus ${payment}.`,
  impactWarning: (percent, loss) => `⚠️ Impacto ${percent}: −${loss}`,
  belowWarning: (howFar, loss) => `⚠️ ${howFar} abaixo dos pools: −${loss}`,
  lossWarning: (percent) => `⛔ Você perderia cerca de ${percent}`,
  worth: (payment) => `Seus ${payment} valem`,
  otherWay: (tokens) => (tokens === "" ? "Uma rota dá cerca de" : `Via ${tokens}, cerca de`),
  loseButton: (loss) => `⚠️ Perder ${loss} e continuar`,
  aboveWarning: (howFar) => `⚠️ ${howFar} acima dos pools`,
  above: (path, best) =>
    `Nos pools, ${path} só dá ${best}. O mais provável é que esta troca seja recusada, e então nada é trocado.`,
  acceptButton: "⚠️ Trocar a este preço mesmo assim",
  bestRoute: "O melhor dos pools",
  byRoute: (tokens) => (tokens === "" ? "Por rota, sem taxa do bot" : `Via ${tokens}, bot 0%`),
  bySwap: (percent) => `Por troca, taxa do bot ${percent}`,
};
