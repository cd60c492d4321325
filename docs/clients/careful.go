// Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
// `gatewright exam` tries them. Go's standard library has no WebSocket, so this client takes the tasks place and cancel only.
package main

import (
	"bytes"
	"crypto/hmac"
	crypto "crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// A placement has a type and an order, an order the rest. Amounts are text: a float would not keep them exact.
type data struct {
	Type, ID, ClientOrderID, Status, FilledQuantity string
	Order                                           *data
}

var (
	base   = os.Getenv("GATEWRIGHT_BASE_URL")
	client = http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	ahead  time.Duration // how far the clock of the gateway is ahead of ours, as its `Date` shows
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	return value
}

func uuid() string {
	b := make([]byte, 16)
	must(crypto.Read(b))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// send makes one try, with a nonce, a time and a signature of its own. A success that cannot be read is an error.
func send(method, route string, body []byte) (*http.Response, *data, error) {
	request := must(http.NewRequest(method, base+route, bytes.NewReader(body)))
	timestamp, nonce := strconv.FormatInt(time.Now().Add(ahead).UnixMilli(), 10), uuid()
	mac := hmac.New(sha256.New, []byte(os.Getenv("GATEWRIGHT_SECRET")))
	fmt.Fprintf(mac, "%s\n%s\n%s\n%s\napplication/json\n%x", timestamp, nonce, method, request.URL.Path, sha256.Sum256(body))
	request.Header = http.Header{"X-Api-Key": {os.Getenv("GATEWRIGHT_KEY_ID")}, "X-Api-Timestamp": {timestamp},
		"X-Api-Nonce": {nonce}, "X-Api-Signature": {fmt.Sprintf("%x", mac.Sum(nil))}, "Content-Type": {"application/json"}}
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	answer := struct{ Data *data }{&data{}}
	if text, err := io.ReadAll(response.Body); response.StatusCode != 200 {
		fmt.Fprintln(os.Stderr, method, route, response.StatusCode, string(text)) // a proxy refuses without JSON
	} else if err != nil || json.Unmarshal(text, &answer) != nil || answer.Data == nil {
		return nil, nil, io.ErrUnexpectedEOF
	}
	return response, answer.Data, nil
}

// call tries again while nobody can say what became of the request: the same body, and so the same client_order_id.
func call(method, route string, body []byte) *data {
	refused := 0
	for _, pause := range []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5, 5} {
		pause *= 0.75 + rand.Float64()/4 // not all clients at once
		if response, data, err := send(method, route, body); err == nil {
			if response.StatusCode == 401 && refused < 2 { // a clock that is off, or a used nonce
				refused++
				ahead = time.Until(must(http.ParseTime(response.Header.Get("Date"))))
			} else if response.StatusCode != 429 && response.StatusCode < 500 {
				return data
			}
			after, _ := strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
			pause += after
		}
		time.Sleep(time.Duration(pause * float64(time.Second)))
	}
	return must(&data{}, fmt.Errorf("%s %s: no answer in ten tries", method, route))
}

// settled reads an order until its status is no passing one: an answer to a placement or a cancel may be older than its order.
func settled(id, passing string) *data {
	for tries := 0; tries < 50; tries++ {
		if order := call("GET", "/order/"+id, nil); order.Status != "" && !strings.Contains(passing, order.Status) {
			return order
		}
		time.Sleep(200 * time.Millisecond)
	}
	return must(&data{}, fmt.Errorf("%s stays %s", id, passing))
}

func main() {
	task := struct {
		Task   string
		Orders []map[string]string
	}{}
	must(0, json.Unmarshal(must(os.ReadFile(os.Getenv("GATEWRIGHT_TASK"))), &task))
	said, ids, passing := []map[string]string{}, []string{}, "PENDING"
	say := func(id, status, filled string) {
		said = append(said, map[string]string{"clientOrderId": id, "status": status, "filledQuantity": filled})
	}
	for _, wanted := range task.Orders {
		wanted["client_order_id"] = uuid()
		body := must(json.Marshal(wanted))
		placed := call("POST", "/order", body)
		if strings.HasSuffix(placed.Type, "_EXECUTION_FAILED") { // the exchange may have it all the same
			placed = call("POST", "/order", body) // the same again shows it, and makes no other
		}
		if placed.Order == nil {
			say(wanted["client_order_id"], "REJECTED", "0")
		} else {
			ids = append(ids, placed.Order.ID)
		}
	}
	for _, id := range ids {
		if task.Task == "cancel" {
			settled(id, "PENDING")            // a PENDING order is not cancelled yet
			call("DELETE", "/order/"+id, nil) // what it became, done or refused, shows below
			passing = "PENDING OPEN"          // a cancel may take its time
		}
		order := settled(id, passing)
		say(order.ClientOrderID, order.Status, order.FilledQuantity)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"orders": said})
}
