import type { refusals as en, resultCode as enCode, resultCodes as enCodes } from "../en/refusals.js";

export const refusals: typeof en = {
  "Slippage exceeded": (slippage) => `O preço passou do seu limite de ${slippage} %. Nova cotação?`,
  "Not enough reserve": () => "O pool não tem tanto. Tente um valor menor.",
  "Swap is not enabled": () => "A negociação neste pool está desligada. Tente outra rota.",
  "Cannot unlock yet": () => "A época dele ainda não começou. /locks mostra quando começa.",
  "Invalid payment token": () => "Este não é um token do contrato de bloqueio. /locks lista os seus.",
  "Insufficient funds": () => "A conta que paga tem pouco saldo. Adicione saldo ou tente menos.",
  "Insufficient balance": () => "A conta que paga tem pouco saldo. Adicione saldo ou tente menos.",
  "invalid transaction fees": () => "A taxa de rede subiu nesse meio-tempo. Peça um cartão novo.",
  "Not a pair SC": () => "O roteador não lista mais este pool. Peça um cartão novo.",
  "Not active": () => "O roteador está pausado. Tente mais tarde.",
  "Pair creation is disabled": () => "O roteador só deixa o dono criar pares. Peça a quem o opera.",
  "Pair already exists": () => "Este par já existe. /launch o retoma, se for seu.",
  "Temporary owner differs": () => "Por enquanto só a conta que criou o par pode fazer isto.",
  "Permission denied": () => "A conta que chama não pode fazer isto. Use a que criou o par.",
  "LP token not issued": () => "O token LP precisa ser emitido antes. Veja a lista.",
  "LP token already issued": () => "O token LP já foi emitido. Veja a lista.",
  "Initial liquidity was already added": () => "A primeira liquidez já está lá. Veja a lista.",
  "Needs to be greater than minimum liquidity": () =>
    "É pouco: os dois valores devem passar de 1000 unidades mínimas. Coloque mais.",
  "Not enough value locked": () => "O valor bloqueado é pouco para isso. Bloqueie mais tokens LP.",
  "Token not locked for long enough": () => "O bloqueio é curto demais. Bloqueie até uma época posterior.",
  "Caller is not the initial liq adder": () => "Só a conta que adicionou a primeira liquidez pode fazer isto.",
  "Pair not in ActiveNoSwaps state": () => "As trocas já estão abertas, ou falta liquidez. Veja a lista.",
};

export const resultCodes: typeof enCodes = {
  1: "A conta que paga tem pouco saldo. Adicione saldo ou tente menos.",
  5: "O contrato não existe. Avise o operador.",
  55: "O contrato não tem essa função, então não é o que eu esperava. Avise o operador.",
  58: "O gás acabou: a taxa de rede foi baixa demais para a execução. Peça um cartão novo, com a taxa recalculada.",
  62: "A máquina da rede interrompeu a execução. Peça um cartão novo; se acontecer de novo, avise o operador.",
};

export const resultCode: typeof enCode = (code, text) =>
  `A rede encerrou com o código ${code}${text === "" ? "" : ` (“${text}”)`}.`;
