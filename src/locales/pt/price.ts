import type { price as en } from "../en/price.js";

export const price: typeof en = {
  impact: "Impacto no preço",
  times: (count) => `${count} vezes`,
  notCompared: "⚠️ Não comparado com os pools",
  unknown: (payment) =>
    `⚠️ Não consigo comparar este preço com nenhum pool agora, então você pode perder até todos os seus ${payment}.`,
  impactWarning: (percent, loss) => `⚠️ Impacto ${percent} %: −${loss}`,
  impactLoss: (percent, loss) =>
    `⚠️ Esta negociação é grande para os pools: move o preço ${percent} % contra você. Você perde cerca de ${loss}.`,
  belowWarning: (howFar, loss) => `⚠️ ${howFar} abaixo dos pools: −${loss}`,
  below: (howFar, path, best) => `⚠️ Este preço está ${howFar} abaixo dos pools: ${path} dá ${best}.`,
  loss: (loss) => `Você perde cerca de ${loss}.`,
  aboveWarning: (howFar) => `⚠️ ${howFar} acima dos pools`,
  above: (howFar, path, best) =>
    `⚠️ Este preço está ${howFar} acima dos pools: ${path} só dá ${best}. O mais provável é que a troca seja recusada, e então nada é trocado.`,
  acceptButton: "⚠️ Trocar a este preço mesmo assim",
  bestRoute: "O melhor dos pools",
  via: (tokens, amount, percent) => `Via ${tokens}: ${amount} (+${percent} %)`,
  direct: (amount, percent) => `Uma rota dá ${amount} (+${percent} %)`,
};
