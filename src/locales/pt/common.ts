import type { common as en } from "../en/common.js";

export const common: typeof en = {
  confirmSwap: "✅ Confirmar troca",
  refresh: "🔄 Atualizar",
  repeat: "🔁 Repetir",
  tryAgain: "🔄 Tentar de novo",
  cancel: "✖️ Cancelar",
  back: "‹ Voltar",
  detailsCut: "… e mais, que não cabe aqui.",
  older: "Anteriores ›",
  newer: "‹ Recentes",
  page: (page, pages) => `Página ${page} de ${pages}`,
  somethingWentWrong:
    "Algo deu errado do meu lado, então parei e não enviei nada. Tente de novo; se continuar acontecendo, avise o operador.",
  notAllowed: (id) => `Este bot é privado. Peça acesso a quem o opera; seu id no Telegram é ${id}.`,
  askInButton: "🙋 Pedir acesso",
  askIn: {
    asked: "Pedi a quem opera este bot. Se deixarem você entrar, aviso aqui.",
    already: "Já pedi. Uma vez por dia basta.",
    full: "Pessoas demais pediram hoje. Tente de novo amanhã.",
  },
  letIn: "✅ Acesso liberado. Envie /start para começar.",
  openPrivately: "Abrir a conversa privada",
  privateOnly: "Assuntos de dinheiro ficam entre nós dois: abra uma conversa privada comigo e envie o comando lá.",
  foreignCommand:
    "Este comando foi encaminhado ou enviado por outro bot, então não vou executá-lo. Se é o que você quer, envie-o você mesmo.",
  secretDeleted:
    "⚠️ Sua mensagem parecia uma frase de recuperação ou uma chave privada. Eu a apaguei e não guardei cópia.",
  secretNotDeleted:
    "⚠️ Sua mensagem parece uma frase de recuperação ou uma chave privada. Não guardei cópia, mas não consigo apagá-la: apague-a você mesmo, agora.",
  secretAdvice:
    "Se for, considere-a roubada: passe o que ela guarda para uma carteira nova. Nunca preciso de chave nem de frase, e quem pede uma é golpista. (O hash de uma transação parece uma chave. Se era só isso, nada aconteceu.)",
  slowDown:
    "Foi coisa demais de uma vez, e descartei o que não consegui acompanhar. Espere minhas respostas e envie de novo.",
  unknownText: "Não sei o que fazer com isto. /help mostra o que eu faço.",
  unknownCommand: "Não conheço este comando. /help mostra o que eu faço.",
  oldButton: "Este botão é de uma etapa anterior. Comece de novo pelo comando.",
  notYours:
    "Este cartão não é seu, ou já não o conheço, então tirei os botões. Peça um novo, por exemplo com /swap; /history tem o que foi feito.",
  dialogLeft: "Saí do diálogo.",
  cardsCanceled: "Cancelado:",
  cardsClosing: "Encerrando, enquanto verifico se a sua carteira não enviou mesmo assim:",
  andMore: (count) => `e mais ${count}`,
  tooLate: "Já está a caminho e não pode mais ser parado:",
  given: "Já foi entregue à rede, então ainda pode ser executado:",
  nothingToCancel: "Não havia nada para cancelar.",
  froze: (canceled) =>
    `Congelado. Nada pode ser confirmado até você enviar /unfreeze.${canceled > 0 ? ` Cartões abertos cancelados: ${canceled}.` : ""}`,
  unfroze: "Descongelado. Você pode negociar de novo; os cartões anteriores continuam cancelados.",
  notFrozen: "Sua conta não está congelada.",
  tooLong: (maximum) => `É longo demais para mim: leio até ${maximum} caracteres. Envie algo mais curto.`,
  textOnly: "Aqui só consigo ler texto. Digite a resposta ou envie /cancel.",
  smallestUnits: (units, token) => `${units} unidades mínimas de ${token}`,
  youHave: (amount, token) => `Você tem ${amount} ${token}.`,
  youHaveNone: (token) => `Você não tem ${token}.`,
  fromOperator: "📣 De quem opera este bot:",
  goOn: "▶️ Continuar",
  manyTries: (count) =>
    `Já são ${count} respostas que não consegui usar. O que você escolheu até aqui continua valendo: continue, ou envie /cancel para sair.`,
  priceHeld: (time, left) => `Preço até ${time} · ${left}`,
  validUntil: (time, left) => `Válido até ${time} · ${left}`,
  dialogOutdated:
    "Fui atualizado no meio do nosso diálogo e perdi o fio da conversa. Nada foi enviado; comece de novo pelo comando.",
};
