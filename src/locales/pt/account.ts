import type * as en from "../en/account.js";

export const wallet: typeof en.wallet = {
  explain: "Trocas, bloqueios e desbloqueios são pagos neste endereço. Confira cada caractere.",
  signs: "Precisa ser uma conta da sua própria carteira Klever, que assina e paga tudo o que você confirmar aqui.",
  since: (time) => `Definido em ${time}.`,
  change: "Para mudar, cole aqui outro endereço klv1…",
  ask: "Envie o endereço klv1… da sua carteira. Nunca envie chave privada nem frase de recuperação.",
  pasted: "Usar este como seu endereço de carteira?",
  pastedOther: "Este não é o endereço que você definiu:",
  useButton: "📬 Usar este endereço",
  changeTitle: "Mudar seu endereço de carteira?",
  from: "Endereço atual",
  to: "Endereço novo",
  changeWarning: "Tudo passaria a ser pago no endereço novo. Se alguém mandou você fazer isso, é golpe: pare.",
  changeButton: "Sim, mudar",
  changed: (before) => `Seu endereço de carteira mudou. Endereço anterior: ${before}.`,
  cardsCanceled: (count) =>
    `${count} ${count === 1 ? "cotação aberta para o endereço antigo foi cancelada" : "cotações abertas para o endereço antigo foram canceladas"}.`,
};

export const balance: typeof en.balance = {
  nothing: "Nenhum saldo encontrado.",
  locked: "Bloqueado",
  until: (asset, epoch, date) =>
    date === undefined ? `${asset}, até a época ${epoch}` : `${asset}, até ${date} (época ${epoch})`,
  standsFor: (first, second) => `representa ${first} + ${second}`,
  onlyKnown: "Informado pelo nó agora. Tokens fora da lista deste bot não aparecem.",
  beforeAfter: (before, after) => `Saldo: ${before} → ${after}`,
  check: "🔎 Verificar",
  file: "✖️ Não aconteceu",
  filed: (time) => `✖️ Você marcou como não executado (${time})`,
  filedExplain: "Ainda conta nos seus limites. Se chegar depois, 🔎 Verificar encontra.",
  arrived: (time) => `🔎 Chegou (${time}).`,
  notArrived: (time) => `🔎 Ainda não chegou nada (${time}). Verifique de novo em um minuto.`,
  unclear: (time) => `🔎 Sem certeza ainda (${time}).`,
  onChain: "🔎 Confirmado na rede.",
  why: {
    "unknown-before": "Não tenho um saldo anterior para comparar.",
    "unknown-now": "Não consigo ler seu saldo agora.",
    "other-calls": "Você fez outras transações depois, então o saldo não prova nada. Compare:",
    other: "Seu saldo mudou, mas não no valor esperado. Compare:",
  },
};

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

export const portfolio: typeof en.portfolio = {
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
    `${count} ${count === 1 ? "troca não entra" : "trocas não entram"} na conta: o resultado ou os valores são desconhecidos.`,
  tooOld: (count) =>
    `${count === 1 ? "A transação mais antiga não entra" : `As ${count} transações mais antigas não entram`} na conta.`,
  soldUnknown: (amount) => `vendido a custo desconhecido: ${amount}`,
  explain: "O custo é o custo médio do que você comprou por aqui. O que veio de fora não tem custo conhecido.",
  overTime: "📈 Evolução",
  notYet: "Anoto o total a cada dia em que você abre /portfolio. O gráfico precisa de dois dias: volte amanhã.",
  lookedAt: (date) => `Desde ${date}: o último total de cada dia (UTC) em que você abriu /portfolio`,
  fileName: "meu-portfolio.csv",
  fileCaption: (token) => `Seu portfólio em ${token}. Os valores são exatos; os desconhecidos ficam vazios.`,
};
