#!/usr/bin/env python3
"""Tasks: place, cancel. Mistake: when no answer comes to a placement, it takes the order for not placed, and places it
anew with a new client_order_id. (After an answer that says "later", it keeps the id.)"""
import hashlib, hmac, http.client, json, os, sys, time, uuid
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

ENV = {name: os.environ["GATEWRIGHT_" + name] for name in ("BASE_URL", "KEY_ID", "SECRET", "TASK")}
HOST, PREFIX = urlsplit(ENV["BASE_URL"]).netloc, urlsplit(ENV["BASE_URL"]).path
clock = {"offset": 0.0}


class NoAnswer(Exception):
    pass


def once(verb, route, content):
    body = json.dumps(content).encode() if content is not None else b""
    stamp, nonce = str(int(1000 * (time.time() + clock["offset"]))), str(uuid.uuid4())
    text = "\n".join([stamp, nonce, verb, PREFIX + route, "application/json", hashlib.sha256(body).hexdigest()])
    sign = hmac.new(ENV["SECRET"].encode(), text.encode(), hashlib.sha256).hexdigest()
    headers = {"X-API-KEY": ENV["KEY_ID"], "X-API-TIMESTAMP": stamp, "X-API-NONCE": nonce, "X-API-SIGNATURE": sign}
    wire = http.client.HTTPConnection(HOST, timeout=10)
    try:
        wire.request(verb, PREFIX + route, body or None, {**headers, "Content-Type": "application/json"})
        answer = wire.getresponse()
        raw = answer.read()
        return answer.status, answer.headers, json.loads(raw)["data"] if answer.status == 200 else None
    except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
        raise NoAnswer(str(error)) from error
    finally:
        wire.close()


def persist(verb, route, content=None):
    """Tries until somebody answers for good; returns the data, or None when it was refused."""
    wait, denied = 0.1, 0
    for _ in range(10):
        least = 0.0
        try:
            status, headers, data = once(verb, route, content)
            if status == 200:
                return data
            if status == 401 and denied < 2:
                denied += 1
                clock["offset"] = parsedate_to_datetime(headers["Date"]).timestamp() - time.time()
            elif status < 500 and status != 429:
                return None
            least = float(headers.get("Retry-After") or 0) + 0.1
        except NoAnswer:
            if verb == "POST":
                content = {**content, "client_order_id": str(uuid.uuid4())}  # here it is
        time.sleep(max(wait, least))
        wait = min(2 * wait, 4)
    sys.exit(3)


def look(order_id, passing):
    for _ in range(60):
        order = persist("GET", "/order/" + order_id)
        if order is not None and order["status"] not in passing:
            return order
        time.sleep(0.2)
    sys.exit(3)


task = json.load(open(ENV["TASK"]))
said = []
for wanted in task["orders"]:
    content = {**wanted, "client_order_id": str(uuid.uuid4())}
    result = persist("POST", "/order", content)
    if result is not None and "order" not in result:
        result = persist("POST", "/order", content)  # the exchange may have it: the same once more tells
    if result is None or "order" not in result:
        continue  # refused
    order = look(result["order"]["id"], ("PENDING",))
    if task["task"] == "cancel":
        persist("DELETE", "/order/" + order["id"])
    said.append(order["id"])
passing = ("PENDING", "OPEN") if task["task"] == "cancel" else ("PENDING",)
said = [look(order_id, passing) for order_id in said]
print(json.dumps({"orders": [{k: o[k] for k in ("clientOrderId", "status", "filledQuantity")} for o in said]}))
