import type * as en from "../en/market.js";
import { serviceFirst, services } from "./faults.js";

export const token: typeof en.token = {
  price: "Preço",
  priceNow: (rate) => `${rate} antes da taxa do bot`,
  semiFungible: "token semifungível (numerado)",
  namesakes: (ids) => `⚠️ Há tokens com o mesmo nome ou um parecido: ${ids}. Guie-se pelo ID.`,
  issuer: (address) => `emissor: ${address}`,
  which: (name) => `Vários tokens se chamam “${name}”. Qual deles? Guie-se pelo ID e pelo emissor.`,
  shareOf: (first, second) => `Token LP do pool ${first}/${second}.`,
  pools: "Pools",
  poolsUnknown: "Não consigo ler os pools agora. Tente de novo em instantes.",
  poolsNone: "Não está em nenhum pool.",
  reserves: (first, second) => `${first} e ${second}`,
  fee: (percent) => `taxa ${percent}`,
  states: {
    Active: "negociação liberada",
    Inactive: "negociação desativada",
    PartialActive: "ainda não aberto para trocas",
  },
  position: "Sua posição",
  spans: { day: "24\u00a0horas", week: "7\u00a0dias" },
  thinPrice: "⚠️ Há tão pouco nos pools que qualquer um pode ter definido este preço.",
  noQuote: "Não consigo uma cotação agora, então nada pode ser comprado ou vendido daqui. Tente de novo em instantes.",
  deepest: "Pool mais fundo",
  poolsClosed: "Nenhum dos seus pools está aberto para trocas.",
  locked: "Tokens LP no contrato de bloqueio",
  lockedUntil: "até quando: desconhecido",
  unknown: "desconhecido",
  none: "nenhum",
  less: (percent) => `menos de ${percent}`,
  opened: "Visto aberto pela primeira vez",
  seenSince: "Visto aqui desde",
  /** Each begins a row, whose other buttons are amounts or shares. */
  buy: "Pagar",
  sell: "Venda",
  all: "Tudo",
};

export const priceAlert: typeof en.priceAlert = {
  set: "🔔 Alerta de preço",
  wayAbove: "acima de",
  wayBelow: "abaixo de",
  above: (token, price) => `${token} acima de ${price}`,
  below: (token, price) => `${token} abaixo de ${price}`,
  move: (token, percent, other) => `${token} ±${percent} em ${other}`,
  forAmount: (amount) => `Preço cotado para vender ${amount}, antes da taxa do bot`,
  seen: (time) => `em ${time}`,
  missing: (time) => `⚠️ nenhum desde ${time}`,
  missingTitle: "⚠️ Sem preço há um dia",
  missingExplain:
    "Continuo consultando e aviso quando houver um preço de novo. Até lá, estes alertas não podem chegar.",
  backTitle: "✅ Há um preço de novo",
  more: (count) => `e mais ${count}`,
  moreInList: (count) => `e mais ${count} em /alerts`,
  every: (seconds) =>
    seconds < 120 ? `consultado a cada ${seconds}\u00a0s` : `consultado a cada ${Math.round(seconds / 60)}\u00a0min`,
  isBeyond: (back) => `O preço já está lá. Aviso na próxima vez que chegar, depois de voltar a ${back}.`,
  moves: (price) => `Aviso quando o preço se afastar isso de ${price}. O próximo movimento conta a partir dali.`,
  waits: "Aviso cada vez que o preço chegar lá. Antes do próximo aviso, ele precisa voltar 1%.",
  ends: (time) => `Até ${time}`,
  paused: "⏸ Pausado",
  held: "🌙 No horário de silêncio, este alerta espera até o fim.",
  through: "🌙 Este alerta vem também no horário de silêncio.",
  pause: "⏸ Pausar",
  resume: "▶️ Retomar",
  edit: "✏️ Editar",
  hold: "🌙 Esperar no silêncio",
  comeThrough: "🌙 Também no silêncio",
  delete: "🗑 Apagar",
  all: "‹ Todos os alertas",
  show: "🔔 Abrir alerta",
  listEmpty: "Você não tem alertas de preço. Crie um, por exemplo: /alert KFI acima de 120 KLV",
  earlier: (count) => `e mais ${count} antes`,
  over: (alert) => `⌛ Alerta encerrado: ${alert}`,
  overTime: "Este alerta expirou. Crie outro com /alert.",
  overUnlisted: "Este alerta terminou: um dos tokens saiu da lista deste bot.",
  askToken: "O preço de qual token? Escolha um ou envie o nome ou o ID.",
  askOther: (token) => `O preço de ${token} em qual token?`,
  askRule: (alert) =>
    `${alert}: quando devo avisar? Envie “acima de 120”, “abaixo de 90” ou uma porcentagem como 5%. Vale por um ano; acrescente 30d para 30 dias.`,
  usage:
    "Envie um token com um preço ou uma porcentagem, como /alert KFI acima de 120 KLV, ou /alert 10 KFI 5% KLV 30d.",
};

export const picture: typeof en.picture = {
  chart: "📈 Gráfico",
  fills: "📈 Execução",
  share: "🖼 Compartilhar",
  usage: (command) => `Envie dois tokens, por exemplo ${command} KFI KLV.`,
  noPrice: (pair) => `Ainda não vi um preço para ${pair}.`,
  spans: { minute: "6 horas", hour: "2 semanas", day: "1 ano" },
  now: (rate) => `Agora: ${rate}`,
  change: (percent) => `Variação: ${percent}`,
  highest: (rate) => `Máxima: ${rate}`,
  lowest: (rate) => `Mínima: ${rate}`,
  seen: (time) =>
    `Preços vistos por este bot desde ${time}: dos pools, antes das taxas; onde não há pool, conforme a cotação`,
  filledTitle: (order) => `Execução: ${order}`,
  valueOn: (value, time) => `${value} em ${time}`,
  started: "Troca feita",
  position: "🖼 Posição",
};

export const position: typeof en.position = {
  days: (count) => (count === 0 ? "menos de um dia" : `${count} ${count === 1 ? "dia" : "dias"}`),
  entry: (rate) => `Entrada: ${rate}`,
  sold: (rate) => `Venda: ${rate}`,
  gain: (percent) => `Ganho: ${percent}`,
  amounts: { shown: "🔢 Com valores", hidden: "🔢 Sem valores" },
  explainHeld:
    "Entrada é o custo médio do que você comprou aqui. Agora é o que a venda de tudo renderia, depois das taxas. Os dias contam desde a primeira compra.",
  explainSold:
    "Entrada é o custo médio do que foi vendido, o preço é o que a venda rendeu, e o ganho já desconta todas as taxas. Os dias contam desde a primeira compra.",
  isPart: "Uma parte não foi comprada aqui: entrada e ganho são do resto.",
  noHistory: "Não há imagem: vi poucos preços nesse tempo.",
  missing: {
    balance: (token) => `Não consigo ver agora quanto ${token} você tem.`,
    cost: (token) => `Não sei quanto custou seu ${token}. Só o que você comprou aqui tem custo conhecido.`,
    depth: (token) => `Não há preço confiável de ${token}: qualquer pessoa pode ter feito o dos pools.`,
    price: (token) => `Não sei quanto ${token} vale agora. Tente de novo mais tarde.`,
    royalty: (token) => `Não consigo ler o royalty de ${token}, então não sei quanto a venda rende.`,
  },
};

const exchangeTerms = new Map([
  ["BUY", "Compra"],
  ["SELL", "Venda"],
  ["LIMIT", "limitada"],
  ["MARKET", "a mercado"],
  ["MAKER", "maker"],
  ["TAKER", "taker"],
  ["OPEN", "aberta"],
  ["PARTIALLY", "parcialmente executada"],
  ["DONE", "executada"],
  ["CANCELED", "cancelada"],
  ["EXPIRED", "vencida"],
  ["REJECTED", "rejeitada"],
  ["FAILED", "malsucedida"],
]);

export const orders: typeof en.orders = {
  watch: "🔔 Acompanhar",
  unwatch: "🔕 Parar",
  mute: "🔇 Sem som",
  unmute: "🔊 Com som",
  copyLink: "🔗 Copiar link",
  named: (word) => exchangeTerms.get(word) ?? word,
  statusLabel: "Situação",
  averageLabel: "Preço médio",
  filledLabel: "Executado",
  ofQuantity: (filled, quantity, percent) => `${filled} de ${quantity} (${percent})`,
  feeLabel: "Taxa",
  created: (time) => `Criada em ${time}`,
  updated: (time) => `Atualizada em ${time}`,
  seen: (time) => `Situação em ${time}`,
  seenAt: (time) => `Situação às ${time}`,
  missing: (time) => `A corretora não encontra esta ordem desde ${time}. Vou continuar tentando por 24 horas.`,
  watched: "Você acompanha esta ordem: eu aviso a cada mudança.",
  watchedMuted: "Você acompanha esta ordem (sem som).",
  nowWatching: "Acompanhando. Aviso a cada mudança.",
  nowUnwatched: "Não estou mais acompanhando.",
  overNothingToWatch: "Esta ordem está encerrada, então não há o que acompanhar.",
  listEmpty: "Você não acompanha nenhuma ordem. Envie /order e o ID de uma ordem e toque em 🔔 Acompanhar.",
  askId: "Qual ordem? Envie o ID; ele se parece com 1989652f-be77-4179-924e-b71c03a4198a.",
  alertDone: "✅ Executada",
  alertUnfilled: (end) => `✖️ ${end}, nada foi executado`,
  alertEnded: (end, percent) => `✖️ ${end}${percent === undefined ? "" : `, ${percent} executada`}`,
  alertOther: "🔔 Ordem atualizada",
  at: (amount, price, isAbout) => `${amount} a ${isAbout ? "~" : ""}${price}`,
  alertGone: "❔ Fim do acompanhamento",
  gone: "A corretora não encontra esta ordem há 24 horas, então parei de acompanhá-la.",
  lastState: "Última situação conhecida:",
  alertTest: "🔔 Alerta de teste",
  testExplain: "Isto é um teste. Os alertas de verdade chegam do mesmo jeito.",
  outage: (service, since) =>
    `⚠️ Não consigo acessar ${services[service]} (desde ${since}), então os alertas de ordens atrasam. Aviso quando voltar.`,
  back: (service, since) =>
    `✅ ${serviceFirst(service)} voltou (fora do ar desde ${since}). As mudanças desse período já vêm.`,
  settingsExplain: "Toque em um tipo de alerta para mudar: ligado, sem som, desligado.",
  kind: {
    fill: "Parcialmente executada",
    done: "Executada",
    canceled: "Cancelada",
    other: "Outras mudanças",
    service: "Corretora fora do ar",
  },
  mode: { on: "🔔 ligado", silent: "🔕 sem som", off: "🚫 desligado" },
  quietLabel: "Horário de silêncio",
  quietNone: "nenhum",
  quietExplain:
    "No seu horário de silêncio, estes alertas chegam sem som. Alertas de preço, limites e compras esperam o fim dele, a menos que você mude isso; os stops vêm.",
  quietAsk:
    "Qual é o seu horário de silêncio? Alertas chegam sem som, e os de preço, limites e compras esperam; os stops vêm. Envie um intervalo no seu fuso horário, por exemplo 22:00-07:00.",
  quietInvalid: "Envie dois horários, assim: 22:00-07:00.",
  quietOff: "Desligar o horário de silêncio",
  testButton: "🔔 Enviar um alerta de teste",
};

export const newPairs: typeof en.newPairs = {
  off: "Desligado. Para receber avisos, escolha quanto um par novo deve ter de cada lado.",
  on: (depth) => `Ligado: aviso uma vez sobre cada par que abre com pelo menos ${depth} de cada lado.`,
  explain:
    "Se um par abre com menos, aviso quando ele chegar lá, dentro de 30 dias. O que já está aberto não conta como novo. No máximo uma mensagem a cada 15\u00a0minutos.",
  quietWait: "🌙 No seu horário de silêncio, espero.",
  usage: "Para outra profundidade, envie por exemplo /newpairs 5000 KLV.",
  turnOff: "🔕 Desligar",
  title: (count) => (count === 1 ? "🆕 Par novo" : `🆕 ${count} pares novos`),
  depth: "Profundidade de cada lado agora",
  drained: (now, was) => `⚠️ Profundidade de cada lado: ${now} agora; já foi ${was}.`,
  empty: (was) => `⚠️ Não dá para trocar nada nele agora; já teve ${was} de cada lado.`,
  unread: (was) => `Já teve ${was} de cada lado. Não consigo ler o que tem agora.`,
  holds: "No pool",
  opened: (time) => `Visto aberto pela primeira vez em ${time}`,
  unlisted: "Fora da lista deste bot: ainda não consigo negociar.",
  beware: "Qualquer pessoa pode abrir um par, com qualquer nome. Confira os IDs.",
  change: "⚙️ Pares novos",
};

export const arrivals: typeof en.arrivals = {
  choose: { on: "📥 Avisar o que chega (1 KLV ou mais)", off: "🔕 Não avisar o que chega" },
  chosen: {
    on: "A partir de agora aviso o que chega ao seu endereço, assim que dois blocos mostrarem. O que vale menos de 1 KLV não é avisado.",
    off: "Não aviso mais o que chega.",
  },
  title: "📥 Chegou ao seu endereço",
  explain:
    "Dois blocos mostram isso. O que suas próprias negociações aqui trouxeram não está incluído; o que vale menos de 1 KLV não é avisado.",
};

export const chainReading: typeof en.chainReading = {
  current: (since) => `Leio cada bloco assim que chega desde ${since}.`,
  behind: (since) =>
    `⚠️ Estou atrasado em relação à rede desde ${since}. O que acontece até eu alcançá-la conto depois, até seis horas disso.`,
  closed: "⚠️ O nó deste bot não mostra seus blocos, e não posso avisar do que acontece na rede.",
  missed: (at) => `⚠️ O nó não me mostrou tudo o que aconteceu em ${at}: pode faltar algo.`,
};

export const bigTrades: typeof en.bigTrades = {
  none: "Desligado. Escolha um par e a partir de que valor avisar.",
  from: (pair, least) => `🔔 ${pair}: a partir de ${least}`,
  ask: (pair) => `${pair}: a partir de quanto?`,
  explain:
    "Aviso de cada troca a partir desse valor quando há mais um bloco sobre o dela. As que vêm em cinco minutos chegam juntas.",
  quietWait: "🌙 As do seu horário de silêncio chegam no fim dele.",
  usage: "Para outro par ou valor, envie por exemplo /bigtrades KLV/KFI 500. O valor é no segundo token.",
  title: (count, pair) => (count === 1 ? `📣 Troca grande: ${pair}` : `📣 ${count} trocas grandes: ${pair}`),
  bought: (base, quote) => `🟢 Compra de ${base} por ${quote}`,
  sold: (base, quote) => `🔴 Venda de ${base} por ${quote}`,
  change: "📣 Trocas grandes",
};
