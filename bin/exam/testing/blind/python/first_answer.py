"""Mistake: it says the status and the fill that the answer to the placement had, and never looks again."""
from rest import cancel, place, rejected, run, said


def do(wanted, to_cancel):
    order, body = place(wanted)
    if order is None:
        return rejected(body)
    return said(cancel(order["id"]) if to_cancel else order)  # here it is: PENDING stays PENDING


run(do)
