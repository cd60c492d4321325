"""Mistake: it says only the orders that are open at the end, and forgets those that were filled or cancelled."""
import json, os, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[5] / "docs/clients/stream"))
from gateway import Gateway
from stream import Stream

with open(os.environ["GATEWRIGHT_TASK"]) as file:
    task = json.load(file)
gateway = Gateway(*(os.environ["GATEWRIGHT_" + name] for name in ("BASE_URL", "KEY_ID", "SECRET")))
stream = Stream(gateway, "BTC-USD")
end = time.monotonic() + task["seconds"]
try:
    stream.until(lambda: time.monotonic() > end and stream.book.sequence is not None, task["seconds"] + 20)
except TimeoutError:
    sys.exit(3)
names = ("clientOrderId", "status", "filledQuantity")
alive = [order for order in stream.orders.all() if order["status"] == "OPEN"]  # here it is
print(json.dumps({"orders": [{name: order[name] for name in names} for order in alive]}))
stream.disconnect()
