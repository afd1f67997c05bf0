import type { Messages } from "../en/index.js";

export const multihop: Messages["multihop"] = {
  title: (path) => `Rota ${path}`,
  confirm: "✅ Confirmar rota",
  hop: (position, from, to) => `${position}. ${from} → ${to}`,
  pool: "pool",
  expected: (amount) => `cerca de ${amount}`,
  atLeast: (amount) => `no mínimo ${amount}`,
  exactly: (amount) => `exatamente ${amount}`,
  spends: (expected, atMost) => `gasta cerca de ${expected}, no máximo ${atMost}`,
  spendsUnbound: (hops) =>
    `⚠️ O máximo que o passo ${hops} gasta é verificado quando você confirma, mas a chamada não consegue garanti-lo: se o preço mudar depois disso, tudo o que chega lá pode ser gasto.`,
  comesBack: (amount) => `cerca de ${amount} volta sem uso`,
  impact: (percent) => `impacto no preço ${percent} %`,
  impactWhole: (percent) => `Impacto no preço da rota inteira: ${percent} %`,
  youGet: "Você recebe cerca de",
  youGetAtLeast: "Você recebe no mínimo",
  youGetExactly: "Você recebe exatamente",
  youPayAtMost: "Você paga no máximo",
  fails: (slippage) =>
    `Se o último passo der menos (tolerância ${slippage} %), a rota inteira falha e você fica com seus tokens.`,
  failsExactly:
    "Se o pagamento não bastar mais para isso, a rota inteira falha e você fica com seus tokens. O que sobrar volta.",
  failsMixed: (slippage) =>
    `Se um passo der menos do que deve (tolerância ${slippage} %) ou se o que chega não bastar mais, a rota inteira falha e você fica com seus tokens.`,
  wholeOrNot: "Uma rota é executada inteira ou não é, então quem protege você é o mínimo do último passo.",
  noFee: "Esta rota não paga taxa de indicação.",
  noPayoutAddress:
    "O roteador não aceita endereço de pagamento: o resultado vai para a conta que faz a chamada, que deve ser a sua:",
  received: "Você recebeu",
  change: "Voltou sem uso",
  unknownNext: (token) =>
    `Não vou enviar de novo. Confira se ${token} chegou à sua carteira antes de negociar outra vez.`,
  kept: "Nada foi trocado: uma rota é executada inteira ou não é, e seus tokens ficam onde estão.",
  betterRoute: (amount, percent) =>
    `Direto pelos pools você receberia cerca de ${amount}, ${percent} % a mais que aqui: uma rota não paga taxa a este bot.`,
  uncompared: "Não foi possível ler os pools no último minuto, então não sei dizer se eles dariam mais.",
  betterRouteButton: "🔀 Mostrar essa rota",
  betterSwap: (amount, percent) =>
    `A troca comum daria cerca de ${amount} depois da taxa, ${percent} % a mais que esta rota.`,
  betterSwapButton: "🔀 Mostrar essa troca",
  askPath:
    "Envie o valor que você paga e os tokens do caminho, como 100 KLV DVK-34ZH KFI. Com dois tokens eu mesmo procuro a melhor rota.",
  exactHint: "Para receber um valor exato de um token, escreva-o depois dele, como em KFI=25.",
};
