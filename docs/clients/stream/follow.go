// Follows the book of a product and the orders of a key: the tasks follow and book of docs/exam.md, by the rules of README.md.
// At any doubt (a gap, silence, an error) the session panics, and another connection begins: its snapshots mend everything.
package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"time"
)

const (
	silence      = 3 * time.Second // with `heartbeat` subscribed, something comes every second
	firstPause   = time.Second / 10
	longestPause = 5 * time.Second
)

type message struct {
	Sequence                                int
	Type, Channel, Timestamp, Code, Message string
	Data                                    json.RawMessage
}

type follower struct {
	book       book
	orders     ownOrders
	completeTo string        // no order is missing until this time of the gateway
	pause      time.Duration // before the next session
}

// session follows one connection. It returns true at the end, and false when something was in doubt.
func (f *follower) session(product string, end time.Time) (isComplete bool) {
	defer func() {
		if doubt := recover(); doubt != nil {
			fmt.Fprintln(os.Stderr, "disconnected:", doubt)
		}
	}()
	socket := connect()
	defer socket.Close()
	must(0, socket.WriteJSON(map[string]any{"type": "subscribe", "channels": []string{"heartbeat", "orders"}}))
	must(0, socket.WriteJSON(map[string]any{"type": "subscribe", "channel": "orderBook", "products": []string{product}}))
	var open []order
	hasBook, hasOrders := false, false
	for received := 0; !hasBook || !hasOrders || time.Now().Before(end); {
		var message message
		must(0, socket.SetReadDeadline(time.Now().Add(silence)))
		must(0, socket.ReadJSON(&message))
		if message.Sequence <= received {
			continue // it came twice
		}
		received++
		if message.Sequence != received {
			panic("a message is missing")
		}
		if hasOrders || f.completeTo == "" {
			f.completeTo = message.Timestamp
		}
		switch message.Channel + " " + message.Type {
		case "orderBook snapshot":
			f.book, hasBook = decode[book](message.Data), true
		case "orderBook update":
			f.book.apply(decode[book](message.Data))
		case "orders snapshot":
			part := decode[struct {
				Orders []order
				Final  bool
			}](message.Data)
			open = append(open, part.Orders...)
			if part.Final {
				f.orders.snapshot(open, f.completeTo)
				hasOrders, f.pause = true, firstPause
			}
		case "orders update":
			change := decode[struct {
				Order    order
				Revision int
			}](message.Data)
			f.orders.event(change.Order, change.Revision)
		case " error":
			panic(message.Code + ": " + message.Message)
		}
	}
	return true
}

func main() {
	task := struct {
		Task, Product string
		Seconds       time.Duration
	}{Product: "BTC-USD"}
	must(0, json.Unmarshal(must(os.ReadFile(os.Getenv("GATEWRIGHT_TASK"))), &task))
	end := time.Now().Add(task.Seconds * time.Second)
	time.AfterFunc(time.Until(end)+20*time.Second, func() { giveUp("still in the middle of a recovery") })
	rand.Seed(time.Now().UnixNano()) // Go 1.20 and later do this themselves
	f := follower{orders: ownOrders{}, pause: firstPause}
	for !f.session(task.Product, end) {
		time.Sleep(time.Duration(float64(f.pause) * (0.5 + rand.Float64()/2))) // not all clients at once
		f.pause *= 2
		if f.pause > longestPause {
			f.pause = longestPause
		}
	}
	said := map[string]any{"book": f.book}
	if task.Task == "follow" {
		orders := []order{}
		for _, order := range f.orders {
			orders = append(orders, order)
		}
		said = map[string]any{"orders": orders}
	}
	must(0, json.NewEncoder(os.Stdout).Encode(said))
}
