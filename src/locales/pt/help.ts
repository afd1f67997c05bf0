import type { Messages } from "../en/index.js";

export const help: Messages["help"] = {
  welcomeTitle: "Boas-vindas ao Swapdesk",
  welcome:
    "Eu troco tokens para você a partir desta conversa. Você vê cada número antes de qualquer envio, e uma confirmação envia exatamente uma chamada.",
  holdsNoKeys:
    "Não guardo chaves e nunca peço nenhuma. Quem pedir frase-semente ou chave privada em meu nome é ladrão.",
  nextWallet: "Toque em 💱 Trocar: pergunto para onde vão seus tokens e depois quais você quer.",
  nextSwap: "Toque em 💱 Trocar para ir passo a passo, ou envie em uma linha:",
  swapButton: "💱 Trocar",
  repeatTitle: "Qual troca de novo?",
  nothingToRepeat: "Ainda não há troca sua para repetir.",
  title: "O que eu faço",
  oneLine: "Cada comando funciona passo a passo ou em uma linha:",
  fee: (percent) =>
    `Uma troca paga uma taxa de ${percent} % do resultado a quem opera este bot. Cada cartão a mostra em tokens.`,
  commands: {
    start: "Dizer olá",
    help: "O que eu faço",
    quote: "Consultar um preço",
    swap: "Trocar tokens",
    repeat: "Trocar de novo como antes",
    multihop: "Negociar por vários pools",
    lock: "Bloquear tokens",
    unlock: "Retirar tokens bloqueados",
    locks: "O que está bloqueado",
    launch: "Lançar um par, passo a passo",
    order: "Ver uma ordem da corretora",
    orders: "Ordens que você acompanha",
    testalert: "Ver como um alerta chega",
    wallet: "Para onde vão seus tokens",
    balance: "O que você tem",
    security: "Limites, sua frase, últimas mudanças",
    settings: "Tolerância, valores, idioma",
    history: "O que você fez",
    fees: "Qual é a taxa e quanto você já pagou",
    freeze: "Parar tudo de uma vez",
    unfreeze: "Continuar depois de congelar",
    cancel: "Sair do diálogo, cancelar cartões",
  },
};
