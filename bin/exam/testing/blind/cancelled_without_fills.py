#!/usr/bin/env python3
"""Tasks: place, cancel. Mistake: when a cancel is answered with success, it believes that the order ended with nothing
filled, and does not look. (When the cancel is refused, it looks.)"""
import hashlib, hmac, http.client, json, os, sys, time
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit
from uuid import uuid4

base = urlsplit(os.environ["GATEWRIGHT_BASE_URL"])
key_id, secret = os.environ["GATEWRIGHT_KEY_ID"], os.environ["GATEWRIGHT_SECRET"].encode()
skew_ms = 0


def one_try(verb, route, body):
    path, moment, nonce = base.path + route, f"{time.time() * 1000 + skew_ms:.0f}", str(uuid4())
    lines = moment, nonce, verb, path, "application/json", hashlib.sha256(body).hexdigest()
    conn = http.client.HTTPConnection(base.hostname, base.port, timeout=8)
    try:
        conn.putrequest(verb, path)
        conn.putheader("X-API-KEY", key_id)
        conn.putheader("X-API-TIMESTAMP", moment)
        conn.putheader("X-API-NONCE", nonce)
        conn.putheader("X-API-SIGNATURE", hmac.new(secret, "\n".join(lines).encode(), "sha256").hexdigest())
        conn.putheader("Content-Type", "application/json")
        if body:
            conn.putheader("Content-Length", str(len(body)))
        conn.endheaders(body or None)
        response = conn.getresponse()
        return response, response.read()
    finally:
        conn.close()


def talk(verb, route, content=None):
    """(status, data) of an answer that settles the matter."""
    global skew_ms
    body = json.dumps(content).encode() if content else b""
    unsigned = 0
    for n in range(11):
        pause = min(5, 0.1 * 2**n)
        try:
            response, raw = one_try(verb, route, body)
            if response.status == 200:
                return 200, json.loads(raw)["data"]
            if response.status == 401 and unsigned < 2:
                unsigned += 1
                date = parsedate_to_datetime(response.headers["Date"])
                skew_ms = (date.timestamp() - time.time()) * 1000
            elif response.status not in (408, 429) and response.status < 500:
                return response.status, None
            pause = max(pause, 0.2 + int(response.headers.get("Retry-After", 0)))
        except (OSError, http.client.HTTPException, ValueError):
            pass
        time.sleep(pause)
    sys.exit(3)


def settled(order_id, unless):
    for _ in range(80):
        status, order = talk("GET", "/order/" + order_id)
        if status == 200 and order["status"] not in unless:
            return order
        time.sleep(0.15)
    sys.exit(3)


def do(wanted, cancel):
    content = {**wanted, "client_order_id": str(uuid4())}
    for _ in range(2):
        status, result = talk("POST", "/order", content)
        if status != 200 or result.get("order"):
            break
    if status != 200 or not result.get("order"):
        return None
    order = settled(result["order"]["id"], ["PENDING"])
    if cancel:
        status, _ = talk("DELETE", "/order/" + order["id"])
        if status == 200:
            return {"clientOrderId": content["client_order_id"], "status": "CANCELLED", "filledQuantity": "0"}  # here
        order = settled(order["id"], ["PENDING", "OPEN"])
    return {field: order[field] for field in ("clientOrderId", "status", "filledQuantity")}


with open(os.environ["GATEWRIGHT_TASK"]) as f:
    job = json.load(f)
answers = [do(wanted, job["task"] == "cancel") for wanted in job["orders"]]
print(json.dumps({"orders": [answer for answer in answers if answer]}))
