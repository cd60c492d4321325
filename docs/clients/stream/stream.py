"""The gateway's stream, through as many connections as it takes.

There is no resuming: after a disconnect everything is subscribed again, and the snapshots are the recovery. Messages are
numbered from 1 on each connection, so a hole in the numbers shows that something is lost; three seconds without even a
heartbeat show that the connection is dead."""
import json, random, sys, time
from http.client import HTTPException
from urllib.parse import urlencode
from local_book import LocalBook
from own_orders import OwnOrders
from rfc6455 import Closed, Refused, WebSocket

SILENCE = 3.0
LONGEST_PAUSE = 5.0
PASSING = ("SLOW_CONSUMER", "RATE_LIMITED", "NOT_READY")  # what another connection, after a pause, may not meet


class Stream:
    def __init__(self, gateway, product):
        self.book, self.orders = LocalBook(), OwnOrders()
        self._gateway, self._product = gateway, product
        self._socket, self._received, self._failures, self._open_orders = None, 0, 0, []
        self._complete_to, self._recovering = None, True  # nothing is missing until this time of the gateway

    def until(self, condition, timeout=20.0):
        """Reads the stream until the condition holds; connects where there is no connection."""
        deadline = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not within {timeout} s")
            try:
                if self._socket is None:
                    self._connect()
                self._receive(json.loads(self._socket.receive()))
            except (Closed, OSError, HTTPException, ValueError) as error:  # also of an answer that is cut
                self._pause(str(error))
            except Refused as refused:
                if refused.status != 429 and refused.status < 500:  # a 401 stays one
                    raise
                self._pause(str(refused))

    def knows_all(self):
        """Both the book and the orders are as the gateway has told them last, and nothing is asked for."""
        return self.book.sequence is not None and not self._recovering

    def disconnect(self):
        if self._socket is not None:
            self._socket.abort()
        self._socket, self.book.sequence = None, None

    def _connect(self):
        url = self._gateway.base_url.replace("http", "ws", 1) + "/ws"
        self._socket = WebSocket(url, self._gateway.headers("GET", "/ws"), SILENCE)
        self._received, self._open_orders, self._recovering = 0, [], True
        self._subscribe("heartbeat", "orders", "orderBook")

    def _pause(self, reason):
        self.disconnect()
        pause = min(0.1 * 2**self._failures, LONGEST_PAUSE) * random.uniform(0.5, 1)  # not all at once
        self._failures += 1
        print(f"disconnected ({reason}), connecting again in {pause:.3f} s", file=sys.stderr)
        time.sleep(pause)

    def _subscribe(self, *channels):
        for channel in channels:
            products = {"products": [self._product]} if channel == "orderBook" else {}
            self._socket.send(json.dumps({"type": "subscribe", "channel": channel, **products}))

    def _receive(self, message):
        if message["sequence"] <= self._received:
            return  # an echo, or a latecomer that was asked for again already
        if message["sequence"] > self._received + 1:
            self._ask_again("a message is missing", "orders", "orderBook")
        self._received = message["sequence"]
        if self._complete_to is None or not self._recovering:
            self._complete_to = message["timestamp"]
        about = (message.get("channel"), message["type"])
        if message["type"] == "error":
            error = f"{message['code']}: {message['message']}"
            raise Closed(1000, error) if message["code"] in PASSING else RuntimeError(error)
        if about == ("orderBook", "snapshot"):
            self.book.snapshot(message["data"])
        elif about == ("orderBook", "update") and not self.book.update(message["data"]):
            self._ask_again("the book has a gap", "orderBook")
        elif about == ("orders", "snapshot"):
            self._catch_up(message["data"]["orders"], message["data"]["final"])
        elif about == ("orders", "update"):
            self.orders.event(message["data"]["order"], message["data"]["revision"])

    def _ask_again(self, why, *channels):
        """Whoever subscribes to what he has gets a new snapshot."""
        print(f"{why}: asking for a new snapshot", file=sys.stderr)
        self.book.sequence = None
        self._recovering = self._recovering or "orders" in channels
        self._subscribe(*channels)

    def _catch_up(self, orders, final):
        """Orders that ended while nobody listened are in no snapshot: those that were known are read one by one, and the
        list has those that came and ended in between."""
        self._open_orders += orders
        if not final:
            return
        listed, self._open_orders = self._open_orders, []
        for ended in self.orders.snapshot(listed):
            route = "/order/" + ended["id"]
            self.orders.ask(ended["clientOrderId"], lambda: self._gateway.call("GET", route))
        query = {"startTime": self._complete_to, "sort": "ASC", "limit": 100}
        while True:
            page = self._gateway.call("GET", "/order?" + urlencode(query))
            for order in page["items"]:
                self.orders.listed(order)
            if not page["pagination"]["hasNext"]:
                break
            query["cursor"] = page["pagination"]["nextCursor"]
        self._recovering, self._failures = False, 0
