import type { portfolio as en } from "../en/portfolio.js";

export const portfolio: typeof en = {
  asOf: (time, token) => `Em ${token}, como se tudo fosse vendido às ${time}, depois da taxa do bot`,
  unseen: "⚠️ Não consigo ver seu saldo agora. O que segue vem só das suas trocas por aqui.",
  noBalance: (token) => `${token}: saldo desconhecido`,
  valueUnknown: "valor desconhecido",
  saleCost: (percent) => `vender tudo custa ${percent} do preço do pool`,
  cost: (cost, price) => `custo ${cost}${price === undefined ? "" : ` (${price} cada)`}`,
  costOnly: (amount) => `conhecido só para ${amount}`,
  costUnknown: "custo desconhecido",
  unrealised: "não realizado",
  realised: "realizado",
  total: "Valor total",
  totalOpen: (count) => `fora ${count} de valor desconhecido`,
  unrealisedTotal: "Ganho não realizado",
  realisedTotal: "Ganho realizado",
  shares: "Em pools (fora do total)",
  sharesUnknown: "⚠️ Não consigo ler os pools, então não sei quanto valem os tokens LP.",
  locks: "Bloqueado (fora do total)",
  uncounted: (count) =>
    count === 1
      ? "1 troca não entra na conta: o resultado ou os valores são desconhecidos."
      : `${count} trocas não entram na conta: o resultado ou os valores são desconhecidos.`,
  tooOld: (count) => `As ${count} transações mais antigas não entram na conta.`,
  soldUnknown: (amount) => `vendido a custo desconhecido: ${amount}`,
  explain: "Custo médio do que você comprou por aqui. O que veio de fora não tem custo conhecido.",
  fileName: "meu-portfolio.csv",
  fileCaption: (token) => `Seu portfólio em ${token}. Os valores são exatos; os desconhecidos ficam vazios.`,
};
