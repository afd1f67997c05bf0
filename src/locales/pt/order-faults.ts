import type * as en from "../en/order-faults.js";

export const orderFaults: typeof en.orderFaults = {
  "standing-price-back": "O preço voltou, então nada foi enviado. A ordem continua esperando.",
  "standing-over": "Esta ordem terminou ou mudou. Veja /orders.",
  "standing-busy": "Esta ordem tem uma operação em andamento, ou ainda não se sabe o resultado de uma. Veja /history.",
  "standing-paused": "Esta ordem está pausada. Retome-a em /orders antes.",
  "standing-full": ({ maximum }) => `Você tem ${maximum} ordens, o máximo. Apague uma em /orders antes.`,
  "standing-bot-full":
    "Este bot já tem tantas ordens quanto seu operador permite, e você já tem sua parte. Tente mais tarde, ou crie um alerta. Por exemplo: /alert KFI abaixo de 90 KLV",
  "standing-met": "Esse preço já foi atingido, então não há o que esperar. Troque agora: /swap",
  "exit-percent": ({ text }) =>
    `${text} não serve como alvo nem como stop: a partir de 1%, e um stop abaixo de 100%. Por exemplo: /exit KFI +50% -20%`,
  "exit-shares":
    "No máximo cinco alvos, cada um a outro preço, que juntos vendam no máximo tudo. Dê partes a todos, ou a nenhum. Por exemplo: /exit KFI 25%@+25% 25%@+50%",
  "exit-exists": ({ token }) => `Você já tem uma saída para ${token}. Mude ou apague: /orders`,
  "standing-far": ({ text }) =>
    `Isso está mais de ${text} vezes longe do preço atual. A direção está certa? Por exemplo: /limit 500 KLV KFI a 96 KLV`,
  "standing-price-zero": "Esse preço é zero, ou baixo demais para este valor. Por exemplo: /limit 500 KLV KFI a 96 KLV",
  "standing-past": ({ text }) => `${text} já passou: envie uma data ou um horário posterior, como 30d ou 2030-12-31.`,
  "standing-times": ({ text }) =>
    `${text} vezes não dá: envie de 1 a 366. Por exemplo: /dca 100 KLV KFI segunda 09:00 x12`,
  "standing-span": ({ text }) =>
    `${text} leva mais de um ano, o máximo. Por exemplo: /dca 100 KLV KFI segunda 09:00 x12`,
  "standing-time": ({ text }) => `${text} não é um horário. Por exemplo: /dca 100 KLV KFI diário 09:00 x30`,
  "standing-town": ({ text, meant }) =>
    `Vários países têm uma cidade de nome “${text}”. Envie o seu fuso no lugar dela: ${meant.join(", ")}.`,
  "standing-zone": ({ text }) =>
    `Não conheço o fuso horário “${text}”. Envie uma cidade. Por exemplo: /dca 100 KLV KFI diário 09:00 x30 Lisboa`,
  "standing-begins": ({ text }) =>
    `Começaria em ${text}, a mais de um ano daqui. Envie uma data anterior. Por exemplo: /dca 100 KLV KFI segunda 09:00 x12`,
  "standing-twice": ({ text }) =>
    `“${text}” não combina com o que vem antes. Envie um dia, um horário e um número de vezes. Por exemplo: /dca 100 KLV KFI segunda 09:00 x12`,
};
