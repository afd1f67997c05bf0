import type { Messages } from "../en/index.js";

export const intent: Messages["intent"] = {
  sending: "⏳ Conferindo mais uma vez e enviando…",
  sent: "⏳ Enviado. Esperando a resposta…",
  answered: "✅ O nó respondeu ok",
  unverified: "O nó respondeu ok, mas não com o que o contrato promete, então não afirmo nada. A resposta como veio:",
  checkWallet: "Confira o saldo da sua carteira antes de continuar.",
  failed: "❌ Recusado",
  contractSaid: (text) => `O contrato recusou: “${text}”`,
  notSent: "❌ Não enviado",
  unknown: "⚠️ Resultado desconhecido",
  unknownWhy: "A chamada saiu, mas não voltou uma resposta clara. Ela pode ter sido executada ou não.",
  unknownInterrupted:
    "Fui interrompido entre a sua confirmação e a resposta. A chamada pode ter sido executada ou não.",
  expired: "⌛ Este cartão expirou. Nada foi enviado.",
  canceled: "✖️ Cancelado. Nada foi enviado.",
  superseded: "Este cartão foi substituído por um mais novo. Nada foi enviado por ele.",
  worse: (then, now) =>
    `O preço piorou para você, então nada foi enviado: seu mínimo era ${then}, o resultado agora seria ${now}. Este é um cartão novo:`,
};
