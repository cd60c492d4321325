"""Mistake: it watches an order for some time and adds up what was filled since the last look as floats."""
import time
from decimal import Decimal
from rest import cancel, place, rejected, run, said, settled


def do(wanted, to_cancel):
    order, body = place(wanted)
    if order is None:
        return rejected(body)
    seen, total = Decimal(0), 0.0
    for look in range(12):
        if look == 11 and to_cancel:
            order = cancel(order["id"])
        else:
            order = settled(order["id"])
            time.sleep(0.1)
        total += float(Decimal(order["filledQuantity"]) - seen)  # here it is
        seen = Decimal(order["filledQuantity"])
    return {**said(order), "filledQuantity": str(total)}


run(do)
