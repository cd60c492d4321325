"""The order book of one product, kept from the stream: a snapshot, then every update that begins where the book stands.
An update that begins elsewhere means that something is lost: take a new snapshot."""
from decimal import Decimal


class LocalBook:
    def __init__(self):
        self.sequence = None  # which change of the venue's book this is; None while the book is not to be trusted
        self._bids, self._asks = {}, {}

    def snapshot(self, data):
        self._bids = {level["price"]: level["quantity"] for level in data["bids"]}
        self._asks = {level["price"]: level["quantity"] for level in data["asks"]}
        self.sequence = data["bookSequence"]

    def update(self, data):
        """False when there is a gap between the book and the update."""
        if self.sequence is None or data["bookSequence"] <= self.sequence:
            return True  # nothing to miss: a snapshot has it
        if data["prevBookSequence"] != self.sequence:
            return False
        change(self._bids, data["bids"])
        change(self._asks, data["asks"])
        self.sequence = data["bookSequence"]
        return True

    def levels(self):
        """Best first."""
        return {"bids": ordered(self._bids, descending=True), "asks": ordered(self._asks, descending=False)}


def change(side, levels):
    for level in levels:
        if level["quantity"] == "0":  # it is gone, or is no longer one of the best 100
            side.pop(level["price"], None)
        else:
            side[level["price"]] = level["quantity"]  # absolute, not a difference


def ordered(side, descending):
    prices = sorted(side, key=Decimal, reverse=descending)
    return [{"price": price, "quantity": side[price]} for price in prices]
