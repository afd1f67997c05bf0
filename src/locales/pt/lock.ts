import type { lock as en } from "../en/lock.js";

const lasting = (years: bigint) =>
  years === 0n ? "menos de um ano" : years === 1n ? "mais de um ano" : `mais de ${years} anos`;

export const lock: typeof en = {
  title: (amount) => `Bloquear ${amount}`,
  lockedUntil: (amount, epoch, date) =>
    date === undefined ? `Bloquear ${amount} até a época ${epoch}` : `Bloquear ${amount} até ${date} (época ${epoch})`,
  unlockTitle: (amount) => `Desbloquear ${amount}`,
  confirmLock: "✅ Confirmar bloqueio",
  confirmReturn: "✅ Confirmar, devolver",
  confirmUnlock: "✅ Confirmar desbloqueio",
  youLock: "Você bloqueia",
  until: "Até",
  untilEpoch: "Até a época",
  dateOfEpoch: (moment, epoch) => `cerca de ${moment} (época ${epoch})`,
  now: (epoch) => `Agora é a época ${epoch}.`,
  nowUnknown: "⚠️ O nó não diz qual é a época atual. Se a sua já começou, seus tokens voltam.",
  noDate: "O nó não diz quanto dura uma época, então não há data.",
  noWayBack: "Até lá ninguém pode retirá-los: nem você, nem eu, nem o operador.",
  youReceive:
    "Você recebe um token bloqueado, 1 por 1. A partir dessa época você pode trocá-lo de volta pelos seus tokens; não o perca.",
  merges: (locked) => `É somado ao seu token bloqueado ${locked}, que desbloqueia na mesma época.`,
  mayMerge:
    "Todos os bloqueios do mesmo token até a mesma época têm o mesmo número. Só é sua a quantidade que você tem.",
  past: (epoch, now) =>
    `A época ${epoch} já começou: agora é a época ${now}. O contrato não bloquearia nada e só devolveria seus tokens.`,
  epochBegan: "Essa época começou nesse meio-tempo, então nada foi enviado. Aqui está um cartão novo:",
  long: (years, moment) => `⚠️ Isto bloqueia seus tokens por ${lasting(years)}, até por volta de ${moment}.`,
  longAtUsualLength: (epoch, years) =>
    `⚠️ Com épocas de seis horas, como na rede principal da Klever, a época ${epoch} começa daqui a ${lasting(years)}.`,
  longAtMost: (years) =>
    `Pela minha estimativa, seus tokens ficariam bloqueados por ${years === 1n ? "menos de um ano" : `até ${years} anos`}.`,
  sure: "Quer continuar?",
  sureButton: "Entendi, mostrar o cartão",
  tooMuch: (locked, recorded) =>
    `⚠️ Não tenho registro de tanto bloqueado em ${locked}: pelo meu registro, restam ${recorded}. Meu registro pode estar incompleto, então quem decide é o contrato.`,
  tooEarly: (unlockEpoch, epoch, moment) =>
    `⚠️ Pelo meu registro, ele desbloqueia ${moment === undefined ? `na época ${unlockEpoch}` : `por volta de ${moment} (época ${unlockEpoch})`}, e agora é a época ${epoch}. Até lá o contrato recusa.`,
  recordChanged:
    "Seus bloqueios mudaram desde que este cartão foi feito, então nada foi enviado. Aqui está um cartão novo:",
  done: "✅ Bloqueio feito",
  unlockDone: "✅ Desbloqueio feito",
  youLocked: "Você bloqueou",
  gaveBack: "Você devolveu",
  locked: "Bloqueado como",
  returned: "A época já tinha começado, então nada foi bloqueado. Devolvido",
  unlockAfter: (moment, epoch) =>
    moment === undefined
      ? `Pode ser desbloqueado a partir da época ${epoch}.`
      : `Pode ser desbloqueado por volta de ${moment} (época ${epoch}).`,
  keptTokens: "Nada foi bloqueado; você continua com seus tokens.",
  keptLocked: "Nada foi desbloqueado; você continua com o token bloqueado.",
  unknownLock: "Não vou reenviar. Veja se chegou um token bloqueado antes de bloquear de novo.",
  unknownUnlock: "Não vou reenviar. Veja se seus tokens chegaram antes de desbloquear de novo.",
  youBurn: "Você devolve",
  youGet: "Você recebe",
  sameAmount: "o mesmo número de unidades mínimas do que foi bloqueado",
  unknownLocked:
    "Não conheço este token bloqueado: não foi bloqueado por mim. O contrato decide se já pode ser desbloqueado.",
  unlocked: "Pago a você",
  listTitle: "Seus bloqueios",
  listEmpty: "Você não tem bloqueios que eu veja. Comece com /lock.",
  notFromHere: "não foi bloqueado aqui; o contrato decide se já pode ser desbloqueado",
  onlyOnRecord: "Agora não vejo o que a sua conta tem, então bloqueios feitos fora daqui não aparecem.",
  lookedUpTo: (most, locked) =>
    `Procurei ${locked} com números até ${most}. Outro se desbloqueia com /unlock ${locked}/NÚMERO.`,
  epochUnknown: "O nó não diz qual é a época, então não sei o que está pronto. Envie /locks de novo daqui a pouco.",
  listNow: (epoch) => `Época atual: ${epoch}`,
  ready: "pode ser desbloqueado agora",
  unlocksAt: (epoch) => `desbloqueia na época ${epoch}`,
  unlocksOn: (moment, epoch, left) => `desbloqueia ${moment} (época ${epoch}), em cerca de ${left}`,
  unlockButton: (locked) => `🔓 Desbloquear ${locked}`,
  days: (count) => (count === 1 ? "1 dia" : `${count} dias`),
  hours: (count) => (count === 1 ? "1 hora" : `${count} horas`),
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
  askToken: "Qual token você quer bloquear? Escolha um, ou envie o nome ou id.",
  askAmount: (token) => `Quanto ${token}? Envie um valor.`,
  askUntil: "Até quando? Escolha, ou envie uma data (2026-12-31), uma duração (12h, 30d, 4w, 1y) ou uma época (5500).",
  times: { "7d": "7 d", "30d": "30 d", "90d": "90 d", "1y": "1 ano" },
  askLocked: "Qual token bloqueado você quer desbloquear? Escolha um, ou envie o id com o número, como LKTOK-1A2B/7.",
  askUnlockAmount: "Quanto dele? Envie um valor.",
  allOf: (amount) => `Tudo: ${amount}`,
  reminder: (amount, locked) => `🔓 ${amount} já pode ser desbloqueado (${locked}).`,
  reminderHow: (command) => `Envie ${command} para retirá-lo.`,
  usage: "Envie o valor, o token e o prazo de desbloqueio, como /lock 5 LPKLVKFI-3I0N 30d.",
  unlockUsage: "Envie o token bloqueado com o número, e o valor se não for tudo, como /unlock LKTOK-1A2B/7 5.",
};
