import type * as en from "../en/history.js";

export const history: typeof en.history = {
  empty: "Nada aqui ainda. Comece com /swap.",
  nothingHere: "Nada deste tipo ainda.",
  filters: { all: "Tudo", swap: "Trocas", multihop: "Rotas", lock: "Bloqueios", launch: "Lançamentos" },
  done: "concluído",
  accepted: "aceito, não confirmado",
  refused: "rejeitado",
  notSent: "não enviado",
  unknown: "resultado desconhecido",
  arrived: "concluído (sem resposta)",
  filed: "você marcou como não executado",
  signing: "esperando sua assinatura",
  underWay: "em andamento",
  file: "📄 Exportar CSV",
  fileName: "historico.csv",
  fileCaption:
    "Seu histórico completo, do mais antigo ao mais novo. Os valores são exatos; o que não foi confirmado fica sem valor.",
  feesTitle: "Taxas",
  feesExplain: (percent) =>
    `O resultado de cada troca é dividido na própria rede: ${percent} vai para o operador deste bot, o resto para você. Você vê os dois valores antes de confirmar. O bot não cobra nenhuma outra taxa.`,
  feesPaid: "Pago nas trocas de /history, segundo o nó ou o seu saldo:",
  feesNone: "Nenhuma troca de /history pagou taxa.",
  feesMore: (tokens) => `e em mais ${tokens} tokens`,
};

export const receipt: typeof en.receipt = {
  title: "🧾 Recibo",
  none: "Sem recibo: a troca não terminou, ou o resultado ou os valores são desconhecidos.",
  quote: "Frente à cotação",
  price: "Frente ao preço do pool",
  best: "Frente à melhor rota",
  notCompared: "Não deu para ler os pools na hora, então não há preço para comparar.",
  explain: (seconds) =>
    `O que você recebeu (depois da taxa do bot), comparado com números de ${seconds} s antes do envio. O preço do pool e a melhor rota são antes dessa taxa.`,
  month: "📅 Mês",
  monthTitle: (month) => `Recibos de ${month} (UTC)`,
  mostOnADay: (amount) => `Máximo em um dia: ${amount}`,
  usage: "Envie /receipt, /receipt mês, ou um mês como /receipt 2026-12. Acrescente csv para receber um arquivo.",
  empty: "Nenhuma troca concluída neste mês.",
  trades: (count) => (count === 1 ? "1 troca" : `${count} trocas`),
  compared: (count, of) => `Preço do pool conhecido em ${count} de ${of} trocas.`,
  isCut: (count) => `Só as primeiras ${count} trocas entram na conta.`,
  fileCaption: (month) => `Suas trocas de ${month}. Os valores são exatos; os desconhecidos ficam vazios.`,
};
