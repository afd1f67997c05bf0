import type * as en from "../en/rights.js";

const hands: Readonly<Record<string, string>> = {
  account: "sua conta",
  fee: "a conta que recebe a taxa do bot",
  lock: "o contrato de bloqueio",
  referral: "o contrato de indicação",
  router: "o roteador",
};
export const handName: typeof en.handName = (hand) => hands[hand] ?? hand;

export const rights: typeof en.rights = {
  title: "O que o emissor pode fazer",
  signs: {
    paused: "parado agora",
    destroy: "pode ser destruído",
    pause: "pode ser parado",
    destroyAndPause: "podem destruí-lo/pará-lo",
    limit: "só endereços aprovados",
  },
  sentences: {
    paused: (token) => `⛔ Todas as transferências de ${token} estão paradas agora. Só o emissor pode retomá-las.`,
    destroy: (token) => `⚠️ O emissor pode destruir ${token} em qualquer conta: na sua e em um pool.`,
    pause: (token) =>
      `⚠️ O emissor pode parar todas as transferências de ${token}: nada de comprar, vender ou sair de um pool.`,
    limit: (token) => `⚠️ ${token} só circula entre endereços aprovados pelo emissor.`,
  },
  onceResumed: "Uma vez retomadas, não podem mais ser paradas.",
  oneWay: (token, pair) => `⛔ ${token} pode ser comprado, mas não vendido: ${pair} não o aceita de volta.`,
  notMoved: (token, pair) => `⛔ ${token} não pode ser negociado: ${pair} não pode entregá-lo.`,
  unsellable: (token, from, to) =>
    `⛔ ${token} pode ser comprado, mas não vendido: não tem como passar (${from} → ${to}).`,
  handName,
  mayNotBeSold: (token) => `⚠️ ${token} talvez não possa ser revendido`,
  mayNotBeBought: (token) => `⚠️ ${token} talvez não possa ser comprado`,
  closedStep: (token, from, to) =>
    `O emissor de ${token} não autoriza esta passagem: ${from} não pode enviá-lo, e ${to} não pode recebê-lo.`,
  orderUnknown: "Pelo que sei desses contratos, é esse o caminho.",
  loseAll: "Se não puder ser vendido, você perde o que pagar.",
  resaleUnknown: (token) => `⚠️ Não consigo verificar se ${token} pode ser revendido`,
  costUnknown: (token) => `⚠️ Não consigo verificar quanto custa enviar ${token} nem se ele circula`,
  unread: "O nó não informa isso agora.",
  returnUnknown: (tokens) =>
    `⚠️ Não consigo verificar se o emissor de ${tokens} o deixa sair de lá: o nó não informa isso agora.`,
  buyAnyway: "⚠️ Comprar mesmo assim",
  pausedExplain: "A rede quase certamente vai recusar isto.",
  sendAnyway: "⚠️ Tentar mesmo assim",
  changed: "⚠️ Nada foi enviado: algo mudou desde esta cotação.",
  mintLimited: (who, most, now) =>
    `Mais moedas podem ser criadas ${who}, até ${most} em circulação (agora ${now}). O que é destruído abre espaço para mais.`,
  mintUnlimited: (who, now) => `Mais moedas podem ser criadas sem limite ${who}. Em circulação agora: ${now}.`,
  minters: (others) =>
    others === 0
      ? "pelo emissor"
      : `pelo emissor e ${others === 1 ? "por mais um endereço" : `por mais ${others} endereços`}`,
  never: (what) => `Impossível para sempre: ${what}.`,
  nevers: { destroy: "destruir moedas dos outros", pause: "parar transferências", mint: "criar mais" },
  royalties: (token, costs) => `Vender ${token} custa, além do valor, os royalties do emissor: ${costs}.`,
  share: (percent) => `${percent} do valor`,
  shares: (least, most) => `de ${least} a ${most} do valor, conforme a quantidade`,
  both: (share, fixed) => `${share}, e mais ${fixed}`,
  resaleRoyalty: (costs) => `⚠️ Revender tudo custaria ${costs} em royalties`,
  notSoldHere: "ainda não dá para vender por aqui",
  notSignedHere: (token) =>
    `⚠️ Ainda não dá para vender ${token} por aqui: não monto transações com royalties para carteiras.`,
  royaltiesNow: "Vender custa royalties.",
  royaltiesNone: "Vender não custa royalties agora.",
  royaltiesMayChange: "O emissor pode mudar isso.",
  royaltiesFinal: "O emissor não pode mais mudar isso.",
  changesUnknown:
    "Não consigo ler agora se isso ainda vale: as transferências podem estar paradas, e vender pode custar mais.",
  readAt: (time, off) => `Segundo o nó, às ${time}, ${off}.`,
  builtIn: (token) => `${token} é da própria rede: ninguém mais o emite.`,
  untold: "O nó deste bot não informa o que o emissor pode fazer.",
  unreadable: "Não consigo ler agora o que o emissor pode fazer. Tente de novo em instantes.",
  noSuchToken: "O nó diz que esse token não existe.",
  unlisted: "Não está na lista deste bot, então não pode ser negociado aqui.",
  mints: "Mais unidades podem ser criadas.",
  askButton: "🙋 Pedir ao operador para listar",
  asked: {
    asked: "Enviado ao operador, que decide. Se for listado, você poderá negociá-lo aqui.",
    waiting: "Anotado. Muitos pediram hoje: o operador fica sabendo na sua vez.",
    already: "Já pediram ao operador para listá-lo.",
    enough: "Você pode pedir três tokens por dia. Tente de novo amanhã.",
    full: "Há pedidos demais esperando. Tente outro dia.",
    listed: "Já está na lista. Envie o ID para negociá-lo.",
  },
};
