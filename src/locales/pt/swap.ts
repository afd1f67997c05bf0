import type * as en from "../en/swap.js";

export const swap: typeof en.swap = {
  title: (from, to) => `Troca ${from} → ${to}`,
  quoteTitle: (from, to) => `Cotação ${from} → ${to}`,
  youPay: "Você paga",
  quoted: "Cotação antes da taxa do bot",
  fee: (percent) => `Taxa do bot ${percent}`,
  feeGoesTo: "para o operador",
  expected: "Você recebe cerca de",
  atLeast: "Você recebe no mínimo",
  orNothing: (slippage) => `ou nada é trocado (slippage ${slippage})`,
  failsBelow: (amount, units) =>
    `Mínimo na rede antes da taxa do bot: ${amount} (${units} unidades-base). Abaixo disso a troca falha e você fica com seus tokens.`,
  askIn: "Com qual token você paga? Escolha um, ou envie o nome ou ID.",
  askOut: (token) => `Você paga com ${token}. Qual token você quer?`,
  askAmount: (from, to) => `Quanto ${from} você quer trocar por ${to}? Escolha ou envie um valor.`,
  done: "✅ Troca concluída",
  paid: "Você pagou",
  received: "Você recebeu",
  keptTokens: "Nada foi trocado; você continua com seus tokens.",
  unknownNext: (token) => `Não troque de novo antes de verificar se ${token} chegou.`,
  swapThis: "💱 Trocar agora",
  toTrade: "Para trocar, envie:",
  usage: (command) => `Envie o valor, o token com que você paga e o que você quer, como ${command} 100 KLV KFI.`,
};

export const price: typeof en.price = {
  totalCost: "Custo total",
  against: (percent) => `${percent} em relação ao preço do pool`,
  none: (why) => `nenhum, ${why}`,
  better: (percent) => `${percent} melhor que o preço do pool`,
  unusual: "incomum: o preço de um pool está muito fora",
  about: (loss) => `cerca de −${loss}`,
  poolFee: (pools) => (pools === 1 ? "Taxa do pool" : `Taxas de ${pools} pools`),
  impact: "Impacto no preço",
  poolPrice: "Preço do pool",
  notCompared: "⚠️ Não consigo conferir este preço agora",
  unknown: (payment) =>
    `Não dá para ler os pools. O mínimo na próxima tela protege você, mas se a própria cotação for ruim, pode perder a maior parte dos seus ${payment}.`,
  lossWarning: (percent) => `⛔ Você perderia cerca de ${percent}`,
  worth: (payment) => `Seus ${payment} valem`,
  otherWay: (tokens) => (tokens === "" ? "Por rota, cerca de" : `Via ${tokens}, cerca de`),
  loseButton: (loss) => `⚠️ Perder ${loss} e continuar`,
  unrealistic: (times) => `⚠️ Cotação irreal: ${times} o preço dos pools`,
  aboveWarning: (percent) => `⚠️ ${percent} acima dos pools`,
  above: (path, best) =>
    `Quase certamente será rejeitada, e então nada seria trocado. Os pools só dão ${best} (${path}).`,
  acceptButton: "⚠️ Trocar a este preço mesmo assim",
  bestRoute: "Melhor rota dos pools",
  byRoute: (tokens) => (tokens === "" ? "Por rota" : `Passando por ${tokens}`),
  bySwap: "Por troca",
};

export const multihop: typeof en.multihop = {
  title: (from, path) => `Rota ${from} → ${path}`,
  confirm: "✅ Confirmar rota",
  pool: "pool",
  expected: (amount) => `cerca de ${amount}`,
  atLeast: (amount) => `no mínimo ${amount}`,
  exactly: (amount) => `exatamente ${amount}`,
  spends: (expected, atMost) => `gasta cerca de ${expected}, no máximo ${atMost}`,
  spendsUnbound: (hops) =>
    `⚠️ O salto ${hops} não tem teto de gasto: se o preço mudar depois de você confirmar, pode sobrar menos troco que o mostrado, ou nenhum.`,
  comesBack: (amount) => `cerca de ${amount} de troco`,
  impact: (percent) => `impacto no preço ${percent}`,
  youGetExactly: "Você recebe exatamente",
  youPayAtMost: "Você paga no máximo",
  orNothingExactly: "ou nada é trocado; o que sobra volta",
  noFee: "Sem taxa do bot",
  allOrNothing: "A rota é executada por inteiro ou não é.",
  done: "✅ Rota concluída",
  change: "Troco devolvido",
  showRoute: (amount) => `🔀 Ver rota: cerca de ${amount}`,
  showSwap: (amount) => (amount === undefined ? "🔀 Ver troca" : `🔀 Ver troca: cerca de ${amount}`),
  askPath:
    "Envie o valor e os tokens na ordem, por exemplo 100 KLV DVK-34ZH KFI. Só com dois tokens, acho a melhor rota.",
  exactHint: "Para um valor exato, escreva-o junto do token, por exemplo KFI=25.",
};
