#!/usr/bin/env python3
"""Places and cancels orders so that none is doubled and none is lost, whatever happens to requests and answers:
docs/clients/README.md has the rules, and `gatewright exam` tries them (docs/exam.md)."""
import hashlib, hmac, http.client, json, os, random, sys, time, uuid
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

BASE = urlsplit(os.environ["GATEWRIGHT_BASE_URL"])
KEY, SECRET = os.environ["GATEWRIGHT_KEY_ID"], os.environ["GATEWRIGHT_SECRET"]
Connection = http.client.HTTPSConnection if BASE.scheme == "https" else http.client.HTTPConnection
ahead = 0.0  # seconds that the clock of the gateway is ahead of ours, as its `Date` shows


def send(method, route, payload):
    """One try, with a nonce, a time and a signature of its own. A success that cannot be read is no answer."""
    target = BASE.path + route
    timestamp, nonce = str(int((time.time() + ahead) * 1000)), str(uuid.uuid4())
    lines = [timestamp, nonce, method, target, "application/json", hashlib.sha256(payload).hexdigest()]
    signature = hmac.new(SECRET.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()
    headers = {"X-API-KEY": KEY, "X-API-TIMESTAMP": timestamp, "X-API-NONCE": nonce}
    headers.update({"X-API-SIGNATURE": signature, "Content-Type": "application/json"})
    connection = Connection(BASE.netloc, timeout=10)
    try:
        connection.request(method, target, payload or None, headers)
        response = connection.getresponse()
        text = response.read()
        if response.status != 200:
            print(f"{method} {route}: {response.status} {text.decode(errors='replace')}", file=sys.stderr)
        data = json.loads(text)["data"] if response.status == 200 else {}  # a proxy refuses without JSON
        return response.status, response.headers, data
    finally:
        connection.close()


def call(method, route, body=None):
    """Tries again while nobody can say what became of the request: the same body, and so the same client_order_id."""
    global ahead
    payload = b"" if body is None else json.dumps(body).encode()
    refused = 0
    for tries in range(10):
        pause = min(0.1 * 2**tries, 5) * random.uniform(0.75, 1)  # grows, and not all at once
        try:
            status, headers, data = send(method, route, payload)
            if status == 401 and refused < 2:
                refused += 1  # a clock that is off, or a used nonce
                ahead = parsedate_to_datetime(headers["Date"]).timestamp() - time.time()
            elif status != 429 and status < 500:
                return data
            pause = max(pause, float(headers.get("Retry-After", 0)) + 0.05)
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            pass  # no answer, or a part of one: it may have been done
        time.sleep(pause)
    cannot_know(f"{method} {route}: no answer in ten tries")


def cannot_know(why):
    print(why, file=sys.stderr)
    sys.exit(3)


def settled(order_id, passing=("PENDING",)):
    """An answer to a placement or a cancel may be older than its order, so it is read until its status is no passing one."""
    for _ in range(50):
        order = call("GET", "/order/" + order_id)
        if order.get("status", "PENDING") not in passing:
            return order
        time.sleep(0.2)
    cannot_know(f"{order_id} stays {' or '.join(passing)}")


with open(os.environ["GATEWRIGHT_TASK"]) as file:
    task = json.load(file)
ids, refused = [], []
for wanted in task["orders"]:
    client_order_id = str(uuid.uuid4())
    body = {**wanted, "client_order_id": client_order_id}
    placed = call("POST", "/order", body)
    if placed.get("type", "").endswith("_EXECUTION_FAILED"):
        # The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
        placed = call("POST", "/order", body)
    order = placed.get("order")
    if order is None:
        refused.append({"clientOrderId": client_order_id, "status": "REJECTED", "filledQuantity": "0"})
    else:
        ids.append(order["id"])
if task["task"] == "cancel":
    for order_id in ids:
        settled(order_id)  # a PENDING order is not cancelled yet
        call("DELETE", "/order/" + order_id)  # what it became, done or refused, shows below
passing = ("PENDING", "OPEN") if task["task"] == "cancel" else ("PENDING",)  # a cancel may take its time
ended = [settled(order_id, passing) for order_id in ids]
said = [{name: order[name] for name in ("clientOrderId", "status", "filledQuantity")} for order in ended]
print(json.dumps({"orders": said + refused}))
