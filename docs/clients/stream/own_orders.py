"""The orders of this key, from two sources that race each other: the stream and answers to requests.

They are known by client_order_id, which exists before either. The stream is in order; its events carry a revision that
grows with each change of the order, and may come twice. An answer has none, so it counts only where the stream was
silent about the order while it was on the way. (This client waits for its answers, so here the stream never speaks
meanwhile; it does as soon as a second thread reads it.)"""


class OwnOrders:
    def __init__(self):
        self._known = {}  # by client_order_id: (order, revision)

    def get(self, client_order_id):
        return self._known.get(client_order_id, (None, 0))[0]

    def all(self):
        return [order for order, _ in self._known.values()]

    def event(self, order, revision):
        if revision > self._revision(order):
            self._known[order["clientOrderId"]] = (order, revision)

    def snapshot(self, open_orders):
        """Takes a snapshot of the open orders, and returns the others that were open: they have ended meanwhile."""
        for order in open_orders:
            self._known[order["clientOrderId"]] = (order, self._revision(order))
        listed = {order["clientOrderId"] for order in open_orders}
        unfinished = [order for order in self.all() if order["status"] in ("OPEN", "PENDING")]
        return [order for order in unfinished if order["clientOrderId"] not in listed]

    def listed(self, order):
        """Takes an order of a list that nothing else has told of: it came and ended while nobody listened."""
        self._known.setdefault(order["clientOrderId"], (order, 0))

    def ask(self, client_order_id, request):
        before = self._known.get(client_order_id)
        order = request()
        if self._known.get(client_order_id) is before:
            self._known[client_order_id] = (order, self._revision(order))
        return order

    def _revision(self, order):
        return self._known.get(order["clientOrderId"], (None, 0))[1]
