// The orders of the key, from the stream and from answers.

package main

import "net/url"

type order struct {
	ID             string  `json:"id"`
	ClientOrderID  string  `json:"clientOrderId"`
	Status         string  `json:"status"`
	FilledQuantity *string `json:"filledQuantity"`
	revision       int     // it grows with each change of the order, and only events tell it
}

// By clientOrderId: an event may come before the answer to `POST /order`, which tells the ID.
type ownOrders map[string]order

func (o ownOrders) event(order order, revision int) {
	if revision > o[order.ClientOrderID].revision {
		order.revision = revision
		o[order.ClientOrderID] = order
	}
}

// snapshot takes the open orders, and finds what has ended unseen since completeTo: orders that were open and are in the
// snapshot no more, and those that came and went.
func (o ownOrders) snapshot(open []order, completeTo string) {
	isOpen := map[string]bool{}
	for _, order := range open {
		isOpen[order.ClientOrderID] = true
		o.answer(order)
	}
	for id, known := range o {
		if !isOpen[id] && (known.Status == "OPEN" || known.Status == "PENDING") {
			o.answer(get[order]("/order/" + known.ID))
		}
	}
	query := url.Values{"startTime": {completeTo}, "sort": {"ASC"}, "limit": {"100"}}
	for more := true; more; {
		page := get[struct {
			Items      []order
			Pagination struct {
				HasNext    bool
				NextCursor string
			}
		}]("/order?" + query.Encode())
		for _, order := range page.Items {
			if _, isKnown := o[order.ClientOrderID]; !isKnown {
				o.answer(order)
			}
		}
		more = page.Pagination.HasNext
		query.Set("cursor", page.Pagination.NextCursor)
	}
}

// answer takes an order that comes without a revision.
func (o ownOrders) answer(order order) {
	order.revision = o[order.ClientOrderID].revision
	o[order.ClientOrderID] = order
}
