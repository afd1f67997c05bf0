#!/usr/bin/env bash
# The guess: a program for accounts that is told exact amounts refuses a trade that makes 0.04 of a token from nothing, and a
# balance that is a unit off.
# What is so: beancount takes the amount with the fewest decimals of an entry for how exactly that was measured. Beside
# "100.5", 100.46 is near enough, and a balance may be off by a whole unit of its own last decimal: 10.01 passes where there
# are 10.00. "100.500000" and "-100.460000" are refused. hledger and ledger refuse all of these.
# Why it matters here: files that leave out zeros at the end, as ours do, have such amounts, so that beancount's "no error" proves
# no balance to the unit. scripts/accounting.ts compares what hledger and ledger print, number by number.
# Versions: beancount 2.3.5-2, hledger 1.25-2+b5, ledger 3.3.0-3 (Debian 12). Date: 2026-11-29.
set -euo pipefail

for package in beancount hledger ledger; do
  if ! version="$(dpkg-query --show --showformat='${Package} ${Version}' "$package" 2>/dev/null)"; then
    echo "Debian's package $package isn't installed here, so nothing was run."
    exit 0
  fi
  echo "$version"
done

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
cd "$folder"
told() { if "$@" >/dev/null 2>&1; then echo taken; else echo refused; fi; }

# A trade of two amounts, told to each of the three.
trade() {
  printf '2026-01-01 open Assets:Wallet\n2026-01-01 open Equity:Trading\n2026-11-01 * "a trade"\n  Assets:Wallet  %s KLV\n  Equity:Trading  %s KLV\n' "$1" "$2" >trade.beancount
  printf '2026-11-01 a trade\n  assets:wallet  %s KLV\n  equity:trading  %s KLV\n' "$1" "$2" >trade.journal
  echo "a trade of $1 and $2: beancount $(told bean-check trade.beancount), hledger $(told hledger -f trade.journal check), ledger $(told ledger -f trade.journal balance)"
}
# A balance of 10.00, said to be something else.
balance() {
  trade 10.00 -10.00 >/dev/null
  printf '2026-11-02 balance Assets:Wallet  %s KLV\n' "$1" >>trade.beancount
  printf '\n2026-11-02 a look\n  assets:wallet  0 KLV = %s KLV\n  equity:trading  0 KLV\n' "$1" >>trade.journal
  echo "10.00 said to be $1: beancount $(told bean-check trade.beancount), hledger $(told hledger -f trade.journal check), ledger $(told ledger -f trade.journal balance)"
}
answer="$(
  trade 100.5 -100.5
  trade 100.5 -100.46
  trade 100.500000 -100.460000
  balance 10.00
  balance 10.01
  balance 10.02
)"
echo "$answer"

diff - <(echo "$answer") <<'TXT'
a trade of 100.5 and -100.5: beancount taken, hledger taken, ledger taken
a trade of 100.5 and -100.46: beancount taken, hledger refused, ledger refused
a trade of 100.500000 and -100.460000: beancount refused, hledger refused, ledger refused
10.00 said to be 10.00: beancount taken, hledger taken, ledger taken
10.00 said to be 10.01: beancount taken, hledger refused, ledger refused
10.00 said to be 10.02: beancount refused, hledger refused, ledger refused
TXT
