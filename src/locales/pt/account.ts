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
  kept: "Nada mudou: seu endereço de carteira continua o mesmo.",
  savedAs: "✅ Salvo. Tudo é pago neste endereço:",
  changed: (before) => `Seu endereço de carteira mudou. Endereço anterior: ${before}.`,
  quotesCanceled: (count) =>
    count === 1
      ? "1 cotação aberta para o endereço antigo foi cancelada."
      : `${count} cotações abertas para o endereço antigo foram canceladas.`,
  requestsCanceled: (count) =>
    count === 1
      ? "1 pedido aberto para o endereço antigo foi cancelado."
      : `${count} pedidos abertos para o endereço antigo foram cancelados.`,
};

export const addresses: typeof en.addresses = {
  none: "Nenhum ainda.",
  explain: "Eu só olho estes endereços, em /balance e /portfolio. Nada é pago a eles nem por eles, nunca.",
  nowOwn: "agora é o seu, então não aparece duas vezes",
  add: "➕ Adicionar endereço",
  watch: "👁 Só acompanhar",
  ask: "Qual endereço klv1… devo acompanhar? Nunca envie chave privada nem frase de recuperação.",
  askName: (address) => `Que nome você dá a ${address}? Envie um nome.`,
  removed: (name) => `${name} removido:`,
  title: "👁 Só acompanhado",
  unknown: "Saldo desconhecido no momento.",
  notInTotal: "👁 Só acompanhados (fora do total acima; ganho desconhecido)",
  withTotal: "Total com os acompanhados",
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
  filed: (time) => `✖️ Você marcou como não executada (${time})`,
  filedExplain: "Ainda conta nos seus limites. Se chegar depois, 🔎 Verificar encontra.",
  arrived: (time) => `🔎 Chegou (${time}).`,
  notArrived: (time) =>
    `🔎 Ainda não chegou nada (${time}). Verifique de novo em um minuto, e não troque de novo antes disso.`,
  notShown: (time) => `🔎 A rede ainda não mostra isso (${time}). Verifique de novo em um minuto.`,
  unclear: (time) => `🔎 Sem certeza ainda (${time}).`,
  onChain: "🔎 Confirmada na rede.",
  why: {
    "nothing-to-read": "Não muda nada que eu possa ler. Veja na sua carteira ou em um explorador.",
    "unknown-before": "Não tenho um saldo anterior para comparar.",
    "unknown-now": "Não consigo ler seu saldo agora.",
    "other-calls": "Você fez outras transações depois, então o saldo não prova nada.",
    other: "Seu saldo mudou, mas não no valor esperado.",
    "no-view": "O nó não mostra esta etapa por si só. Quando mostrar a próxima, esta também estará confirmada.",
    unread: "Não consigo falar com o nó agora. Verifique de novo em um minuto.",
    "not-own": "A rede mostra esta etapa como feita, mas não que foi por esta transação.",
  },
  compare: "Confira:",
};

export const history: typeof en.history = {
  empty: "Nada aqui ainda. Comece com /swap.",
  nothingHere: "Nada deste tipo ainda.",
  filters: { all: "Tudo", swap: "Trocas", multihop: "Rotas", lock: "Bloqueios", launch: "Lançamentos" },
  done: "concluída",
  accepted: "aceita, não confirmada",
  refused: "rejeitada",
  notSent: "não enviada",
  unknown: "resultado desconhecido",
  arrived: "concluída (sem resposta)",
  filed: "você marcou como não executada",
  signing: "esperando sua assinatura",
  underWay: "em andamento",
  file: "📄 Exportar CSV",
  fileName: "historico.csv",
  fileCaption:
    "Seu histórico completo, do mais antigo ao mais novo. Os valores são exatos; o que foi rejeitado ou é desconhecido fica sem valor.",
  taxCaption: (program) =>
    `Para o ${program}, do mais antigo ao mais novo, em UTC: o que está provado, com as taxas de rede. Bloqueios e depósitos em pools não são trocas e ficam de fora.`,
  keptOnTheWay: (count) =>
    `Negociações exatas que deixaram na sua conta um resto de um token do caminho, fora do arquivo: ${count}.`,
  leftOut: (count) =>
    `⚠️ ${count === 1 ? "1 troca ficou" : `${count} trocas ficaram`} de fora: o resultado ou os valores não estão provados. /history csv traz todas.`,
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
  best: "Frente à melhor rota",
  notCompared: "Não deu para ler os pools na hora, então não há preço para comparar.",
  explain: (seconds) =>
    `O que você recebeu depois de todas as taxas, comparado com números de ${seconds}\u00a0s antes do envio. O preço do pool é sem taxas.`,
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
  countIn: (token) => `Em ${token}`,
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
  unknownRoyalties: (count) => `Negociações com royalties desconhecidos, que não contam como custo: ${count}.`,
  beforeRoyalty: "antes dos royalties, que não consigo ler agora",
  uncounted: (count) =>
    `${count} ${count === 1 ? "troca não entra" : "trocas não entram"} na conta: o resultado ou os valores são desconhecidos.`,
  tooOld: (count) =>
    count === 1
      ? "A transação mais antiga não entra na conta."
      : `As ${count} transações mais antigas não entram na conta.`,
  soldUnknown: (amount) => `vendido a custo desconhecido: ${amount}`,
  explain: "O custo é o custo médio do que você comprou por aqui. O que veio de fora não tem custo conhecido.",
  overTime: "📈 Evolução",
  notYet: "Anoto o total a cada dia em que você abre /portfolio. O gráfico precisa de dois dias: volte amanhã.",
  lookedAt: (date) => `Desde ${date}: o último total de cada dia (UTC) em que você abriu /portfolio`,
  fileName: "meu-portfolio.csv",
  fileCaption: (token) => `Seu portfólio em ${token}. Os valores são exatos; os desconhecidos ficam vazios.`,
};

export const week: typeof en.week = {
  title: (from, to) => `Sua semana: ${from} a ${to}`,
  gain: "Ganho nas vendas",
  trades: "Trocas",
  saved: "Poupado pelas rotas",
  unknown: "desconhecido",
  nothingSold: "nada vendido",
  noRoutes: "nenhuma rota",
  none: "Nenhuma troca concluída nestes sete dias.",
  unknownSales: (count, of) =>
    `${count} de ${of} ${of === 1 ? "venda" : "vendas"}: custo desconhecido, no todo ou em parte. O desconhecido não conta.`,
  unproven: (count) =>
    `${count} ${count === 1 ? "troca não conta: não está provada" : "trocas não contam: não estão provadas"}.`,
  savedExplain: (percent) => `Uma troca simples leva ${percent} do que rende como taxa do bot. Rotas, não.`,
  unknownRoutes: (count, of, token) => `${count} de ${of} ${of === 1 ? "rota" : "rotas"} sem ${token}: fora da conta.`,
  explain: "O que você vendeu, contra o custo médio por aqui. O que ainda tem está em /portfolio.",
  choose: { on: "🗓 Enviar todo domingo", off: "🗓 Sem domingos" },
  chosen: {
    on: (zone) => `Chega aos domingos às 19:00 (${zone}), se você negociou.`,
    off: () => "Não chega mais. /week mostra.",
  },
  setting: "Semana aos domingos",
  settingAs: { on: "às 19:00", off: "não" },
};

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
  askPresets:
    "Envie até quatro valores em KLV, separados por espaço, como 10 50 250. Para outros tokens, os botões oferecem mais ou menos o mesmo.",
  badPresets: "Envie de um a quatro valores simples separados por espaço, como 10 50 250.",
  askTimeZone: "Que cidade tem o seu horário? Escolha uma ou envie uma cidade ou um fuso, como Europe/Lisbon.",
  badTimeZone:
    "Não conheço este lugar. Envie uma cidade maior perto de você, ou um fuso como Europe/Lisbon ou America/Sao_Paulo.",
  severalTowns: (typed) => `Vários países têm uma cidade de nome “${typed}”. Escolha o seu fuso.`,
  unclearTimeZone: (typed) => `“${typed}” são vários fusos. Envie uma cidade perto de você, como Lisboa ou São Paulo.`,
  saved: "Salvo.",
  savedTimeZone: (time) => `Salvo. Lá são ${time} agora.`,
  unknownTimeZone: (name) => `${name}: desconhecido, vale UTC`,
  appliesToNew: "As mudanças só valem para cotações novas.",
  alerts: "Alertas de ordens",
  charts: "Gráficos",
  chartsAs: { dark: "escuros", light: "claros" },
  makeCharts: { dark: "🌙 Gráficos escuros", light: "☀️ Gráficos claros" },
};

export const security: typeof en.security = {
  title: "Segurança",
  notFrozen: "As negociações estão liberadas. Toque em 🧊 Congelar para bloquear tudo na hora.",
  frozen: (since) => `🧊 Conta congelada desde ${since}. Envie /unfreeze para voltar a negociar.`,
  lifting: (duration) => `Descongelar leva ${duration}.`,
  liftingAtOnce: "Você pode descongelar na hora.",
  freezeQuestion: "🧊 Congelar as negociações?",
  freezeExplain: "A partir daí nada mais sai, e o que você não confirmou é cancelado.",
  freezeNow: "🧊 Congelar agora",
  keepTrading: "Continuar negociando",
  kept: "Conta não congelada. Você pode continuar negociando.",
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
  undo: { wallet: "↩️ Manter o endereço atual", unfreeze: "↩️ Manter congelada", forget: "↩️ Não apagar nada" },
  undone: {
    wallet: "↩️ Desfeito: seu endereço de carteira continua o mesmo.",
    unfreeze: "↩️ Desfeito: sua conta continua congelada.",
    forget: "↩️ Nada será apagado.",
  },
  forgetTitle: "O que guardo sobre você",
  forgetKept:
    "Seu endereço de carteira, os endereços que acompanha, configurações, limites e frase; o histórico das suas transações; o que você bloqueou e lançou por aqui; as ordens que acompanha; seus alertas de preço; suas ordens limitadas e stop, compras recorrentes e saídas; seus links para programas, e o que veio por eles em uma semana; se recebe avisos de pares novos; se recebe avisos do que chega, e o que tinha então; e quanto valia seu portfólio. Posso apagar tudo.",
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
    "first-wallet": "endereço definido",
    wallet: "endereço mudado",
    freeze: "conta congelada",
    unfreeze: "conta descongelada",
    limit: "limite mudado",
    phrase: "frase mudada",
    slippage: "slippage mudado",
    timezone: "fuso horário mudado",
  },
  usedUp: (spent, perDay, token) =>
    `⚠️ Hoje você já usou ${spent}. Com ${perDay} por dia, não poderá mais negociar ${token} hoje.`,
  usedUpLater: "Aumentar de novo leva 24 horas. Definir?",
  setAnyway: "⚠️ Definir",
  keepLimits: "Manter meus limites",
  limitsKept: "Nada mudou.",
  takeBackUntil: (time) => `Foi engano? Até ${time} você pode voltar atrás.`,
  takeBack: "↩️ Voltar atrás",
  takenBack: "↩️ Desfeito: seus limites estão como antes.",
  tooLateToTakeBack:
    "Não dá mais para voltar atrás: passou um minuto, ou algo mudou depois. /security mostra seus limites.",
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
