import { addedLiquidity, firstLiquidity, MINIMUM_LIQUIDITY, quote } from "../amm.js";
import { fungiblePayment, type Call, type Implementation } from "../call.js";
import { check, required } from "../failure.js";
import type { Payment } from "../ledger.js";
import type { Pair } from "../state.js";
import { isActiveForLiquidity, ownPair, updatePair } from "./pair-pool.js";

type Liquidity = Pick<Implementation<"pair">, "addInitialLiquidity" | "addLiquidity" | "removeLiquidity">;

interface Deposit {
  readonly first: bigint;
  readonly second: bigint;
}

/** Deposits and withdrawals (mx-exchange-sc dex/pair initial_liq.rs, add_liq.rs, remove_liq.rs, liquidity_pool.rs). */
export const pairLiquidity: Liquidity = {
  addInitialLiquidity: (call) => {
    const pair = ownPair(call);
    const adder = pair.initialLiquidityAdder;
    check(adder === undefined || call.caller === adder, "Permission denied");
    check(call.payments.length === 2, "incorrect number of KDA transfers");
    const deposit = readDeposit(call, pair);
    check(!isActiveForLiquidity(pair), "Active state");
    check(pair.lpSupply === 0n, "Initial liquidity was already added");
    const minted = depositFirst(call, deposit);
    updatePair(call, { state: "PartialActive" });
    return settleDeposit(call, minted, deposit, deposit);
  },

  addLiquidity: (call, inputs) => {
    const minimum = { first: inputs.first_token_amount_min, second: inputs.second_token_amount_min };
    check(minimum.first > 0n && minimum.second > 0n, "Invalid args");
    const pair = ownPair(call);
    check(call.payments.length === 2, "incorrect number of KDA transfers");
    const offered = readDeposit(call, pair);
    check(isActiveForLiquidity(pair), "Not active");
    check(pair.lpToken !== undefined, "LP token not issued");
    check(pair.initialLiquidityAdder === undefined || pair.lpSupply !== 0n, "Initial liquidity was not added");
    if (pair.lpSupply === 0n) return settleDeposit(call, depositFirst(call, offered), offered, offered);

    const used = optimalDeposit(pair, offered);
    check(used.first >= minimum.first, "Insufficient first token computed amount");
    check(used.second >= minimum.second, "Insufficient second token computed amount");
    const reserves = { first: pair.reserveFirst, second: pair.reserveSecond };
    const minted = addedLiquidity(used.first, used.second, reserves, pair.lpSupply);
    check(minted > 0n, "Insufficient liquidity minted");
    updatePair(call, {
      reserveFirst: pair.reserveFirst + used.first,
      reserveSecond: pair.reserveSecond + used.second,
      lpSupply: pair.lpSupply + minted,
    });
    return settleDeposit(call, minted, used, offered);
  },

  removeLiquidity: (call, inputs) => {
    check(inputs.first_token_amount_min > 0n && inputs.second_token_amount_min > 0n, "Invalid args");
    const paid = fungiblePayment(call);
    const pair = ownPair(call);
    check(isActiveForLiquidity(pair), "Not active");
    check(pair.lpToken !== undefined, "LP token not issued");
    check(paid.tokenId === pair.lpToken && paid.units > 0n, "Bad payment tokens");
    check(pair.lpSupply >= paid.units + MINIMUM_LIQUIDITY, "Not enough LP token supply");
    const takeOut = (reserve: bigint, minimum: bigint): bigint => {
      const out = (paid.units * reserve) / pair.lpSupply;
      check(out > 0n, "Insufficient liquidity burned");
      check(out >= minimum, "Slippage amount does not match");
      return out;
    };
    const first = takeOut(pair.reserveFirst, inputs.first_token_amount_min);
    const second = takeOut(pair.reserveSecond, inputs.second_token_amount_min);
    updatePair(call, {
      reserveFirst: pair.reserveFirst - first,
      reserveSecond: pair.reserveSecond - second,
      lpSupply: pair.lpSupply - paid.units,
    });
    call.state.ledger.burn(call.self, paid);
    const payments = [fungible(pair.firstToken, first), fungible(pair.secondToken, second)] as const;
    for (const payment of payments) call.send(call.caller, payment);
    return payments;
  },
};

/** Reads the two payments, which must be in the pool's order. */
function readDeposit(call: Call, pair: Pair): Deposit {
  const [first, second] = call.payments;
  const isPoolToken = (payment: Payment | undefined, token: string): payment is Payment =>
    payment !== undefined && payment.tokenId === token && payment.nonce === 0n && payment.units > 0n;
  check(isPoolToken(first, pair.firstToken) && isPoolToken(second, pair.secondToken), "Bad payment tokens");
  return { first: first.units, second: second.units };
}

/** Deposits everything. @returns the LP units minted, less those that the pair keeps forever. */
function depositFirst(call: Call, deposit: Deposit): bigint {
  const pair = ownPair(call);
  const supply = firstLiquidity(call.state.world.options.firstLiquidityRule, deposit.first, deposit.second);
  check(supply > MINIMUM_LIQUIDITY, "First tokens needs to be greater than minimum liquidity");
  updatePair(call, {
    reserveFirst: pair.reserveFirst + deposit.first,
    reserveSecond: pair.reserveSecond + deposit.second,
    lpSupply: supply,
  });
  mintLp(call, call.self, MINIMUM_LIQUIDITY);
  return supply - MINIMUM_LIQUIDITY;
}

/** The largest part of the offer in the pool's proportion. */
function optimalDeposit(pair: Pair, offered: Deposit): Deposit {
  const second = quote(offered.first, pair.reserveFirst, pair.reserveSecond);
  if (second <= offered.second) return { first: offered.first, second };
  const first = quote(offered.second, pair.reserveSecond, pair.reserveFirst);
  return { first, second: offered.second };
}

/** Sends the LP tokens and the unused part of the offer. @returns the LP payment and the two used ones. */
function settleDeposit(
  call: Call,
  minted: bigint,
  used: Deposit,
  offered: Deposit,
): readonly [Payment, Payment, Payment] {
  const pair = ownPair(call);
  const lp = mintLp(call, call.caller, minted);
  call.send(call.caller, fungible(pair.firstToken, offered.first - used.first));
  call.send(call.caller, fungible(pair.secondToken, offered.second - used.second));
  return [lp, fungible(pair.firstToken, used.first), fungible(pair.secondToken, used.second)];
}

function mintLp(call: Call, owner: Call["caller"], units: bigint): Payment {
  const pair = ownPair(call);
  const lp = fungible(required(pair.lpToken, "LP token not issued"), units);
  // The chain refuses with this if the pair has no mint role for the token.
  check(pair.hasLpRoles, "action is not allowed");
  call.state.ledger.mint(owner, lp);
  return lp;
}

function fungible(tokenId: string, units: bigint): Payment {
  return { tokenId, nonce: 0n, units };
}
