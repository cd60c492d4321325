#!/usr/bin/env python3
"""Tasks: book. Mistake: it puts every newer update on the book that it has, without a look at whether the update begins
where the book stands or whether a message is missing."""
import base64
import hashlib
import hmac
import json
import os
import socket
import struct
import sys
import time
import uuid
from decimal import Decimal
from urllib.parse import urlsplit

URL = urlsplit(os.environ["GATEWRIGHT_WS_URL"])


class Gone(Exception):
    """The connection is over."""


class Line:
    def __init__(self):
        stamp, nonce = str(int(time.time() * 1000)), str(uuid.uuid4())
        text = "\n".join((stamp, nonce, "GET", URL.path, "application/json", hashlib.sha256(b"").hexdigest()))
        mac = hmac.new(os.environ["GATEWRIGHT_SECRET"].encode(), text.encode(), "sha256").hexdigest()
        head = (
            f"GET {URL.path} HTTP/1.1\r\nHost: {URL.netloc}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n"
            f"X-API-KEY: {os.environ['GATEWRIGHT_KEY_ID']}\r\nX-API-TIMESTAMP: {stamp}\r\nX-API-NONCE: {nonce}\r\n"
            f"X-API-SIGNATURE: {mac}\r\nContent-Type: application/json\r\n\r\n"
        )
        try:
            self.socket = socket.create_connection((URL.hostname, URL.port), 3)
            self.socket.sendall(head.encode())
            self.input = self.socket.makefile("rb")
            accepted = b" 101 " in self.input.readline()
            while accepted and self.input.readline() not in (b"\r\n", b""):
                pass
        except OSError as error:
            raise Gone from error
        if not accepted:
            raise Gone

    def send(self, payload, opcode=1):
        mask = os.urandom(4)
        body = bytes(byte ^ mask[i & 3] for i, byte in enumerate(payload))
        try:
            self.socket.sendall(bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + body)  # all are short
        except OSError as error:
            raise Gone from error

    def take(self, count):
        try:
            data = self.input.read(count)
        except OSError as error:  # three seconds of silence, too
            raise Gone from error
        if len(data) != count:
            raise Gone
        return data

    def message(self):
        whole = b""
        while True:
            first, size = self.take(2)
            if size > 125:
                (size,) = struct.unpack(*(("!H", self.take(2)) if size == 126 else ("!Q", self.take(8))))
            data = self.take(size)
            opcode = first & 15
            if opcode == 8:
                raise Gone
            if opcode == 9:
                self.send(data, 10)
            elif opcode < 3:
                whole += data
                if first & 0x80:
                    return json.loads(whole)


with open(os.environ["GATEWRIGHT_TASK"]) as file:
    task = json.load(file)
finish = time.monotonic() + task["seconds"]
line, book, pause = None, None, 0.2
while time.monotonic() < finish or book is None:
    if time.monotonic() > finish + 15:
        sys.exit(3)
    try:
        if line is None:
            line = Line()
            line.send(b'{"type":"subscribe","channel":"heartbeat"}')
            line.send(json.dumps({"type": "subscribe", "channel": "orderBook", "products": [task["product"]]}).encode())
        message = line.message()
    except Gone:
        line, book = None, None
        time.sleep(pause)
        pause = min(2 * pause, 3)
        continue
    if message.get("channel") != "orderBook":
        continue
    data = message["data"]
    if message["type"] == "snapshot":
        book = {"bids": {}, "asks": {}, "bookSequence": 0}
        pause = 0.2
    if message["type"] not in ("snapshot", "update") or book is None or data["bookSequence"] <= book["bookSequence"]:
        continue
    for side, best_first in (("bids", True), ("asks", False)):  # here it is: `prevBookSequence` is not looked at
        book[side].update((level["price"], level["quantity"]) for level in data[side])
        kept = sorted((p for p, q in book[side].items() if q != "0"), key=Decimal, reverse=best_first)[:100]
        book[side] = {price: book[side][price] for price in kept}
    book["bookSequence"] = data["bookSequence"]
for side in ("bids", "asks"):
    book[side] = [{"price": price, "quantity": quantity} for price, quantity in book[side].items()]
print(json.dumps({"book": book}))
