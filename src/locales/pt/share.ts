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
