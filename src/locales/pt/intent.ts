import type { intent as en } from "../en/intent.js";
import { resultCode } from "./refusals.js";

export const intent: typeof en = {
  sending: "⏳ Última conferência antes de enviar…",
  sent: "⏳ Enviado. Esperando a resposta…",
  signing: "✍️ Esperando sua carteira assinar. Nada é enviado antes disso.",
  sign: "✍️ Assinar na carteira",
  closing: "Encerrando. Estou verificando se a sua carteira não enviou mesmo assim…",
  sentToChain: "⏳ Assinado. Esperando a rede confirmar…",
  refusedNow: "⏳ Assinado, mas a rede recusa agora",
  refusedNext: (until) =>
    `Ela pode ter aceitado antes, então continuo procurando, e tentando até ${until}. Para garantir que não seja executado, envie qualquer outra transação da sua carteira: ela ocupa o número desta.`,
  carriedOut: "✅ Executado na rede",
  networkFee: "Taxa de rede",
  networkFeeAbout: "Taxa de rede, cerca de",
  networkFeeLater: "Taxa de rede: antes de assinar",
  networkFeeWarning: (percent) => `⚠️ Isso é ${percent} % do que você paga`,
  transaction: "Transação",
  explorer: "🔎 Ver no explorador",
  feeKept: "A rede fica com a parte da taxa que paga banda e gás.",
  accepted: "☑️ O nó aceitou",
  reported: "Ele informou",
  paidTo: (account) => `Para ${account}`,
  account: "Conta",
  fromYours: "Da sua conta e para ela:",
  fromNode: "Da conta do nó para a sua:",
  fromCaller: "Da conta que faz a chamada e para ela; deve ser a sua:",
  signUntil: (time) => `Assine antes de ${time}.`,
  unverified:
    "O nó respondeu ok, mas não com o que o contrato promete, então não sei dizer o que aconteceu. Esta é a resposta, sem alterações:",
  unreadable:
    "A resposta não é o que o contrato promete, então não sei dar os números. Esta é a resposta, sem alterações:",
  checkWallet: "Confira o saldo da sua carteira antes de continuar.",
  failed: "❌ Recusado",
  refusalSays: (text) => `A recusa diz: “${text}”`,
  resultCode,
  notSent: "❌ Não enviado",
  unknown: "⚠️ Resultado desconhecido",
  unknownWhy: "Foi enviado, mas não veio resposta clara: pode ter sido executado ou não.",
  unknownLost:
    "A rede ainda não mostra a transação: ela ainda pode ser executada. Continuo procurando por dois dias. Para garantir que não seja, envie qualquer outra transação da sua carteira: ela ocupa o número desta.",
  unknownReplaced:
    "O número dela foi usado, mas o nó não mostra por qual transação: pode ter sido executada ou não. Continuo procurando por dois dias.",
  foundLater: (what) =>
    `Encontrei isto na rede depois que o cartão já tinha encerrado: ${what}. O cartão diz no que dá.`,
  interrupted: "Fui interrompido antes de enviar qualquer coisa.",
  unknownInterrupted: "Fui interrompido antes da resposta: pode ter sido executado ou não.",
  expired: "⌛ Este cartão expirou. Nada foi enviado.",
  renewed: "⌛ O cartão tinha expirado, então nada foi enviado. Este tem os números de agora:",
  canceled: "✖️ Cancelado. Nada foi enviado.",
  superseded: "Este cartão foi substituído por um mais novo. Nada foi enviado por ele.",
  lookAgain: "Ele promete menos que o cartão que você confirmou. Veja antes de decidir.",
  lookAgainButton: "Mostrar o novo cartão",
  tooSoon: "Este cartão acabou de substituir o anterior. Leia-o e toque de novo.",
  worse: (then, now) =>
    `O preço piorou para você, então nada foi enviado: seu mínimo era ${then}, o resultado agora seria ${now}. Aqui está um cartão novo:`,
};
