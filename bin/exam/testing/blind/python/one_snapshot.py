"""Mistake: it takes the first snapshot of the book for the book, and listens to no update after it."""
import json, os, sys, time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[5] / "docs/clients/stream"))
from gateway import Gateway
from stream import Stream

with open(os.environ["GATEWRIGHT_TASK"]) as file:
    task = json.load(file)
gateway = Gateway(*(os.environ["GATEWRIGHT_" + name] for name in ("BASE_URL", "KEY_ID", "SECRET")))
stream = Stream(gateway, task["product"])
end = time.monotonic() + task["seconds"]
try:
    stream.until(lambda: stream.book.sequence is not None, task["seconds"] + 20)  # here it is
except TimeoutError:
    sys.exit(3)
time.sleep(max(0, end - time.monotonic()))
print(json.dumps({"book": {"bookSequence": stream.book.sequence, **stream.book.levels()}}))
stream.disconnect()
