// Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
// `gatewright exam` tries them. For the stream see stream/follow.go.
package main

import (
	"crypto/hmac"
	crypto "crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"os"
	"strings"
	"time"
)

// Orders and outcomes are kept as they come, with amounts as text: a float would not keep them exact.
type object = map[string]any

var client = http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
var ahead time.Duration // how far the clock of the gateway is ahead of ours, as its `Date` shows

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

// send makes one try, with a nonce, a time and a signature of its own. The status is 0 when no answer came.
func send(method, route, body string) (int, http.Header, object) {
	request := must(http.NewRequest(method, os.Getenv("GATEWRIGHT_BASE_URL")+route, strings.NewReader(body)))
	timestamp, nonce, hash := fmt.Sprint(time.Now().Add(ahead).UnixMilli()), uuid(), sha256.Sum256([]byte(body))
	mac := hmac.New(sha256.New, []byte(os.Getenv("GATEWRIGHT_SECRET")))
	fmt.Fprintf(mac, "%s\n%s\n%s\n%s\napplication/json\n%x", timestamp, nonce, method, request.URL.Path, hash)
	request.Header = http.Header{"X-Api-Key": {os.Getenv("GATEWRIGHT_KEY_ID")}, "X-Api-Timestamp": {timestamp},
		"X-Api-Nonce": {nonce}, "X-Api-Signature": {fmt.Sprintf("%x", mac.Sum(nil))}, "Content-Type": {"application/json"}}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, nil
	}
	defer response.Body.Close()
	var answer object
	json.NewDecoder(response.Body).Decode(&answer) // which stays empty when the answer is cut, or a proxy's
	fmt.Fprintln(os.Stderr, method, route, response.Status, answer["message"])
	data, _ := answer["data"].(object)
	return response.StatusCode, response.Header, data
}

// call tries again while nobody can say what became of the request: the same body, and so the same client_order_id.
func call(method, route, body string) object {
	refused := 0
	for _, pause := range []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5, 5, 5, 5} {
		status, header, data := send(method, route, body)
		if status == 401 && refused < 2 { // a clock that is off, or a used nonce
			refused++
			ahead = time.Until(must(http.ParseTime(header.Get("Date"))))
		} else if status == 200 && data != nil || status/100 == 4 && status != 429 {
			return data // nil if it is refused
		}
		after, _ := time.ParseDuration(header.Get("Retry-After") + "s")
		pause *= 0.75 + rand.Float64()/4 // not all clients at once
		time.Sleep(after + time.Duration(pause*float64(time.Second)))
	}
	return must(object{}, fmt.Errorf("%s %s: no answer in ten tries", method, route))
}

// settled reads an order until its status is no passing one: an answer to a placement or a cancel may be older than its order.
func settled(id, passing string) object {
	for tries := 0; tries < 50; tries++ {
		order := call("GET", "/order/"+id, "")
		if status, ok := order["status"].(string); ok && !strings.Contains(passing, status) {
			return order
		}
		time.Sleep(200 * time.Millisecond)
	}
	return must(object{}, fmt.Errorf("%s stays %s", id, passing))
}

func main() {
	rand.Seed(time.Now().UnixNano()) // Go 1.20 and later do this themselves
	var task struct {
		Task   string
		Orders []object
	}
	must(0, json.Unmarshal(must(os.ReadFile(os.Getenv("GATEWRIGHT_TASK"))), &task))
	said, ids, passing := []object{}, []string{}, "PENDING"
	for _, wanted := range task.Orders {
		wanted["client_order_id"] = uuid()
		body := string(must(json.Marshal(wanted)))
		placed := call("POST", "/order", body)
		if strings.HasSuffix(fmt.Sprint(placed["type"]), "_EXECUTION_FAILED") { // the exchange may have it all the same
			placed = call("POST", "/order", body) // the same again shows it, and makes no other
		}
		if order, ok := placed["order"].(object); ok {
			ids = append(ids, order["id"].(string))
		} else {
			said = append(said, object{"clientOrderId": wanted["client_order_id"], "status": "REJECTED"})
		}
	}
	for _, id := range ids {
		if task.Task == "cancel" {
			settled(id, "PENDING")           // a PENDING order is not cancelled yet
			call("DELETE", "/order/"+id, "") // what it became, done or refused, shows below
			passing = "PENDING OPEN"         // a cancel may take its time
		}
		said = append(said, settled(id, passing))
	}
	must(0, json.NewEncoder(os.Stdout).Encode(object{"orders": said}))
}
