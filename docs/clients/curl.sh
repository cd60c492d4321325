#!/usr/bin/env bash
# A client of the Order Trading Gateway in bash, curl and openssl: docs/clients/README.md says what it shows.
set -euo pipefail
BASE=${GATEWRIGHT_BASE_URL:-http://127.0.0.1:8080/api/v1/trading}
KEY=${GATEWRIGHT_KEY_ID:-gw_demo_trader}
SECRET=${GATEWRIGHT_SECRET:-sandbox-only-secret-of-gw_demo_trader}

# Milliseconds; whole seconds where `date` knows no %N, as on macOS.
now() { local ms; ms=$(date +%s%3N); [[ $ms =~ ^[0-9]{13}$ ]] || ms=$(date +%s)000; echo "$ms"; }
uuid() { openssl rand -hex 16 | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\1-\2-4\3-8\4-\5/'; }
sha256() { openssl dgst -sha256 "$@" | sed 's/.*= //'; }
fail() { echo "unexpected: $*" >&2; exit 1; }

# call STATUS METHOD ROUTE [BODY [METHOD IN THE SIGNATURE]]: prints the body of an answer that has this status.
call() {
  local ts nonce target body=${4-} signature answer status
  ts=$(now) nonce=$(uuid) target=/${BASE#*://*/}$3
  signature=$(printf '%s\n%s\n%s\n%s\napplication/json\n%s' \
    "$ts" "$nonce" "${5-$2}" "${target%%\?*}" "$(printf %s "$body" | sha256)" | sha256 -hmac "$SECRET")
  answer=$(curl -sS --noproxy localhost,127.0.0.1,::1 -X "$2" "$BASE$3" ${body:+--data-binary "$body"} -w '\n%{http_code}' \
    -H "X-API-KEY: $KEY" -H "X-API-TIMESTAMP: $ts" -H "X-API-NONCE: $nonce" -H "X-API-SIGNATURE: $signature" \
    -H 'Content-Type: application/json')
  status=${answer##*$'\n'} answer=${answer%$'\n'*}
  [[ $status == "$1" ]] || fail "$2 $3: $status $answer"
  printf '%s\n' "$answer"
}
texts() { grep -o "\"$1\":\"[^\"]*\"" | cut -d'"' -f4; } # every text of that name in a JSON document
text() { texts "$1" | sed -n 1p; }                      # the first

buy=$(uuid)
placed=$(call 200 POST /order \
  '{"side":"BUY","type":"MARKET","quote_value":"100","client_order_id":"'"$buy"'","product":"BTC-USD"}')
[[ $placed == *'"type":"NEW_ORDER"'* ]] || fail "$placed"
id=$(text id <<<"$placed")
echo "market order: $(text status <<<"$placed")"
for ((i = 0; i < 50; i++)); do
  order=$(call 200 GET "/order/$id")
  [[ $(text status <<<"$order") == OPEN ]] || break
  sleep 0.1
done
[[ $(text status <<<"$order") == FILLED ]] || fail "$order"
echo "market order: FILLED, $(text filledQuantity <<<"$order") BTC at $(text averageFilledPrice <<<"$order")"

limit='{"side":"BUY","type":"LIMIT","base_quantity":"0.001","price":"30000","product":"BTC-USD"'
limit+=',"client_order_id":"'$(uuid)'"}'
first=$(call 200 POST /order "$limit")
again=$(call 200 POST /order "$limit")
id=$(text id <<<"$first")
[[ $again == *'"type":"DUPLICATE_REPLAY"'* && $(text id <<<"$again") == "$id" ]] || fail "$again"
echo "limit order: sent twice, DUPLICATE_REPLAY of the same order"
call 200 GET '/order/open?product=BTC-USD' | texts id | grep -qx "$id" || fail "$id is not among the open orders"
echo "open orders: it is listed"
[[ $(call 200 DELETE "/order/$id" | text status) == CANCELLED ]] || fail "$id is not cancelled"
echo "limit order: CANCELLED"
hint=$(call 401 GET /order/open '' get | text hint)
[[ -n $hint ]] || fail 'the 401 explains nothing'
echo "signed wrongly: $hint"
