"""Mistake: it does not read Retry-After, and comes back after its own growing pauses, which are shorter."""
from rest import cancel, place, rejected, run, said, settled


def do(wanted, to_cancel):
    order, body = place(wanted, heed=False)  # here it is, and below
    if order is None:
        return rejected(body)
    return said(cancel(order["id"], heed=False) if to_cancel else settled(order["id"], heed=False))


run(do)
