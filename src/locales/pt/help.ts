import type { help as en } from "../en/help.js";

export const help: typeof en = {
  welcomeTitle: "Boas-vindas ao Swapdesk",
  welcome:
    "Troco tokens para você nesta conversa. Você vê cada número antes de qualquer envio, e uma confirmação envia exatamente uma chamada.",
  holdsNoKeys:
    "Não guardo chaves e nunca peço nenhuma. Quem pedir frase de recuperação ou chave privada em meu nome é golpista.",
  nextWallet: "Toque em 💱 Trocar: pergunto para onde vão seus tokens e depois o que trocar.",
  nextSwap: "Toque em 💱 Trocar para ir passo a passo, ou envie em uma linha:",
  swapButton: "💱 Trocar",
  repeatTitle: "Qual troca você quer repetir?",
  nothingToRepeat: "Você ainda não tem troca para repetir.",
  oneLine: "Cada comando funciona passo a passo ou em uma linha:",
  fee: (percent) =>
    `Uma troca paga uma taxa de ${percent} % do resultado a quem opera este bot. Cada cartão a mostra em tokens.`,
  commands: {
    start: "Boas-vindas e primeiros passos",
    help: "O que eu faço",
    quote: "Consultar um preço",
    swap: "Trocar tokens",
    repeat: "Repetir uma troca anterior",
    multihop: "Negociar por vários pools",
    lock: "Bloquear tokens",
    unlock: "Retirar tokens bloqueados",
    locks: "O que você bloqueou",
    launch: "Lançar um par, passo a passo",
    order: "Ver uma ordem da corretora",
    orders: "Ordens que você acompanha",
    testalert: "Receber um alerta de teste",
    wallet: "Para onde vão seus tokens",
    balance: "O que você tem",
    security: "Limites, sua frase, mudanças recentes",
    settings: "Slippage, valores, idioma",
    history: "Seu histórico",
    fees: "A taxa e quanto você já pagou",
    freeze: "Parar tudo de uma vez",
    unfreeze: "Voltar a negociar depois de congelar",
    cancel: "Sair do diálogo, cancelar cartões",
  },
};
