"""Mistake: whatever is answered to a cancel, a refusal too, it takes the order for cancelled as it saw it before."""
from rest import call, place, rejected, run, said, settled


def do(wanted, to_cancel):
    order, body = place(wanted)
    if order is None:
        return rejected(body)
    order = settled(order["id"])
    if to_cancel:
        call("DELETE", "/order/" + order["id"])
        order = {**order, "status": "CANCELLED"}  # here it is
    return said(order)


run(do)
