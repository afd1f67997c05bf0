import type { portfolio as en } from "../en/portfolio.js";

export const portfolio: typeof en = {
  asOf: (time, token) => `Em ${token}: o que renderia vender tudo às ${time}, depois da taxa do bot`,
  unseen: "⚠️ Não consigo ver seu saldo agora. Isto mostra só as suas trocas por aqui.",
  noBalance: (token) => `${token}: saldo desconhecido`,
  valueUnknown: "valor desconhecido",
  totalUnknown: "desconhecido",
  saleCost: (percent) => `vender tudo agora: ${percent} abaixo do preço do pool`,
  cost: (cost, price) => `custo ${cost}${price === undefined ? "" : ` (${price} cada)`}`,
  costOnly: (amount) => `conhecido só para ${amount}`,
  costUnknown: "custo desconhecido",
  unrealised: "não realizado",
  realised: "realizado",
  total: "Valor total",
  totalOpen: (count) => `sem contar ${count} de valor desconhecido`,
  unrealisedTotal: "Ganho não realizado",
  realisedTotal: "Ganho realizado",
  shares: "Em pools (fora do total)",
  sharesUnknown: "⚠️ Não consigo ler os pools, então não sei quanto valem os tokens LP.",
  locks: "Bloqueado (fora do total)",
  uncounted: (count) =>
    count === 1
      ? "1 troca não entra na conta: o resultado ou os valores são desconhecidos."
      : `${count} trocas não entram na conta: o resultado ou os valores são desconhecidos.`,
  tooOld: (count) =>
    count === 1
      ? "A transação mais antiga não entra na conta."
      : `As ${count} transações mais antigas não entram na conta.`,
  soldUnknown: (amount) => `vendido a custo desconhecido: ${amount}`,
  explain: "O custo é o custo médio do que você comprou por aqui. O que veio de fora não tem custo conhecido.",
  overTime: "📈 Evolução",
  notYet: "Anoto o total a cada dia em que você abre /portfolio. O gráfico precisa de dois dias: volte amanhã.",
  valueOn: (value, date) => `${value} em ${date}`,
  lookedAt: (date) => `Desde ${date}: o último total de cada dia (UTC) em que você abriu /portfolio`,
  fileName: "meu-portfolio.csv",
  fileCaption: (token) => `Seu portfólio em ${token}. Os valores são exatos; os desconhecidos ficam vazios.`,
};
