# The tasks `follow` and `book` of docs/exam.md, by the rules of docs/clients/stream/README.md. At any doubt it connects again:
# a new snapshot mends everything. It needs the gem websocket-driver (Debian: ruby-websocket-driver).
%w[bigdecimal json net/http openssl securerandom websocket/driver].each { |name| require name }

# The headers of a request, or of the handshake, which is a GET. The query is not signed.
def signed(method, path, body = "")
  timestamp = Process.clock_gettime(Process::CLOCK_REALTIME, :millisecond).to_s
  nonce = SecureRandom.uuid
  text = [timestamp, nonce, method, path, "application/json", OpenSSL::Digest::SHA256.hexdigest(body)].join("\n")
  signature = OpenSSL::HMAC.hexdigest("SHA256", ENV.fetch("GATEWRIGHT_SECRET"), text)
  { "X-API-KEY" => ENV.fetch("GATEWRIGHT_KEY_ID"), "X-API-TIMESTAMP" => timestamp, "X-API-NONCE" => nonce,
    "X-API-SIGNATURE" => signature, "Content-Type" => "application/json" }
end

# A refusal such as a 401 stays one. Others pass, but nothing may be sent before the time of Retry-After is over.
def failed(status, why, retry_after)
  warn "#{status} #{why}"
  exit 3 if status.between?(400, 428)
  sleep retry_after.to_f
  raise "refused or closed"
end

def get(route)
  url = URI(ENV.fetch("GATEWRIGHT_BASE_URL") + route)
  options = { use_ssl: url.scheme == "https", open_timeout: 5, read_timeout: 5, max_retries: 0 } # a nonce is valid once
  answer = Net::HTTP.start(url.hostname, url.port, nil, **options) { |http| http.get(url, signed("GET", url.path)) }
  failed(answer.code.to_i, answer.body, answer["Retry-After"]) if answer.code != "200"
  JSON.parse(answer.body).fetch("data")
end

# Connects and subscribes. The driver yields the messages in the bytes that it is given.
def connect(*topics)
  url = URI(ENV.fetch("GATEWRIGHT_WS_URL"))
  io = Socket.tcp(url.hostname, url.port, connect_timeout: 5)
  tls = OpenSSL::SSL::SSLContext.new.tap(&:set_params)
  io = OpenSSL::SSL::SSLSocket.new(io, tls).tap { |socket| socket.hostname = url.hostname }.connect if url.scheme == "wss"
  io.define_singleton_method(:url) { url.to_s } # the driver asks for it
  driver = WebSocket::Driver.client(io)
  driver.on(:message) { |event| yield JSON.parse(event.data) }
  driver.on(:close) { |event| failed(driver.status || 0, event.reason, driver.headers["Retry-After"]) }
  signed("GET", url.path).each { |name, value| driver.set_header(name, value) }
  driver.start
  topics.each { |topic| driver.text(JSON.generate({ type: "subscribe", **topic })) } # sent after the handshake
  [io, driver]
end

# The book after a change, each side with the best level first. Prices are compared as exact decimals.
def changed(book, data)
  sides = %w[bids asks].to_h do |side|
    levels = (data[side] + book[side]).uniq { |level| BigDecimal(level["price"]) } # the new level of a price stays
    levels = levels.reject { |level| level["quantity"] == "0" }.sort_by { |level| BigDecimal(level["price"]) }
    [side, (side == "bids" ? levels.reverse : levels).first(100)] # the stream tells of no more
  end
  { "bookSequence" => data["bookSequence"], **sides }
end

def by_id(orders) = orders.to_h { |order| [order["clientOrderId"], order] }

# The orders after a snapshot, which has not listed those that ended while nobody listened.
def caught_up(orders, listed, complete_to)
  ended = orders.except(*listed.keys).values.select { |order| %w[OPEN PENDING].include?(order["status"]) }
  orders = orders.merge(by_id(ended.map { |order| get("/order/#{order['id']}") }))
  query = { startTime: complete_to, sort: "ASC", limit: 100 }
  loop do
    page = get("/order?#{URI.encode_www_form(query)}")
    orders = by_id(page["items"]).merge(orders) # adds those that came and ended meanwhile
    return orders unless page["pagination"]["hasNext"]
    query[:cursor] = page["pagination"]["nextCursor"]
  end
end

task = JSON.parse(File.read(ENV.fetch("GATEWRIGHT_TASK")))
topic = task["task"] == "book" ? { channel: "orderBook", products: [task["product"]] } : { channel: "orders" }
book = nil
orders = {}
revisions = Hash.new(0)
complete_to = nil # nothing is missing until this time of the gateway
failures = 0
finish = Time.now + task["seconds"]
Thread.new { sleep(task["seconds"] + 20) && exit!(3) } # 20 s late: it cannot be sure
begin
  received, listed, whole = 0, {}, false # of this connection
  io, driver = connect({ channel: "heartbeat" }, topic) do |message|
    sequence, channel, type, data = message.values_at("sequence", "channel", "type", "data")
    next if sequence <= received # it came twice
    raise message["message"] || "a message is missing" if type == "error" || sequence > received + 1
    received = sequence
    complete_to = message["timestamp"] if whole || complete_to.nil?
    case [channel, type]
    when %w[orderBook snapshot]
      book = changed({ "bids" => [], "asks" => [] }, data)
      whole = true
    when %w[orderBook update]
      next if data["bookSequence"] <= book["bookSequence"]
      raise "the book has a gap" if data["prevBookSequence"] != book["bookSequence"]
      book = changed(book, data)
    when %w[orders snapshot]
      orders.merge!(listed.merge!(by_id(data["orders"])))
      orders = caught_up(orders, listed, complete_to) if data["final"]
      whole = data["final"]
    when %w[orders update]
      id = data["order"]["clientOrderId"]
      next if data["revision"] <= revisions[id] # an old one
      orders[id], revisions[id] = data.values_at("order", "revision")
    end
    failures = 0 if whole
  end
  until whole && Time.now > finish
    raise "silence" unless IO.select([io], nil, nil, 3) # a heartbeat comes every second
    driver.parse(io.readpartial(65_536))
  end
rescue StandardError => e
  warn "#{e.message}: connecting again"
  io&.to_io&.close
  sleep [0.2 * 2**failures, 5].min * rand(0.5..1.0) # grows, and not all at once
  failures += 1
  retry
end
puts JSON.generate(book ? { book: book } : { orders: orders.values.map { _1.slice(*%w[clientOrderId status filledQuantity]) } })
