import type { swap as en } from "../en/swap.js";

export const swap: typeof en = {
  title: (from, to) => `Troca ${from} → ${to}`,
  quoteTitle: (from, to) => `Cotação ${from} → ${to}`,
  youPay: "Você paga",
  quoted: "Resultado cotado",
  fee: (percent) => `Taxa do bot ${percent} %`,
  feeDeducted: "Taxa descontada",
  feeGoesTo: "para quem opera este bot",
  expected: "Você recebe cerca de",
  atLeast: "Você recebe no mínimo",
  orNothing: (slippage) => `ou nada é trocado (slippage ${slippage} %)`,
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
