// Signed requests to the gateway. The handshake of the stream is one of them.

package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

var client = http.Client{Timeout: 10 * time.Second}

// must panics at an error. A session of the stream ends then, and another one begins.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func decode[T any](text []byte) (value T) {
	must(0, json.Unmarshal(text, &value))
	return value
}

func uuid() string {
	b := make([]byte, 16)
	must(rand.Read(b))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// signed makes a GET without a body, with a nonce, a time and a signature of its own.
func signed(route string) *http.Request {
	request := must(http.NewRequest("GET", os.Getenv("GATEWRIGHT_BASE_URL")+route, nil))
	timestamp, nonce := strconv.FormatInt(time.Now().UnixMilli(), 10), uuid()
	mac := hmac.New(sha256.New, []byte(os.Getenv("GATEWRIGHT_SECRET")))
	fmt.Fprintf(mac, "%s\n%s\nGET\n%s\napplication/json\n%x", timestamp, nonce, request.URL.Path, sha256.Sum256(nil))
	request.Header = http.Header{"X-Api-Key": {os.Getenv("GATEWRIGHT_KEY_ID")}, "X-Api-Timestamp": {timestamp},
		"X-Api-Nonce": {nonce}, "X-Api-Signature": {fmt.Sprintf("%x", mac.Sum(nil))}, "Content-Type": {"application/json"}}
	return request
}

// get reads the `data` of an answer.
func get[T any](route string) T {
	response := must(client.Do(signed(route)))
	defer response.Body.Close()
	if response.StatusCode != 200 {
		panic(refused(response))
	}
	return decode[struct{ Data T }](must(io.ReadAll(response.Body))).Data
}

// connect opens the stream.
func connect() *websocket.Conn {
	request := signed("/ws")
	dialer := websocket.Dialer{HandshakeTimeout: silence}
	socket, response, err := dialer.Dial("ws"+strings.TrimPrefix(request.URL.String(), "http"), request.Header)
	if err != nil && response != nil {
		panic(refused(response))
	}
	return must(socket, err)
}

// refused waits as long as the answer asks, and says why. Most refusals stay the same: they end the program.
func refused(response *http.Response) error {
	text, _ := io.ReadAll(response.Body)
	why := fmt.Errorf("refused: %s %s", response.Status, text)
	if response.StatusCode/100 == 4 && response.StatusCode != http.StatusTooManyRequests {
		giveUp(why)
	}
	seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
	time.Sleep(time.Duration(seconds) * time.Second)
	return why
}

// giveUp ends the program with the code of a client that cannot know.
func giveUp(why any) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(3)
}
