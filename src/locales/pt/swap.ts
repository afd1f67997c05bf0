import type { Messages } from "../messages.js";

export const swap: Messages["swap"] = {
  title: (from, to) => `Troca ${from} → ${to}`,
  quoteTitle: (from, to) => `Cotação ${from} → ${to}`,
  youPay: "Você paga",
  quoted: "Cotado",
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
  sending: "⏳ Conferindo o preço mais uma vez e enviando…",
  sent: "⏳ Enviado. Esperando a resposta…",
  answered: "✅ O nó respondeu ok",
  received: "Você recebeu",
  feePaid: (percent) => `Taxa ${percent} %`,
  total: "Resultado total",
  unverified:
    "O nó respondeu ok, mas os números não são a divisão que o contrato promete, então não afirmo nada. A resposta como veio:",
  checkWallet: "Confira o saldo da sua carteira antes de continuar.",
  failed: "❌ Não trocado",
  contractSaid: (text) => `O contrato recusou: “${text}”`,
  keptTokens: "Nada foi trocado.",
  notSent: "❌ Não enviado",
  unknown: "⚠️ Resultado desconhecido",
  unknownWhy: "A chamada saiu, mas não voltou uma resposta clara. Ela pode ter sido executada ou não.",
  unknownInterrupted:
    "Fui interrompido entre a sua confirmação e a resposta. A chamada pode ter sido executada ou não.",
  unknownNext: (token) =>
    `Não vou enviá-la de novo. Veja na sua carteira se ${token} chegou antes de trocar outra vez.`,
  expired: "⌛ Esta cotação expirou. Nada foi enviado.",
  canceled: "✖️ Cancelado. Nada foi enviado.",
  superseded: "Este cartão foi substituído por um mais novo. Nada foi enviado por ele.",
  worse: (then, now) =>
    `O preço piorou para você, então nada foi enviado: seu mínimo era ${then} antes da taxa, o resultado agora seria ${now}. Este é um cartão novo:`,
  toTrade: "Para negociar, envie:",
  usage: "Em uma linha fica assim:",
};
