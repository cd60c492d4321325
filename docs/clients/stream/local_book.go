// The order book of one product: a snapshot, then every update that begins where the book stands.

package main

import (
	"math/big"
	"sort"
)

// Amounts are text: a float would not keep them exact.
type level struct {
	Price    string `json:"price"`
	Quantity string `json:"quantity"`
}

// A book is a snapshot, an update, or our copy, which has the best level of each side first.
type book struct {
	PrevBookSequence int     `json:"prevBookSequence,omitempty"`
	BookSequence     int     `json:"bookSequence"`
	Bids             []level `json:"bids"`
	Asks             []level `json:"asks"`
}

// apply panics where there is a gap between the book and the update: then a new snapshot is needed.
func (b *book) apply(update book) {
	if update.BookSequence <= b.BookSequence {
		return // the snapshot has it
	}
	if update.PrevBookSequence != b.BookSequence {
		panic("the book has a gap")
	}
	b.Bids = change(b.Bids, update.Bids, 1)
	b.Asks = change(b.Asks, update.Asks, -1)
	b.BookSequence = update.BookSequence
}

// change puts levels into a side. The direction is 1 for bids, whose best price is the highest, and -1 for asks.
func change(side, levels []level, direction int) []level {
	for _, level := range levels {
		price := number(level.Price)
		at := sort.Search(len(side), func(i int) bool { return price.Cmp(number(side[i].Price)) != -direction })
		if at == len(side) || price.Cmp(number(side[at].Price)) != 0 {
			side = append(side, level)
			copy(side[at+1:], side[at:])
		}
		side[at] = level           // its quantity replaces the one before
		if level.Quantity == "0" { // it is gone, or is no longer one of the best 100
			side = append(side[:at], side[at+1:]...)
		}
	}
	return side
}

func number(text string) *big.Rat {
	rat, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text + " is no price")
	}
	return rat
}
