#!/usr/bin/env python3
"""A client of the Order Trading Gateway in Python's standard library: docs/clients/README.md says what it shows."""
import hashlib, hmac, http.client, json, os, sys, time, uuid
from urllib.parse import urlsplit

BASE = urlsplit(os.environ.get("GATEWRIGHT_BASE_URL", "http://127.0.0.1:8080/api/v1/trading"))
KEY = os.environ.get("GATEWRIGHT_KEY_ID", "gw_demo_trader")
SECRET = os.environ.get("GATEWRIGHT_SECRET", "sandbox-only-secret-of-gw_demo_trader")
Connection = http.client.HTTPSConnection if BASE.scheme == "https" else http.client.HTTPConnection
connection = Connection(BASE.netloc, timeout=10)


def call(expected, method, route, body=None, signed_method=None):
    """Sends one signed request and returns the JSON of an answer that has the expected status."""
    target = BASE.path + route
    payload = b"" if body is None else json.dumps(body).encode()  # hashed and sent: the same bytes
    timestamp, nonce = str(int(time.time() * 1000)), str(uuid.uuid4())
    body_hash = hashlib.sha256(payload).hexdigest()
    lines = [timestamp, nonce, signed_method or method, target.split("?")[0], "application/json", body_hash]
    signature = hmac.new(SECRET.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()
    headers = {"X-API-KEY": KEY, "X-API-TIMESTAMP": timestamp, "X-API-NONCE": nonce}
    headers.update({"X-API-SIGNATURE": signature, "Content-Type": "application/json"})
    connection.request(method, target, payload or None, headers)
    response = connection.getresponse()
    text = response.read().decode()
    check(response.status == expected, f"{method} {route}: {response.status} {text}")
    return json.loads(text)


def check(condition, otherwise):
    condition or sys.exit(f"unexpected: {otherwise}")


common = {"side": "BUY", "product": "BTC-USD"}
market = {**common, "type": "MARKET", "quote_value": "100", "client_order_id": str(uuid.uuid4())}
placed = call(200, "POST", "/order", market)["data"]
check(placed["type"] == "NEW_ORDER", placed)
print("market order:", placed["order"]["status"])
now, deadline = placed["order"], time.monotonic() + 5
while now["status"] == "OPEN" and time.monotonic() < deadline:
    time.sleep(0.1)
    now = call(200, "GET", "/order/" + now["id"])["data"]
check(now["status"] == "FILLED", now)
print(f"market order: FILLED, {now['filledQuantity']} BTC at {now['averageFilledPrice']}")

resting = {**common, "type": "LIMIT", "base_quantity": "0.001", "price": "30000"}
limit = {**resting, "client_order_id": str(uuid.uuid4())}
first, again = (call(200, "POST", "/order", limit)["data"] for _ in range(2))
limit_id = first["order"]["id"]
check(again["type"] == "DUPLICATE_REPLAY" and again["order"]["id"] == limit_id, again)
print("limit order: sent twice, DUPLICATE_REPLAY of the same order")
listed = call(200, "GET", "/order/open?product=BTC-USD")["data"]
check(any(one["id"] == limit_id for one in listed), listed)
print("open orders: it is listed")
check(call(200, "DELETE", "/order/" + limit_id)["data"]["status"] == "CANCELLED", limit_id)
print("limit order: CANCELLED")
print("signed wrongly:", call(401, "GET", "/order/open", signed_method="get")["details"][0]["hint"])
connection.close()
