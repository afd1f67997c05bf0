import type * as en from "../en/rights.js";

export const rights: typeof en.rights = {
  title: "O que o emissor pode fazer",
  signs: {
    paused: "parado agora",
    destroy: "pode ser destruído",
    pause: "pode ser parado",
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
  notMoved: (token, pair) => `⛔ ${token} não pode ser negociado: ${pair} não é um endereço aprovado.`,
  resaleUnknown: (token) => `⚠️ Não consigo verificar se ${token} pode ser revendido`,
  resaleUnknownExplain: "O nó não informa isso agora. Se não puder ser vendido, você perde o que pagar.",
  buyAnyway: "⚠️ Comprar mesmo assim",
  pausedExplain: "A rede quase certamente vai recusar isto.",
  sendAnyway: "⚠️ Tentar mesmo assim",
  changed: "⚠️ Nada foi enviado: algo mudou desde esta cotação.",
  mintLimited: (who, most, now) =>
    `Mais moedas podem ser criadas ${who}, até ${most} em circulação (agora ${now}). O que é destruído abre espaço para mais.`,
  mintUnlimited: (who, now) => `Mais moedas podem ser criadas sem limite ${who}. Em circulação agora: ${now}.`,
  mintUnknown: "Mais moedas podem ser criadas.",
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
  notSoldHere: "ainda não dá para vender por aqui",
  notSignedHere: (token) =>
    `⚠️ Ainda não dá para vender ${token} por aqui: não monto transações com royalties para carteiras.`,
  royaltiesNone: "Vender não custa royalties agora.",
  royaltiesMayChange: "O emissor pode mudar isso.",
  royaltiesFinal: "O emissor não pode mais mudar isso.",
  changesUnknown:
    "Não consigo ler agora se as transferências estão paradas, quem pode criar mais nem o que custa vender.",
  readAt: (time, off) => `Segundo o nó, às ${time}, ${off}.`,
  builtIn: (token) => `${token} é da própria rede; o “emissor” é dela.`,
  untold: "O nó deste bot não informa o que o emissor pode fazer.",
  unreadable: "Não consigo ler agora o que o emissor pode fazer. Tente de novo em instantes.",
  noSuchToken: "O nó diz que esse token não existe.",
  unlisted: "Não está na lista deste bot, então não pode ser negociado aqui.",
};
