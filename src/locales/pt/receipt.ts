import type { receipt as en } from "../en/receipt.js";

export const receipt: typeof en = {
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
