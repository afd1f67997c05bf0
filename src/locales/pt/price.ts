import type { price as en } from "../en/price.js";

export const price: typeof en = {
  impact: "Impacto no preço",
  times: (count) => `${count} vezes`,
  notCompared: "⚠️ Não comparado com os pools",
  unknown: (payment) =>
    `Não consigo comparar este preço com nenhum pool agora, então você pode perder até todos os seus ${payment}.`,
  impactWarning: (percent, loss) => `⚠️ Impacto ${percent} %: −${loss}`,
  belowWarning: (howFar, loss) => `⚠️ ${howFar} abaixo dos pools: −${loss}`,
  lossWarning: (percent) => `⛔ Você perderia cerca de ${percent} %`,
  worth: (payment) => `Seus ${payment} valem`,
  otherWay: (tokens) => (tokens === "" ? "Uma rota dá cerca de" : `Via ${tokens}, cerca de`),
  loseButton: (loss) => `⚠️ Perder ${loss} e continuar`,
  aboveWarning: (howFar) => `⚠️ ${howFar} acima dos pools`,
  above: (path, best) =>
    `Nos pools, ${path} só dá ${best}. O mais provável é que esta troca seja recusada, e então nada é trocado.`,
  acceptButton: "⚠️ Trocar a este preço mesmo assim",
  bestRoute: "O melhor dos pools",
  byRoute: (tokens) => (tokens === "" ? "Por rota, sem taxa do bot" : `Via ${tokens}, bot 0 %`),
  bySwap: (percent) => `Por troca, taxa do bot ${percent} %`,
};
