import type { Messages } from "../en/index.js";

export const swap: Messages["swap"] = {
  title: (from, to) => `Troca ${from} → ${to}`,
  quoteTitle: (from, to) => `Cotação ${from} → ${to}`,
  youPay: "Você paga",
  quoted: "Resultado cotado",
  rate: (from, rate, to) => `1 ${from} = ${rate} ${to}`,
  fee: (percent) => `Taxa ${percent} %`,
  feeGoesTo: "para quem opera este bot",
  expected: "Você recebe cerca de",
  atLeast: "Você recebe no mínimo",
  failsBelow: (amount, slippage) =>
    `Se o resultado ficar abaixo de ${amount} antes da taxa (tolerância ${slippage} %), a troca falha e você fica com seus tokens.`,
  payout: "Pago para",
  askIn: "Com qual token você paga? Escolha um, ou envie o nome ou id.",
  askOut: (token) => `Você paga com ${token}. Qual token você quer?`,
  askAmount: (from, to) => `Quanto ${from} você quer trocar por ${to}? Escolha, ou envie um valor em ${from} inteiros.`,
  received: "Você recebeu",
  feePaid: (percent) => `Taxa ${percent} %`,
  total: "Resultado total",
  keptTokens: "Nada foi trocado; seus tokens ficam onde estão.",
  unknownNext: (token) =>
    `Não vou enviar de novo. Confira se ${token} chegou à sua carteira antes de trocar outra vez.`,
  farWorse: "⚠️ Esta cotação é muito pior que a dos pools. Pode haver algo errado com o serviço de cotação.",
  farWorseButton: "⚠️ Trocar a este preço mesmo assim",
  swapThis: "💱 Trocar assim",
  toTrade: "Para negociar, envie:",
  usage: (command) => `Envie o valor, o token com que você paga e o que você quer, como ${command} 100 KLV KFI.`,
};
