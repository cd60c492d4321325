"""Mistake: it takes a 503 to a placement for "not placed", gives the order up, and says that it was rejected."""
from rest import cancel, place, rejected, run, said, settled


def do(wanted, to_cancel):
    order, body = place(wanted, final=(503,))  # here it is
    if order is None:
        return rejected(body)
    return said(cancel(order["id"]) if to_cancel else settled(order["id"]))


run(do)
