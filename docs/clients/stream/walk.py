#!/usr/bin/env python3
"""Follows the book and two orders of one's own through a lost connection: docs/clients/stream/README.md says what it shows."""
import os, sys, uuid
from gateway import Gateway
from stream import Stream

gateway = Gateway(
    os.environ.get("GATEWRIGHT_BASE_URL", "http://127.0.0.1:8080/api/v1/trading"),
    os.environ.get("GATEWRIGHT_KEY_ID", "gw_demo_trader"),
    os.environ.get("GATEWRIGHT_SECRET", "sandbox-only-secret-of-gw_demo_trader"),
)
product = "BTC-USD"
stream = Stream(gateway, product)


def place(**request):
    """The order is found in the stream by its client_order_id, whichever comes first: its event or this answer."""
    body = {"side": "BUY", "product": product, "client_order_id": str(uuid.uuid4()), **request}

    def placed():
        data = gateway.call("POST", "/order", body)
        return data.get("order") or sys.exit(f"{data['type']}: {data.get('message')}")

    return stream.orders.ask(body["client_order_id"], placed)


def status(order):
    return stream.orders.get(order["clientOrderId"])["status"]


stream.until(lambda: stream.book.sequence is not None)
levels = stream.book.levels()
bids, asks = levels["bids"], levels["asks"]
print(f"book: {len(bids)} bids, {len(asks)} asks, best {bids[0]['price']} and {asks[0]['price']}")

resting = place(type="LIMIT", base_quantity="0.001", price="30000")
print("limit order:", resting["status"])
stream.disconnect()
gateway.call("DELETE", "/order/" + resting["id"])
print("disconnected; the limit order is cancelled behind our back")
stream.until(lambda: status(resting) == "CANCELLED")
print("connected again; limit order: CANCELLED")

market = place(type="MARKET", quote_value="100")
stream.until(lambda: status(market) == "FILLED")
now = stream.orders.get(market["clientOrderId"])
print(f"market order: FILLED, {now['filledQuantity']} BTC at {now['averageFilledPrice']}")

while True:  # Read the book, and wait until ours has come as far. It may have skipped that number: then read again.
    read = gateway.call("GET", f"/order-book/{product}?depth=100")
    stream.until(lambda: (stream.book.sequence or 0) >= read["bookSequence"])
    if stream.book.sequence == read["bookSequence"]:
        break
if stream.book.levels() != {"bids": read["bids"], "asks": read["asks"]}:
    sys.exit("the local book differs from the gateway's")
print("local book: the same as the gateway's")
stream.disconnect()
