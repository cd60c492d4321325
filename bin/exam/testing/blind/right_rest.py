#!/usr/bin/env python3
"""Tasks: place, cancel. Mistake: none."""
import hashlib
import hmac
import json
import os
import sys
import time
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit
from uuid import uuid4


class Unknown(Exception):
    """Nobody can say what became of something."""


class Venue:
    def __init__(self, url, key, secret):
        self.url, self.key, self.secret, self.drift = url, key, secret.encode(), 0

    def headers(self, verb, path, body):
        stamp, nonce = str(round(time.time() * 1000) + self.drift), str(uuid4())
        parts = (stamp, nonce, verb, urlsplit(self.url + path).path, "application/json", hashlib.sha256(body).hexdigest())
        mac = hmac.new(self.secret, "\n".join(parts).encode(), "sha256").hexdigest()
        named = {"KEY": self.key, "TIMESTAMP": stamp, "NONCE": nonce, "SIGNATURE": mac}
        return {"Content-Type": "application/json", **{"X-API-" + name: value for name, value in named.items()}}

    def attempt(self, verb, path, body):
        request = urllib.request.Request(self.url + path, body or None, self.headers(verb, path, body), method=verb)
        try:
            with urllib.request.urlopen(request, timeout=12) as answer:
                return answer.status, answer.headers, json.loads(answer.read())["data"]
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.headers, None

    def ask(self, verb, path, content=None):
        """The data of the answer, or None after a refusal. The bytes stay the same from try to try."""
        body = json.dumps(content).encode() if content else b""
        unauthorized = 0
        for number in range(12):
            rest = min(3, 0.12 * 1.9**number)
            try:
                code, headers, data = self.attempt(verb, path, body)
            except Exception as trouble:  # lost, cut, reset, or no JSON: the next try will tell
                print(f"{verb} {path}: {type(trouble).__name__}", file=sys.stderr)
            else:
                if code == 401 and unauthorized < 3:
                    unauthorized += 1
                    server = parsedate_to_datetime(headers["Date"]).timestamp()
                    self.drift = round((server - time.time()) * 1000)
                elif code < 500 and code not in (408, 429):
                    return data
                if (headers.get("Retry-After") or "").isdigit():
                    rest = max(rest, int(headers["Retry-After"]) + 0.1)
            time.sleep(rest)
        raise Unknown(f"{verb} {path}")

    def place(self, wanted):
        """The id of the order at the venue, or None when it was refused."""
        content = {**wanted, "client_order_id": str(uuid4())}
        for _ in range(3):
            result = self.ask("POST", "/order", content)
            if result is None or result["type"] == "CLIENT_NOT_FOUND":
                return None
            if result.get("order"):
                return result["order"]["id"]
            time.sleep(0.5)  # EXTERNAL_ or INTERNAL_EXECUTION_FAILED: there may be an order all the same
        return None

    def read(self, order_id, while_in):
        """The order, as soon as its status is none of those that will pass."""
        for number in range(40):
            order = self.ask("GET", "/order/" + order_id)
            if order and order["status"] not in while_in:
                return order
            time.sleep(min(0.1 * (number + 1), 0.5))
        raise Unknown(f"{order_id} stays as it is")


def main():
    venue = Venue(*(os.environ["GATEWRIGHT_" + name] for name in ("BASE_URL", "KEY_ID", "SECRET")))
    with open(os.environ["GATEWRIGHT_TASK"], encoding="utf-8") as file:
        task = json.load(file)
    known = [order_id for order_id in map(venue.place, task["orders"]) if order_id]
    passing = ("PENDING",)
    if task["task"] == "cancel":
        passing = ("PENDING", "OPEN")
        for order_id in known:
            venue.read(order_id, ("PENDING",))
            venue.ask("DELETE", "/order/" + order_id)
    orders = [venue.read(order_id, passing) for order_id in known]
    keys = ("clientOrderId", "status", "filledQuantity")
    print(json.dumps({"orders": [{key: order[key] for key in keys} for order in orders]}))


try:
    main()
except Unknown as unknown:
    print("cannot know:", unknown, file=sys.stderr)
    sys.exit(3)
