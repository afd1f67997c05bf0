import type { receipt as en } from "../en/receipt.js";

export const receipt: typeof en = {
  title: "🧾 Recibo",
  none: "Sem recibo: a troca não terminou, ou o resultado ou os valores são desconhecidos.",
  quote: "Em relação à cotação",
  price: "Em relação ao preço do pool",
  best: "Em relação à melhor rota",
  notCompared: "Não deu para ler os pools na hora, então não há com o que comparar o preço.",
  explain: (seconds) =>
    `O que chegou (já sem a taxa do bot) comparado a números de ${seconds} s antes do envio. Preço do pool e melhor rota são antes dessa taxa.`,
  month: "📅 Mês",
  monthTitle: (month) => `Recibos de ${month} (UTC)`,
  mostOnADay: (amount) => `No máximo em um dia: ${amount}`,
  usage: "Envie /receipt, /receipt mês, ou um mês como /receipt 2026-12; com csv no fim, é um arquivo.",
  trades: (count) => (count === 1 ? "1 troca" : `${count} trocas`),
  compared: (count, of) => `Pools conhecidos em ${count} de ${of} trocas.`,
  isCut: (count) => `Só as primeiras ${count} trocas entram na conta.`,
  fileCaption: (month) => `Suas trocas de ${month}. Os valores são exatos; os desconhecidos ficam vazios.`,
};
