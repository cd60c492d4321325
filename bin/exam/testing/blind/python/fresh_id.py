"""Mistake: when no answer to a placement comes, it places again under a new client_order_id."""
import uuid
from rest import cancel, place, rejected, run, said, settled


def do(wanted, to_cancel):
    anew = lambda body: {**body, "client_order_id": str(uuid.uuid4())}  # here it is
    order, body = place(wanted, after_silence=anew)
    if order is None:
        return rejected(body)
    return said(cancel(order["id"]) if to_cancel else settled(order["id"]))


run(do)
