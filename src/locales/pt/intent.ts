import type { Messages } from "../en/index.js";

export const intent: Messages["intent"] = {
  sending: "⏳ Conferindo mais uma vez e enviando…",
  sent: "⏳ Enviado. Esperando a resposta…",
  signing: "✍️ Esperando sua carteira assinar. Nada é enviado antes disso.",
  sign: "✍️ Assinar na carteira",
  closing: "Encerrando. Estou verificando se a sua carteira não enviou mesmo assim…",
  sentToChain: "⏳ Assinado e enviado. Esperando até a rede ter certeza…",
  carriedOut: "✅ Executado na rede",
  networkFee: "Taxa de rede",
  transaction: "Transação",
  explorer: "🔎 Ver na rede",
  feeKept: "A rede fica com a parte da taxa que paga banda e gás; o que você pagou volta.",
  answered: "✅ O nó respondeu ok",
  unverified:
    "O nó respondeu ok, mas não com o que o contrato promete, então não sei dizer o que aconteceu. Esta é a resposta, sem alterações:",
  checkWallet: "Confira o saldo da sua carteira antes de continuar.",
  failed: "❌ Recusado",
  contractSaid: (text) => `O contrato recusou: “${text}”`,
  notSent: "❌ Não enviado",
  unknown: "⚠️ Resultado desconhecido",
  unknownWhy: "A chamada foi enviada, mas não voltou uma resposta clara. Ela pode ter sido executada ou não.",
  unknownInterrupted:
    "Fui interrompido entre a sua confirmação e a resposta. A chamada pode ter sido executada ou não.",
  expired: "⌛ Este cartão expirou. Nada foi enviado.",
  canceled: "✖️ Cancelado. Nada foi enviado.",
  superseded: "Este cartão foi substituído por um mais novo. Nada foi enviado por ele.",
  lookAgain: "Ele promete menos que o cartão que você confirmou. Veja-o antes de decidir.",
  lookAgainButton: "Mostrar o novo cartão",
  tooSoon: "Este cartão acabou de substituir o anterior. Leia-o e toque de novo.",
  worse: (then, now) =>
    `O preço piorou para você, então nada foi enviado: seu mínimo era ${then}, o resultado agora seria ${now}. Este é um cartão novo:`,
};
