#!/usr/bin/env ruby
# Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
# `gatewright exam` tries them. For the stream see stream/follow.rb.
require "json"
require "net/http"
require "openssl"
require "securerandom"
require "time"

BASE = URI(ENV.fetch("GATEWRIGHT_BASE_URL"))
KEY = ENV.fetch("GATEWRIGHT_KEY_ID")
SECRET = ENV.fetch("GATEWRIGHT_SECRET")
REQUESTS = { "GET" => Net::HTTP::Get, "POST" => Net::HTTP::Post, "DELETE" => Net::HTTP::Delete }.freeze
LOST = [SystemCallError, IOError, Timeout::Error, SocketError, Net::HTTPBadResponse, Net::ProtocolError,
        OpenSSL::SSL::SSLError, JSON::ParserError, KeyError].freeze

# Seconds that the clock of the gateway is ahead of ours, as its `Date` shows.
$ahead = 0.0

def cannot_know(why)
  warn why
  exit 3
end

# One try, with a nonce, a time and a signature of its own. A success that cannot be read is no answer.
def send_once(method, route, payload)
  target = BASE.path + route
  timestamp = ((Time.now.to_f + $ahead) * 1000).to_i.to_s
  nonce = SecureRandom.uuid
  lines = [timestamp, nonce, method, target, "application/json", OpenSSL::Digest::SHA256.hexdigest(payload)]
  request = REQUESTS.fetch(method).new(
    target,
    "X-API-KEY" => KEY, "X-API-TIMESTAMP" => timestamp, "X-API-NONCE" => nonce,
    "X-API-SIGNATURE" => OpenSSL::HMAC.hexdigest("SHA256", SECRET, lines.join("\n")),
    "Content-Type" => "application/json"
  )
  request.body = payload unless payload.empty?
  # Without max_retries Ruby would send a GET or a DELETE again by itself, with the same nonce.
  options = { use_ssl: BASE.scheme == "https", open_timeout: 10, read_timeout: 10, max_retries: 0 }
  response = Net::HTTP.start(BASE.host, BASE.port, nil, **options) { |http| http.request(request) }
  status = response.code.to_i
  return [status, response, JSON.parse(response.body).fetch("data")] if status == 200

  warn "#{method} #{route}: #{status} #{response.body}"
  [status, response, {}] # a proxy refuses without JSON
end

# Tries again while nobody can say what became of the request: the same body, and so the same client_order_id.
def call(method, route, body = nil)
  payload = body ? JSON.generate(body) : ""
  refused = 0
  10.times do |tries|
    pause = [0.1 * 2**tries, 5].min * rand(0.75..1.0) # grows, and not all at once
    begin
      status, response, data = send_once(method, route, payload)
      if status == 401 && refused < 2 # a clock that is off, or a used nonce
        refused += 1
        $ahead = Time.httpdate(response["Date"]) - Time.now if response["Date"]
      elsif status != 429 && status < 500
        return data
      end
      pause = [pause, response["Retry-After"].to_f + 0.05].max
    rescue *LOST
      # No answer, or a part of one: it may have been done.
    end
    sleep pause
  end
  cannot_know "#{method} #{route}: no answer in ten tries"
end

# An answer to a placement or a cancel may be older than its order, so it is read until its status is no passing one.
def settled(id, *passing)
  50.times do
    order = call("GET", "/order/#{id}")
    return order unless passing.include?(order.fetch("status", "PENDING"))

    sleep 0.2
  end
  cannot_know "#{id} stays #{passing.join(' or ')}"
end

task = JSON.parse(File.read(ENV.fetch("GATEWRIGHT_TASK")))
cancelling = task["task"] == "cancel"
ids = []
refused = []
task["orders"].each do |wanted|
  body = wanted.merge("client_order_id" => SecureRandom.uuid)
  placed = call("POST", "/order", body)
  # The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
  placed = call("POST", "/order", body) if placed["type"].to_s.end_with?("_EXECUTION_FAILED")
  if placed["order"]
    ids << placed["order"]["id"]
  else
    refused << { clientOrderId: body["client_order_id"], status: "REJECTED", filledQuantity: "0" }
  end
end
if cancelling
  ids.each do |id|
    settled(id, "PENDING") # a PENDING order is not cancelled yet
    call("DELETE", "/order/#{id}") # what it became, done or refused, shows below
  end
end
passing = cancelling ? %w[PENDING OPEN] : %w[PENDING] # a cancel may take its time
said = ids.map { |id| settled(id, *passing).slice("clientOrderId", "status", "filledQuantity") }
puts JSON.generate(orders: said + refused)
