import type * as en from "../en/common.js";

export const common: typeof en.common = {
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
  unanswered: (time) =>
    `O Telegram não aceitou minha resposta (${time}). Peça de novo. Se você tinha confirmado uma operação, veja antes o /history.`,
  letIn: "✅ Acesso liberado. Envie /start para começar.",
  openPrivately: "Abrir a conversa privada",
  privateOnly: "Só negocio em conversas privadas. Abra uma conversa comigo e envie o comando lá.",
  foreignCommand:
    "Este comando foi encaminhado ou enviado por outro bot, então o ignorei. Para executá-lo, envie-o você mesmo.",
  secret: {
    deleted: "⚠️ Isso parecia uma frase de recuperação ou uma chave privada. Apaguei sua mensagem e não guardei cópia.",
    notDeleted:
      "⚠️ Isso parece uma frase de recuperação ou uma chave privada. Não consegui apagar: apague você mesmo, agora. Não guardei cópia.",
    unless: "(O hash de uma transação parece uma chave. Se era só isso, ignore este aviso.)",
  },
  keyFile: {
    deleted:
      "⚠️ Isso parecia um arquivo com uma chave privada ou uma carteira. Apaguei sua mensagem e não abri o arquivo.",
    notDeleted:
      "⚠️ Isso parece um arquivo com uma chave privada ou uma carteira. Não consegui apagar: apague você mesmo, agora. Não abri o arquivo.",
    unless: "(Vejo só o nome e o tipo do arquivo. Se não há chave nele, ignore este aviso.)",
  },
  secretAdvice:
    "Se for de verdade, considere a carteira roubada: passe seus tokens para uma carteira nova agora. Nunca preciso de chave nem de frase. Quem pede uma é golpista.",
  slowDown: "Você envia mensagens mais rápido do que consigo ler, e descartei algumas. Espere as respostas e reenvie.",
  unknownText: "Não entendi. /help mostra o que eu faço.",
  unknownCommand: "Comando desconhecido. /help mostra o que eu faço.",
  oldButton: "Este botão não vale mais. Comece de novo pelo comando.",
  notYours:
    "Isto não é seu, ou é antigo demais, então tirei os botões. Comece de novo, por exemplo com /swap. /history mostra o que foi feito.",
  dialogLeft: "✖️ Pergunta cancelada. Nada foi enviado.",
  dialogEnded: (command) => `Você começou outra coisa, e a pergunta de /${command} foi encerrada.`,
  resume: (command) => `▶️ Continuar /${command}`,
  askedBelow: "Há uma pergunta aberta abaixo: responda lá.",
  notAnswer: (text) => `“${text}” não responde a esta pergunta.`,
  doInstead: "Para fazer isso agora, toque no botão: depois você pode voltar à pergunta.",
  doLater: "Primeiro responda à pergunta ou cancele-a; depois envie isso de novo.",
  cardsCanceled: "Cancelado:",
  cardsClosing: "Cancelando. Verificando se a sua carteira já não enviou:",
  andMore: (count) => `e mais ${count}`,
  storm: {
    begins: "🌀 Isto vai e volta. Não digo mais nada até ficar estável por dez minutos.",
    over: "🌀 Estável há dez minutos.",
    count: (count, at) => `Aconteceu ${count} vezes, a última ${at}.`,
  },
  unclear: (count, at) =>
    count === 1
      ? `⚠️ 1 pode não ter chegado a você: não sei se o Telegram a aceitou (${at}). Envio uma mensagem dessas só uma vez.`
      : `⚠️ ${count} podem não ter chegado a você: não sei se o Telegram as aceitou (a última: ${at}). Envio mensagens dessas só uma vez.`,
  tooLate: "Já foi enviado, não dá para cancelar:",
  given: "Já foi entregue à rede, então ainda pode ser executado:",
  cardsKept:
    "As trocas das suas ordens continuam abertas. Cancelar, abaixo da troca, encerra uma; /orders pausa ou apaga a ordem:",
  nothingToCancel: "Nada para cancelar.",
  froze: "🧊 Conta congelada. Você não pode negociar até enviar /unfreeze.",
  frozeQuotes: (canceled) => `Cotações abertas canceladas: ${canceled}.`,
  frozeRequests: (canceled) => `Pedidos abertos cancelados: ${canceled}.`,
  unfroze: "Conta descongelada. Você pode negociar de novo. O que foi cancelado continua cancelado.",
  notFrozen: "Sua conta não está congelada.",
  tooLong: (maximum) => `Texto longo demais: leio até ${maximum} caracteres. Envie algo mais curto.`,
  textOnly: "Responda com texto ou envie /cancel.",
  thin: (amount) => `pouca liquidez: cerca de ${amount}`,
  thinExplain: "Pouca liquidez: há pouco demais nos pools para contar com isso, então fica fora do total.",
  smallestUnits: (units, token) => `${units} unidades básicas de ${token}`,
  youHave: (amount, token) => `Você tem ${amount} ${token}.`,
  youHaveNone: (token) => `Você não tem ${token}.`,
  fromOperator: "📣 Do operador deste bot:",
  goOn: "▶️ Continuar",
  manyTries: (count) =>
    `Não consegui usar ${count} das suas respostas. O que você já escolheu continua valendo: continue, ou envie /cancel para sair.`,
  validUntil: (time, left) => `Válido até ${time} · ${left}`,
  dialogOutdated: "Fui atualizado no meio disto e perdi suas respostas. Nada foi enviado; comece de novo pelo comando.",
};

export const help: typeof en.help = {
  welcomeTitle: "Boas-vindas ao Swapdesk",
  welcome:
    "Troque KLV, KFI e outros tokens da Klever aqui mesmo, com ordens limitadas, stops e compras recorrentes que perguntam antes. Envie um token para ver o que o emissor pode fazer antes de comprar. Você vê cada número antes de confirmar, e cada confirmação envia no máximo uma transação.",
  holdsNoKeys:
    "Nunca guardo nem peço suas chaves. Quem pedir frase de recuperação ou chave privada em meu nome é golpista.",
  nextWallet: "Toque em 💱 Trocar para começar. Pergunto o endereço da sua carteira e depois o que trocar.",
  homeTitle: "🏠 Sua conta",
  homeUnseen: "Agora não consigo ver o saldo.",
  homeTotal: (amount) => `Total: cerca de ${amount}`,
  homeAsOf: (time) => `Às ${time}, pelos preços dos pools`,
  swapButton: "💱 Trocar",
  repeatTitle: "Qual troca você quer repetir?",
  nothingToRepeat: "Você ainda não tem trocas para repetir.",
  quick: {
    title: "Mais rápido",
    token: (token) => `Envie um token, como ${token}: o preço, o que o emissor pode fazer e botões para negociar.`,
    spoken: (token) => `Envie comprar 100 ${token}, ou vender 5 ${token}.`,
    reply: "Responda a uma cotação com um número para mudar o valor.",
  },
  fee: (percent) =>
    `Taxa: ${percent} do resultado de cada troca vai para o operador deste bot. Você vê o valor exato antes de confirmar.`,
  commands: {
    start: "Sua conta e o menu principal",
    help: "O que eu faço",
    quote: "Pedir uma cotação",
    swap: "Trocar tokens",
    limit: "Comprar ou vender ao seu preço",
    stoploss: "Ser consultado quando um preço cair",
    dca: "Comprar um pouco com regularidade",
    locks: "Seus bloqueios",
    order: "Ver uma ordem da corretora",
    orders: "Suas ordens",
    alert: "Criar um alerta de preço",
    alerts: "Seus alertas de preço",
    newpairs: "Avisos de pares novos",
    bigtrades: "Avisos de trocas grandes",
    wallet: "Seu endereço de carteira",
    balance: "Seu saldo",
    addresses: "Endereços que você só acompanha",
    portfolio: "Seu portfólio: valor, custo, ganhos",
    settings: "Slippage, valores, idioma",
    history: "Seu histórico",
    freeze: "Bloquear todas as negociações agora",
    cancel: "Cancelar o que você está fazendo",
  },
};

export const share: typeof en.share = {
  open: "Abrir no Swapdesk",
  hint: "Digite 100 KLV KFI, ou o ID de uma ordem",
  busy: "Pedidos demais. Tente de novo em instantes",
  none: "Nada encontrado",
  quoteHint: "Preço agora, depois da taxa do bot",
  priceAt: (time, ago) => `Preço às ${time}, ${ago}`,
  seenAt: (time, ago) => `Situação às ${time}, ${ago}`,
  badLink: "Não consigo ler este link. Envie /help para ver o que sei fazer.",
};
