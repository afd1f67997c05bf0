import type { common as en } from "../en/common.js";

export const common: typeof en = {
  confirmSwap: "✅ Confirmar troca",
  refresh: "🔄 Atualizar",
  newQuote: "🔄 Nova cotação",
  repeat: "🔁 Repetir",
  tryAgain: "🔄 Tentar de novo",
  cancel: "✖️ Cancelar",
  back: "‹ Voltar",
  detailsCut: "… e mais, que não cabe aqui.",
  open: (position) => `${position} · Abrir`,
  older: "Anteriores ›",
  newer: "‹ Recentes",
  page: (page, pages) => `Página ${page} de ${pages}`,
  somethingWentWrong:
    "Algo deu errado do meu lado. Nada foi enviado. Tente de novo; se continuar acontecendo, fale com o operador.",
  notAllowed: (id) => `Este bot é privado. Para ter acesso, fale com o operador. Seu ID no Telegram é ${id}.`,
  askInButton: "🙋 Pedir acesso",
  askIn: {
    asked: "Pedido enviado ao operador. Se for aprovado, aviso aqui.",
    already: "Você já pediu hoje. Espere a resposta.",
    full: "Pedidos demais hoje. Tente de novo amanhã.",
  },
  letIn: "✅ Acesso liberado. Envie /start para começar.",
  openPrivately: "Abrir a conversa privada",
  privateOnly: "Só negocio em conversas privadas. Abra uma conversa comigo e envie o comando lá.",
  foreignCommand:
    "Este comando foi encaminhado ou enviado por outro bot, então o ignorei. Para executá-lo, envie-o você mesmo.",
  secretDeleted:
    "⚠️ Isso parecia uma frase de recuperação ou uma chave privada. Apaguei sua mensagem e não guardei cópia.",
  secretNotDeleted:
    "⚠️ Isso parece uma frase de recuperação ou uma chave privada. Não consegui apagar: apague você mesmo, agora. Não guardei cópia.",
  secretAdvice:
    "Se for verdadeira, considere-a roubada: passe seus tokens para uma carteira nova agora. Nunca preciso de chave nem de frase. Quem pede uma é golpista. (O hash de uma transação parece uma chave. Se era só isso, ignore este aviso.)",
  slowDown: "Você envia mensagens mais rápido do que consigo ler, e descartei algumas. Espere as respostas e reenvie.",
  unknownText: "Não entendi. /help mostra o que eu faço.",
  unknownCommand: "Comando desconhecido. /help mostra o que eu faço.",
  oldButton: "Este botão não vale mais. Comece de novo pelo comando.",
  notYours:
    "Isto não é seu, ou é antigo demais, então tirei os botões. Comece de novo, por exemplo com /swap. /history mostra o que foi feito.",
  dialogLeft: "Cancelado.",
  cardsCanceled: "Cancelado:",
  cardsClosing: "Cancelando. Verificando se a sua carteira já não enviou:",
  andMore: (count) => `e mais ${count}`,
  tooLate: "Já foi enviado, não dá para cancelar:",
  given: "Já foi entregue à rede, então ainda pode ser executado:",
  nothingToCancel: "Nada para cancelar.",
  froze: (canceled) =>
    `🧊 Congelado. Você não pode negociar até enviar /unfreeze.${canceled > 0 ? ` Cotações abertas canceladas: ${canceled}.` : ""}`,
  unfroze: "Descongelado. Você pode negociar de novo. Cotações canceladas continuam canceladas.",
  notFrozen: "Sua conta não está congelada.",
  tooLong: (maximum) => `Texto longo demais: leio até ${maximum} caracteres. Envie algo mais curto.`,
  textOnly: "Responda com texto ou envie /cancel.",
  smallestUnits: (units, token) => `${units} unidades-base de ${token}`,
  youHave: (amount, token) => `Você tem ${amount} ${token}.`,
  youHaveNone: (token) => `Você não tem ${token}.`,
  fromOperator: "📣 Do operador deste bot:",
  goOn: "▶️ Continuar",
  manyTries: (count) =>
    `Não consegui usar ${count} das suas respostas. O que você já escolheu continua valendo: continue, ou envie /cancel para sair.`,
  validUntil: (time, left) => `Válido até ${time} · ${left}`,
  dialogOutdated: "Fui atualizado no meio disto e perdi suas respostas. Nada foi enviado; comece de novo pelo comando.",
};
