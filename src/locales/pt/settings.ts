import type * as en from "../en/settings.js";

export const settings: typeof en.settings = {
  title: "Configurações",
  slippage: "Slippage",
  slippageExplain: (maximum) =>
    `Quanto o preço pode piorar entre a cotação e a troca. Um valor maior deixa mais trocas passarem; um menor protege melhor. No máximo ${maximum}.`,
  presets: "Botões de valor",
  language: "Idioma",
  timeZone: "Fuso horário",
  custom: "Outro valor",
  askSlippage: (maximum) => `Envie o slippage em porcentagem, como 0,5 ou 2. No máximo ${maximum}.`,
  badSlippage: (maximum) => `Envie um número de 0 a ${maximum} com no máximo duas casas decimais, como 0,5.`,
  askPresets: "Envie até quatro valores separados por espaço, como 10 50 250.",
  badPresets: "Envie de um a quatro valores simples separados por espaço, como 10 50 250.",
  askTimeZone: "Que cidade tem o seu horário? Escolha uma, ou envie o nome dela ou o fuso, como Europe/Lisbon.",
  badTimeZone:
    "Não conheço o horário deste lugar. Envie uma cidade maior perto de você, ou um fuso como Europe/Lisbon ou America/Sao_Paulo.",
  saved: "Salvo.",
  appliesToNew: "Vale para cartões novos. Um cartão aberto mantém os números que mostra.",
  alerts: "Alertas",
};

export const security: typeof en.security = {
  title: "Segurança",
  notFrozen: "As negociações estão abertas. 🧊 para tudo de uma vez.",
  frozen: (since) => `Congelado desde ${since}. /unfreeze reabre as negociações.`,
  phrase: "Sua frase",
  noPhrase: "Ainda sem frase. Escolha palavras para cada cartão mostrar: um bot que me imite não as conhece.",
  limits: "Seus limites",
  noLimits: "Nenhum. Um limite vale na hora; aumentar um leva 24 horas.",
  most: (atATime, inADay) => `${atATime} por vez, ${inADay} por dia`,
  unlimited: "sem limite",
  later: (from, most) => `a partir de ${from}: ${most}`,
  unfreezeLater: (from) => `As negociações reabrem em ${from}.`,
  walletLater: (from) => `A partir de ${from}, tudo será pago em:`,
  walletInEffect: "Seu endereço de recebimento mudou. Agora tudo é pago em:",
  undo: {
    wallet: "↩️ Manter o endereço atual",
    unfreeze: "↩️ Continuar congelado",
    forget: "↩️ Não apagar nada",
  },
  undone: {
    wallet: "↩️ Desfeito: seu endereço de recebimento continua o mesmo.",
    unfreeze: "↩️ Desfeito: você continua congelado.",
    forget: "↩️ Nada será apagado.",
  },
  forgetTitle: "O que guardo sobre você",
  forgetKept:
    "Seu endereço de recebimento, ajustes, limites e frase; o histórico das suas chamadas; o que você bloqueou e lançou por mim; e as ordens que acompanha. Posso apagar tudo.",
  forgetFile: "Salve antes o seu histórico. O arquivo tem todas as chamadas, e depois não posso mais enviá-lo.",
  forgetUnknown: (count) =>
    count === 1
      ? "⚠️ Uma das suas chamadas tem resultado desconhecido. Verifique antes: depois não posso."
      : `⚠️ ${count} das suas chamadas têm resultado desconhecido. Verifique antes: depois não posso.`,
  forgetTokens: "Seus tokens não se movem. Estão na sua própria conta, também os bloqueados.",
  forgetStays:
    "O que fica: o que a rede mostra a todos, esta conversa até você apagá-la, e o que o operador guarda: o próprio registro, quem ele deixou entrar e as cópias de segurança.",
  forgetAsk: "🗑 Apagar tudo…",
  forgetReally: "⚠️ Apagar tudo o que guardo sobre você?",
  forgetGuards: "Seus limites, sua frase e seu histórico também somem, e ninguém pode recuperá-los.",
  forgetAtOnce: "Acontece na hora e não pode ser desfeito.",
  forgetFrom: (from) => `Acontece em ${from}. Até lá você pode desfazer, e /freeze impede.`,
  forgetWaits:
    "Espero por toda chamada que ainda esteja a caminho, ou que uma carteira ainda possa enviar, e mostro antes o resultado.",
  forgetKeep: "↩️ Manter tudo",
  forgetConfirm: "🗑 Sim, apagar tudo",
  forgetLater: (from) => `Em ${from}, apago tudo o que guardo sobre você.`,
  forgetNothing: "Não guardo nada sobre você.",
  forgotten: "Apaguei tudo o que guardava sobre você. Envie /start quando quiser começar de novo.",
  changes: "Mudanças recentes",
  noChanges: "Nenhuma.",
  guards: {
    wallet: "endereço de recebimento",
    freeze: "congelado",
    unfreeze: "descongelado",
    limit: "limite",
    phrase: "frase",
    slippage: "slippage",
    timezone: "fuso horário",
  },
  setLimit: "Definir um limite",
  setPhrase: "Escolher uma frase",
  freeze: "🧊 Congelar",
  askLimit:
    "Envie o token, o máximo por vez e o máximo por dia, como KLV 100 / 500. Um traço significa sem limite: KLV - / 500. Contam trocas, rotas, bloqueios e depósitos. Limites menores valem na hora, maiores depois de 24 horas.",
  askPhrase: "Envie algumas palavras, no máximo 40 caracteres, que vão aparecer em cada cartão que você confirmar.",
  badPhrase: "Envie palavras simples, de 1 a 40 caracteres.",
  slippageZero: "⚠️ Com 0% quase toda troca falha: qualquer mudança no preço já é demais.",
  slippageHigh: (percent) => `⚠️ Com ${percent} você pode receber ${percent} a menos. Outros podem se aproveitar.`,
};
