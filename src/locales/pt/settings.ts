import type * as en from "../en/settings.js";

export const settings: typeof en.settings = {
  title: "Configurações",
  slippage: "Slippage",
  slippageExplain: (maximum) =>
    `Quanto o preço pode piorar antes de a troca falhar. Mais alto: mais trocas passam. Mais baixo: mais proteção. Máximo: ${maximum}.`,
  presets: "Valores rápidos",
  language: "Idioma",
  timeZone: "Fuso horário",
  custom: "Outro valor",
  askSlippage: (maximum) => `Envie o slippage em porcentagem, por exemplo 0,5 ou 2. Máximo: ${maximum}.`,
  badSlippage: (maximum) => `Envie um número de 0 a ${maximum} com no máximo duas casas decimais, como 0,5.`,
  askPresets: "Envie até quatro valores separados por espaço, como 10 50 250.",
  badPresets: "Envie de um a quatro valores simples separados por espaço, como 10 50 250.",
  askTimeZone: "Que cidade tem o seu horário? Escolha uma, ou envie uma cidade ou um fuso, como Europe/Lisbon.",
  badTimeZone:
    "Não conheço este lugar. Envie uma cidade maior perto de você, ou um fuso como Europe/Lisbon ou America/Sao_Paulo.",
  saved: "Salvo.",
  appliesToNew: "As mudanças só valem para cotações novas.",
  alerts: "Alertas de ordens",
  charts: "Gráficos",
  chartsAs: { dark: "escuros", light: "claros" },
  lists: "Listas",
  listsAs: { text: "em texto", table: "em tabelas" },
  tablesNeed: "Se uma lista não abrir no seu app, escolha texto.",
};

export const security: typeof en.security = {
  title: "Segurança",
  notFrozen: "As negociações estão liberadas. Toque em 🧊 Congelar para bloquear tudo na hora.",
  frozen: (since) => `Congelado desde ${since}. Envie /unfreeze para voltar a negociar.`,
  phrase: "Frase antigolpe",
  noPhrase:
    "Frase antigolpe: não definida. Escolha uma, que eu mostro em tudo o que você confirma; um bot falso não a conhece.",
  limits: "Seus limites",
  noLimits: "Nenhum. Limites novos e menores valem na hora; aumentar um leva 24 horas.",
  most: (perTransaction, perDay) => `${perTransaction} por transação, ${perDay} por dia`,
  unlimited: "sem limite",
  later: (from, most) => `a partir de ${from}: ${most}`,
  unfreezeLater: (from) => `Você pode voltar a negociar em ${from}.`,
  walletLater: (from) => `A partir de ${from}, este será o seu endereço de carteira:`,
  walletInEffect: "Seu endereço de carteira mudou. Agora é:",
  undo: { wallet: "↩️ Manter o endereço atual", unfreeze: "↩️ Continuar congelado", forget: "↩️ Não apagar nada" },
  undone: {
    wallet: "↩️ Desfeito: seu endereço de carteira continua o mesmo.",
    unfreeze: "↩️ Desfeito: você continua congelado.",
    forget: "↩️ Nada será apagado.",
  },
  forgetTitle: "O que guardo sobre você",
  forgetKept:
    "Seu endereço de carteira, configurações, limites e frase; o histórico das suas transações; o que você bloqueou e lançou por aqui; as ordens que acompanha; seus alertas de preço; e quanto valia seu portfólio. Posso apagar tudo.",
  forgetFile: "Salve antes o seu histórico. O arquivo tem todas as transações, e depois não posso mais enviá-lo.",
  forgetUnknown: (count) =>
    `⚠️ ${count === 1 ? "Uma das suas transações tem" : `${count} das suas transações têm`} resultado desconhecido. Verifique antes: depois não posso.`,
  forgetTokens: "Seus tokens não se movem. Estão na sua própria conta, também os bloqueados.",
  forgetStays:
    "O que fica: o que qualquer um vê na rede, esta conversa até você apagá-la, e o que o operador guarda: um registro de auditoria, quem teve acesso e os backups.",
  forgetAsk: "🗑 Apagar tudo…",
  forgetReally: "⚠️ Apagar tudo o que guardo sobre você?",
  forgetGuards: "Seus limites, sua frase e seu histórico também são apagados, e não podem ser recuperados.",
  forgetAtOnce: "Acontece na hora e não pode ser desfeito.",
  forgetFrom: (from) => `Acontece em ${from}. Até lá você pode desfazer, e /freeze impede.`,
  forgetWaits:
    "Se uma transação ainda estiver pendente, ou sua carteira ainda puder enviar uma, espero por ela e mostro antes o resultado.",
  forgetKeep: "↩️ Manter tudo",
  forgetConfirm: "🗑 Sim, apagar tudo",
  forgetLater: (from) => `Em ${from}, apago tudo o que guardo sobre você.`,
  forgetNothing: "Não guardo nada sobre você.",
  forgotten: "Apaguei tudo o que guardava sobre você. Envie /start se quiser voltar.",
  changes: "Mudanças recentes",
  noChanges: "Nenhuma.",
  guards: {
    wallet: "endereço mudado",
    freeze: "congelado",
    unfreeze: "descongelado",
    limit: "limite mudado",
    phrase: "frase mudada",
    slippage: "slippage mudado",
    timezone: "fuso horário mudado",
  },
  setLimit: "Definir um limite",
  setPhrase: "Definir uma frase",
  freeze: "🧊 Congelar",
  askLimit:
    "Envie um token, o limite por transação e o limite por dia, por exemplo KLV 100 / 500. Use - para sem limite: KLV - / 500. Contam trocas, rotas, bloqueios e depósitos. Limites menores valem na hora, maiores depois de 24 horas.",
  askPhrase: "Envie uma frase de até 40 caracteres. Vou mostrá-la em tudo o que você confirmar.",
  badPhrase: "Use de 1 a 40 caracteres de texto simples.",
  slippageZero: "⚠️ Com 0% de slippage quase toda troca falha: qualquer mudança no preço já é demais.",
  slippageHigh: (percent) =>
    `⚠️ Com ${percent} de slippage você pode receber até ${percent} a menos, e bots podem se aproveitar disso.`,
};
