#!/usr/bin/env python3
"""Tasks: place, cancel. Mistake: it reads a 503 to a placement as "the venue did not take the order", gives the order up
and calls it rejected. Everything else that fails is tried again as it should be."""
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

BASE = os.environ["GATEWRIGHT_BASE_URL"]
GIVE_UP_AFTER = 11
adjust = 0.0


def signed(verb, url, body):
    moment = str(int((time.time() + adjust) * 1000))
    nonce = str(uuid.uuid4())
    digest = hashlib.sha256(body).hexdigest()
    canonical = f"{moment}\n{nonce}\n{verb}\n{urlsplit(url).path}\napplication/json\n{digest}"
    mac = hmac.new(os.environ["GATEWRIGHT_SECRET"].encode(), canonical.encode(), hashlib.sha256)
    request = urllib.request.Request(url, data=body or None, method=verb)
    request.add_header("X-API-KEY", os.environ["GATEWRIGHT_KEY_ID"])
    request.add_header("X-API-TIMESTAMP", moment)
    request.add_header("X-API-NONCE", nonce)
    request.add_header("X-API-SIGNATURE", mac.hexdigest())
    request.add_header("Content-Type", "application/json")
    return request


def exchange(verb, route, content=None, final=()):
    """Status and data of the first answer that is final."""
    global adjust
    body = b"" if content is None else json.dumps(content, separators=(",", ":")).encode()
    for attempt in range(GIVE_UP_AFTER):
        pause = min(0.15 * 2**attempt, 4.0)
        try:
            with urllib.request.urlopen(signed(verb, BASE + route, body), timeout=9) as answer:
                return 200, json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            error.close()
            if error.code in final:
                time.sleep(float(error.headers.get("Retry-After", "0")))  # for what is sent next
                return error.code, None
            if error.code == 401:
                if attempt > 3:
                    raise
                adjust = parsedate_to_datetime(error.headers["Date"]).timestamp() - time.time()
            elif error.code < 500 and error.code != 429:
                return error.code, None
            pause = max(pause, 0.1 + float(error.headers.get("Retry-After", "0")))
        except Exception:
            pass  # no answer or a broken one: the same again is safe
        time.sleep(pause)
    print("no answer to", verb, route, file=sys.stderr)
    sys.exit(3)


def wait_for(order_id, unsettled):
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        status, order = exchange("GET", f"/order/{order_id}")
        if status == 200 and order["status"] not in unsettled:
            return order
        time.sleep(0.25)
    sys.exit(3)


with open(os.environ["GATEWRIGHT_TASK"]) as handle:
    task = json.load(handle)
lines = []
for wanted in task["orders"]:
    content = dict(wanted, client_order_id=str(uuid.uuid4()))
    status, result = exchange("POST", "/order", content, final=(503,))  # here it is
    if status == 200 and result["type"] in ("EXTERNAL_EXECUTION_FAILED", "INTERNAL_EXECUTION_FAILED"):
        status, result = exchange("POST", "/order", content)
    if status != 200 or "order" not in result:
        lines.append({"clientOrderId": content["client_order_id"], "status": "REJECTED", "filledQuantity": "0"})
        continue
    order = wait_for(result["order"]["id"], {"PENDING"})
    if task["task"] == "cancel":
        exchange("DELETE", f"/order/{order['id']}")
        order = wait_for(order["id"], {"PENDING", "OPEN"})
    lines.append({name: order[name] for name in ("clientOrderId", "status", "filledQuantity")})
print(json.dumps({"orders": lines}))
