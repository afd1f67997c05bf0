import type * as en from "../en/share.js";

export const share: typeof en.share = {
  open: "Abrir no Swapdesk",
  hint: "Digite 100 KLV KFI, ou o ID de uma ordem",
  busy: "Muitos pedidos; tente em instantes",
  none: "Nada encontrado",
  quoteHint: "Preço agora, já com a taxa do bot",
  priceAt: (time, ago) => `Preço às ${time}, ${ago}`,
  seenAt: (time, ago) => `Situação às ${time}, ${ago}`,
  badLink: "Não consigo ler este link. Envie /help para ver o que sei fazer.",
};
