"""What the clients of this folder for `place` and `cancel` share: careful and right, the mistakes are in the clients."""
import hashlib, hmac, http.client, json, os, random, sys, time, uuid
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

BASE = urlsplit(os.environ["GATEWRIGHT_BASE_URL"])
KEY, SECRET = os.environ["GATEWRIGHT_KEY_ID"], os.environ["GATEWRIGHT_SECRET"]
FIELDS = ("clientOrderId", "status", "filledQuantity")
ahead = 0.0  # of the gateway's clock
not_before = 0.0  # nothing is sent earlier: Retry-After


def once(method, route, payload):
    """Status, headers and data of one try, or None when no answer came or a part of one."""
    time.sleep(max(0, not_before - time.monotonic()))
    path, stamp, nonce = BASE.path + route, str(int((time.time() + ahead) * 1000)), str(uuid.uuid4())
    text = "\n".join([stamp, nonce, method, path, "application/json", hashlib.sha256(payload).hexdigest()])
    headers = {"X-API-KEY": KEY, "X-API-TIMESTAMP": stamp, "X-API-NONCE": nonce, "Content-Type": "application/json"}
    headers["X-API-SIGNATURE"] = hmac.new(SECRET.encode(), text.encode(), hashlib.sha256).hexdigest()
    connection = http.client.HTTPConnection(BASE.netloc, timeout=10)
    try:
        connection.request(method, path, payload or None, headers)
        response = connection.getresponse()
        raw = response.read()
        return response.status, response.headers, json.loads(raw)["data"] if response.status == 200 else {}
    except (OSError, http.client.HTTPException, ValueError, KeyError):
        return None
    finally:
        connection.close()


def call(method, route, body=None, heed=True, final=(), after_silence=lambda body: body):
    """Status and data of the answer that settles the matter; until then the same request again, with growing pauses."""
    global ahead, not_before
    unauthorized = 0
    for tries in range(10):
        answer = once(method, route, b"" if body is None else json.dumps(body).encode())
        if answer is None:
            body = after_silence(body)
        else:
            status, headers, data = answer
            wait = headers.get("Retry-After")
            if heed and wait:
                not_before = time.monotonic() + float(wait) + 0.1
            if status in final:
                return status, data, body
            if status == 401 and unauthorized < 2:
                unauthorized += 1
                ahead = parsedate_to_datetime(headers["Date"]).timestamp() - time.time()
            elif status != 429 and status < 500:
                return status, data, body
        time.sleep(min(0.1 * 2**tries, 5) * random.uniform(0.8, 1))
    cannot_know(f"{method} {route}: no answer in ten tries")


def cannot_know(why):
    print(why, file=sys.stderr)
    sys.exit(3)


def settled(order_id, passing=("PENDING",), heed=True):
    for _ in range(50):
        status, order, _ = call("GET", "/order/" + order_id, heed=heed)
        if status == 200 and order["status"] not in passing:
            return order
        time.sleep(0.2)
    cannot_know(f"{order_id} does not end")


def place(wanted, **how):
    """The answer's order, or None, and the body that was sent last."""
    body = {**wanted, "client_order_id": str(uuid.uuid4())}
    status, data, body = call("POST", "/order", body, **how)
    if status == 200 and data.get("type", "").endswith("_EXECUTION_FAILED"):
        status, data, body = call("POST", "/order", body, **how)  # the same again shows it, if there is one
    return data.get("order"), body


def cancel(order_id, heed=True):
    """Cancels what is no longer PENDING, and reads what became of it."""
    settled(order_id, heed=heed)
    call("DELETE", "/order/" + order_id, heed=heed)
    return settled(order_id, ("PENDING", "OPEN"), heed)


def said(order):
    return {name: order[name] for name in FIELDS}


def rejected(body):
    return {"clientOrderId": body["client_order_id"], "status": "REJECTED", "filledQuantity": "0"}


def run(do):
    """Calls do(order, whether it is to be cancelled) for each order, and prints what it says of them."""
    with open(os.environ["GATEWRIGHT_TASK"]) as file:
        task = json.load(file)
    print(json.dumps({"orders": [do(wanted, task["task"] == "cancel") for wanted in task["orders"]]}))
