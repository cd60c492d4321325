// Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
// `gatewright exam` tries them. Go's standard library has no WebSocket, so this client takes the tasks place and cancel only.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Order has its amounts as text: a float would not keep them exact.
type Order struct {
	ID             string `json:"id"`
	ClientOrderID  string `json:"clientOrderId"`
	Status         string `json:"status"`
	FilledQuantity string `json:"filledQuantity"`
}

// Data is what an answer holds: an order itself, or the outcome of a placement with its order.
type Data struct {
	Order
	Type   string `json:"type"`
	Placed *Order `json:"order"`
}

var (
	base   = os.Getenv("GATEWRIGHT_BASE_URL")
	client = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	ahead  time.Duration // how far the clock of the gateway is ahead of ours, as its `Date` shows
)

func uuid() string {
	b := make([]byte, 16)
	must(rand.Read(b))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// send makes one try, with a nonce, a time and a signature of its own. A success that cannot be read is an error.
func send(method, route string, payload []byte) (*http.Response, *Data, error) {
	request := must(http.NewRequest(method, base+route, bytes.NewReader(payload)))
	timestamp, nonce, bodyHash := strconv.FormatInt(time.Now().Add(ahead).UnixMilli(), 10), uuid(), sha256.Sum256(payload)
	lines := []string{timestamp, nonce, method, request.URL.Path, "application/json", hex.EncodeToString(bodyHash[:])}
	mac := hmac.New(sha256.New, []byte(os.Getenv("GATEWRIGHT_SECRET")))
	mac.Write([]byte(strings.Join(lines, "\n")))
	request.Header = http.Header{"X-Api-Key": {os.Getenv("GATEWRIGHT_KEY_ID")}, "X-Api-Timestamp": {timestamp},
		"X-Api-Nonce": {nonce}, "X-Api-Signature": {hex.EncodeToString(mac.Sum(nil))}, "Content-Type": {"application/json"}}
	response, err := client.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	var answer struct{ Data *Data }
	if response.StatusCode != 200 {
		fmt.Fprintln(os.Stderr, method, route, response.StatusCode, string(text))
		return response, &Data{}, nil // a proxy refuses without JSON
	}
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err == nil && answer.Data == nil {
		err = io.ErrUnexpectedEOF
	}
	return response, answer.Data, err
}

// call tries again while nobody can say what became of the request: the same body, and so the same client_order_id.
func call(method, route string, payload []byte) *Data {
	for tries, refused := 0, 0; tries < 10; tries++ {
		pause := min(100*time.Millisecond<<tries, 5*time.Second)
		pause = time.Duration(float64(pause) * (0.75 + mathrand.Float64()/4)) // grows, and not all at once
		if response, data, err := send(method, route, payload); err == nil {
			status := response.StatusCode
			if status == 401 && refused < 2 { // a clock that is off, or a used nonce
				refused++
				if date, err := http.ParseTime(response.Header.Get("Date")); err == nil {
					ahead = time.Until(date)
				}
			} else if status != 429 && status < 500 {
				return data
			}
			if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
				pause = max(pause, time.Duration(seconds)*time.Second+50*time.Millisecond)
			}
		}
		time.Sleep(pause)
	}
	return cannotKnow(method + " " + route + ": no answer in ten tries")
}

func cannotKnow(why string) *Data {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(3)
	return nil
}
