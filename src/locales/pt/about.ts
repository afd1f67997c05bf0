import type * as en from "../en/about.js";

export const about: typeof en.about = {
  short: "Trocas, ordens limitadas, stops e compras recorrentes na Klever, com o seu toque. Nunca guarda suas chaves.",
  long: "Troque KLV, KFI e outros tokens da Klever, com ordens limitadas, stops e compras recorrentes que perguntam antes.\nEnvie um token para ver o preço e o que o emissor pode fazer, antes de comprar. Receba avisos de preços, novos pares, grandes negócios e do que chega ao seu endereço.\nNunca guardo suas chaves: você vê cada número antes, e nada é enviado sem o seu toque.",
  whoTitle: "Quem pode ver o quê",
  whoChain: "Qualquer pessoa: seu endereço, o que há nele e cada transação na blockchain.",
  whoTelegram: "O Telegram: este chat. Chats com bots não têm criptografia de ponta a ponta.",
  whoOperator:
    "O operador deste bot: seu ID do Telegram e tudo o que guardo sobre você, como endereço, histórico, ordens, alertas e os endereços que você acompanha. Ele não pode mover nada seu: não guardo chaves.",
  whoServices:
    "O nó, o serviço de cotação e a corretora: os endereços, valores e IDs de ordens que consulto, e não de quem são.",
  whoPrograms: "Um programa que tem um link seu: se a proposta dele foi aceita, e nada mais.",
  whoOthers:
    "Outras pessoas aqui: nada. Em grupos, minhas respostas são só para você. O que você compartilha em outro chat é um preço, uma ordem ou uma imagem, sem o seu endereço.",
};
