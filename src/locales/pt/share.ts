import type * as en from "../en/share.js";

export const share: typeof en.share = {
  open: "Abrir no Swapdesk",
  hint: "Digite 100 KLV KFI, ou o ID de uma ordem",
  busy: "Pedidos demais. Tente de novo em instantes",
  none: "Nada encontrado",
  quoteHint: "Preço agora, depois da taxa do bot",
  priceAt: (time, ago) => `Preço às ${time}, ${ago}`,
  seenAt: (time, ago) => `Situação às ${time}, ${ago}`,
  badLink: "Não consigo ler este link. Envie /help para ver o que sei fazer.",
};

export const picture: typeof en.picture = {
  chart: "📈 Gráfico",
  fills: "📈 Execução",
  share: "🖼 Compartilhar",
  usage: (command) => `Envie dois tokens, por exemplo ${command} KFI KLV.`,
  noPrice: (pair) => `Ainda não vi um preço para ${pair}.`,
  spans: { minute: "6 horas", hour: "2 semanas", day: "1 ano" },
  now: (rate) => `Agora: ${rate}`,
  change: (percent) => `Variação: ${percent}`,
  highest: (rate) => `Máxima: ${rate}`,
  lowest: (rate) => `Mínima: ${rate}`,
  seen: (time) =>
    `Preços vistos por este bot desde ${time}: dos pools, antes das taxas; onde não há pool, conforme a cotação`,
  filledTitle: (order) => `Execução: ${order}`,
  filledAt: (percent, time) => `${percent} em ${time}`,
  started: "Troca feita",
};
