import type { signing as en } from "../en/signing.js";

export const signing: typeof en = {
  title: "Assine esta transação",
  titleOver: "Não há nada para assinar aqui",
  titleTrouble: "Sem conexão",
  explain: "Este é o cartão da sua conversa. Sua carteira o assina; só depois disso eu o envio.",
  networkFee: "Taxa de rede, no máximo",
  account: "Conta que assina",
  chain: "Rede",
  hash: "Hash",
  timeLeft: "Tempo restante",
  sign: "Assinar com minha carteira",
  again: "Tentar de novo",
  decline: "Não assinar",
  needsScript:
    "Esta página precisa de JavaScript para falar com sua carteira. Ative-o e recarregue a página, ou cancele o cartão na conversa.",
  looking: "Procurando sua carteira. Isso pode levar dez segundos…",
  connecting: "Carteira encontrada. Se ela pedir a senha, ou perguntar se quer conectar, responda lá.",
  ready: "Sua carteira está conectada. Compare o que ela mostra com esta página antes de assinar.",
  asking: "Sua carteira está perguntando a você agora. Se não vir a janela dela, recarregue esta página.",
  checking: "Conferindo a assinatura…",
  notSigned: "Sua carteira não assinou, então não enviei nada.",
  walletFailed: "Sua carteira não deu uma resposta válida. Desbloqueie-a e tente de novo. Não enviei nada.",
  wrongSignature:
    "Esta assinatura não corresponde à transação: sua carteira assinou outra coisa, ou com outra chave. Não enviei nada. Se acontecer de novo, não assine e avise o operador.",
  otherAccount: "Sua carteira mostra outra conta. Escolha lá a conta certa e tente de novo.",
  shownAccount: "Sua carteira mostra",
  signed: "Assinado. A conversa mostra o que acontece agora; você pode fechar esta página.",
  declining: "Avisando o bot…",
  declined: "Você recusou, então não vou enviar.",
  unknown: "Este link é inválido ou expirou. Peça um novo cartão na conversa.",
  trouble:
    "Sem resposta agora: não dá para alcançar o bot, ou um serviço que ele consulta. Esta página continua tentando; deixe-a aberta.",
  noWallet: "Nenhuma carteira apareceu neste navegador.",
  noWalletHelp:
    "Abra esta página no aplicativo Klever, ou em um navegador de computador com a extensão Klever. Se o botão abaixo não fizer nada, copie o endereço e abra-o no navegador do próprio aplicativo.",
  openApp: "Abrir no aplicativo Klever",
  copy: "Copiar o endereço desta página",
  copied: "Copiado",
  qr: "Código QR do endereço desta página, para um celular",
};
