import type { lock as en } from "../en/lock.js";

const lasting = (years: bigint) =>
  years === 0n ? "menos de um ano" : years === 1n ? "mais de um ano" : `mais de ${years} anos`;

export const lock: typeof en = {
  title: (amount) => `Bloquear ${amount}`,
  lockedUntil: (amount, epoch, date) =>
    date === undefined ? `Bloquear ${amount} até a época ${epoch}` : `Bloquear ${amount} até ${date} (época ${epoch})`,
  unlockTitle: (amount) => `Desbloquear ${amount}`,
  confirmLock: "✅ Confirmar bloqueio",
  confirmReturn: "✅ Confirmar envio",
  confirmUnlock: "✅ Confirmar desbloqueio",
  youLock: "Você bloqueia",
  until: "Até",
  untilEpoch: "Até a época",
  dateOfEpoch: (moment, epoch) => `por volta de ${moment} (época ${epoch})`,
  now: (epoch) => `Época atual: ${epoch}`,
  nowUnknown: (epoch) =>
    `⚠️ Não consigo ver a época atual. Se a época ${epoch} já começou, nada é bloqueado e seus tokens voltam na hora.`,
  noDate: "O nó não informa quanto dura uma época, então não posso mostrar uma data.",
  noWayBack: "Até lá ninguém pode desbloqueá-los: nem você, nem este bot, nem o operador dele.",
  noWayBackBefore: (epoch) => `Senão, ninguém pode desbloqueá-los antes da época ${epoch}.`,
  youReceive:
    "Você recebe um token bloqueado, 1:1. A partir dessa época, ele desbloqueia seus tokens. Guarde-o: sem ele não dá para desbloquear.",
  merges: (locked) => `É somado ao seu token bloqueado ${locked}, que desbloqueia na mesma época.`,
  mayMerge:
    "Seu token bloqueado tem o mesmo número que os de outras pessoas até a mesma época. O que é seu é a quantidade na sua carteira.",
  past: (epoch, amount) =>
    `Nada será bloqueado: a época ${epoch} já começou. ${amount} seriam enviados e devolvidos, e você paga a taxa de rede.`,
  epochBegan: "⚠️ Essa época acabou de começar. Nada foi enviado.",
  long: (years, moment) => `⚠️ Isto bloqueia seus tokens por ${lasting(years)}, até por volta de ${moment}.`,
  longAtUsualLength: (epoch, years) =>
    `⚠️ Com cerca de 6 horas por época (rede principal da Klever), a época ${epoch} começa daqui a ${lasting(years)}.`,
  longAtMost: (years) => `Tempo de bloqueio estimado: ${years === 1n ? "menos de um ano" : `até ${years} anos`}.`,
  sure: "Continuar?",
  sureButton: "Entendi, continuar",
  tooMuch: (locked, recorded) =>
    `⚠️ Meus registros mostram só ${recorded} em ${locked}. Podem estar incompletos; quem decide é o contrato.`,
  noneLeft: (locked) =>
    `⚠️ Pelos meus registros, você já desbloqueou tudo de ${locked}. Podem estar incompletos; quem decide é o contrato.`,
  tooEarly: (unlockEpoch, epoch, moment) =>
    `⚠️ Pelos meus registros, desbloqueia ${moment === undefined ? `na época ${unlockEpoch}` : `por volta de ${moment} (época ${unlockEpoch})`}; agora é a época ${epoch}. Antes disso o contrato rejeita.`,
  recordChanged: "⚠️ Seus bloqueios mudaram. Nada foi enviado.",
  done: "✅ Bloqueio concluído",
  notLocked: "↩️ Nada foi bloqueado",
  unlockDone: "✅ Desbloqueio concluído",
  youLocked: "Você bloqueou",
  gaveBack: "Você desbloqueou",
  locked: "Token bloqueado",
  returned: "A época já tinha começado, então nada foi bloqueado. Devolvido",
  unlockAfter: (moment, epoch) =>
    moment === undefined
      ? `Pode ser desbloqueado a partir da época ${epoch}.`
      : `Pode ser desbloqueado por volta de ${moment} (época ${epoch}).`,
  keptTokens: "Nada foi bloqueado; você continua com seus tokens.",
  keptLocked: "Nada foi desbloqueado; você continua com o token bloqueado.",
  unknownLock: "Procure o token bloqueado na sua carteira antes de bloquear de novo.",
  unknownUnlock: "Veja se seus tokens chegaram antes de desbloquear de novo.",
  youBurn: "Você desbloqueia",
  youGet: "Você recebe",
  sameAmount: "o mesmo valor do token original",
  unknownLocked:
    "Foi bloqueado em outro lugar, então não sei até quando. Se for cedo demais, o contrato rejeita e você paga a taxa de rede.",
  notYetElsewhere: "Ainda não pode ser desbloqueado. Foi bloqueado em outro lugar, então não sei até quando.",
  listEmpty: "Nenhum bloqueio encontrado. Comece com /lock.",
  elsewhere: "bloqueado em outro lugar; não sei até quando",
  onlyOnRecord: "Agora não vejo a sua conta, então só mostro os bloqueios feitos por aqui.",
  lookedUpTo: (most, locked) =>
    `Procurei ${locked} com números até ${most}. Para desbloquear outro, envie /unlock ${locked}/NÚMERO.`,
  epochUnknown:
    "O nó não informa a época atual, então não sei quais bloqueios estão prontos. Tente /locks de novo em instantes.",
  ready: "pode ser desbloqueado agora",
  unlocksAt: (epoch) => `desbloqueia na época ${epoch}`,
  unlocksOn: (moment, epoch, left) => `desbloqueia por volta de ${moment} (época ${epoch}), daqui a cerca de ${left}`,
  unlockButton: (locked) => `🔓 Desbloquear ${locked}`,
  days: (count) => (count === 1 ? "1 dia" : `${count} dias`),
  hours: (count) => (count === 1 ? "1 hora" : `${count} horas`),
  minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
  askToken: "Qual token você quer bloquear? Escolha um ou envie o nome ou o ID.",
  askAmount: (token) => `Quanto ${token}? Envie um valor.`,
  askUntil:
    "Bloquear até quando? Escolha ou envie uma data (2026-12-31), uma duração (12h, 30d, 4w, 1y) ou uma época (5500).",
  askLocked: "Qual token bloqueado você quer desbloquear? Escolha um ou envie o ID com o número, como LKTOK-1A2B/7.",
  askUnlockAmount: "Quanto dele? Envie um valor.",
  allOf: (amount) => `Tudo: ${amount}`,
  reminder: (amount, locked) => `🔓 ${amount} já pode ser desbloqueado (${locked}).`,
  reminderHow: (command) => `Envie ${command} para desbloquear.`,
  usage: "Envie o valor, o token e o prazo de desbloqueio, como /lock 5 LPKLVKFI-3I0N 30d.",
  unlockUsage: "Envie o token bloqueado com o número, e um valor se não quiser tudo, como /unlock LKTOK-1A2B/7 5.",
};
