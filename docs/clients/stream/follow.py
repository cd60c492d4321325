"""Follows the book or the orders of a key for some seconds, and says what it has: the tasks of docs/exam.md."""
import json, os, sys, time
from gateway import Gateway
from stream import Stream

with open(os.environ["GATEWRIGHT_TASK"]) as file:
    task = json.load(file)
gateway = Gateway(*(os.environ["GATEWRIGHT_" + name] for name in ("BASE_URL", "KEY_ID", "SECRET")))
stream = Stream(gateway, task.get("product", "BTC-USD"))
end = time.monotonic() + task["seconds"]
try:
    stream.until(lambda: time.monotonic() > end and stream.knows_all(), task["seconds"] + 20)
except TimeoutError:
    sys.exit(3)  # in the middle of a recovery
if task["task"] == "book":
    print(json.dumps({"book": {"bookSequence": stream.book.sequence, **stream.book.levels()}}))
else:
    names = ("clientOrderId", "status", "filledQuantity")
    print(json.dumps({"orders": [{name: order[name] for name in names} for order in stream.orders.all()]}))
stream.disconnect()
