<?php
// The tasks `follow` and `book` of docs/exam.md, by the rules of docs/clients/stream/README.md. At any doubt it connects again:
// a new snapshot mends everything. PHP has no WebSocket: the class below is the client's half of RFC 6455 for text messages.
declare(strict_types=1);

set_error_handler(fn (int $level, string $text) => throw new ErrorException($text, severity: $level));

function setting(string $name): string
{
    return getenv("GATEWRIGHT_$name") ?: throw new Error("GATEWRIGHT_$name is not set");
}

/** The headers of a request, or of the handshake, which is a GET. The query is not signed. */
function signed(string $method, string $url, string $body = ''): array
{
    $timestamp = (string) (int) (microtime(true) * 1000);
    $nonce = vsprintf('%s%s-%s-4%.3s-a%.3s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4)); // a random UUID
    $lines = [$timestamp, $nonce, $method, parse_url($url, PHP_URL_PATH), 'application/json', hash('sha256', $body)];
    $signature = hash_hmac('sha256', implode("\n", $lines), setting('SECRET'));
    return ['X-API-KEY: ' . setting('KEY_ID'), "X-API-TIMESTAMP: $timestamp", "X-API-NONCE: $nonce",
        "X-API-SIGNATURE: $signature", 'Content-Type: application/json'];
}

/** A refusal such as a 401 stays one. Others pass, but nothing may be sent before the time of Retry-After is over. */
function demand(int $wanted, string $head): void
{
    $status = (int) substr($head, 9, 3); // of a line such as "HTTP/1.1 200 OK"
    if ($status !== $wanted) {
        fwrite(STDERR, "$head\n");
        ($status >= 400 && $status <= 428) && exit(3);
        sleep(preg_match('~^Retry-After: *(\d+)~im', $head, $found) ? (int) $found[1] : 0);
        throw new RuntimeException("refused with $status");
    }
}

function get(string $route): array
{
    $url = setting('BASE_URL') . $route;
    $options = ['header' => signed('GET', $url), 'timeout' => 5, 'ignore_errors' => true, 'follow_location' => 0];
    $answer = fopen($url, 'r', false, stream_context_create(['http' => $options]));
    demand(200, implode("\n", stream_get_meta_data($answer)['wrapper_data']));
    return json_decode(stream_get_contents($answer), true, flags: JSON_THROW_ON_ERROR)['data'];
}

final class WebSocket
{
    private $stream;

    public function __construct(string $url)
    {
        $parts = parse_url($url);
        [$transport, $usualPort] = $parts['scheme'] === 'wss' ? ['tls', 443] : ['tcp', 80];
        $host = $parts['host'] . ':' . ($parts['port'] ?? $usualPort);
        $this->stream = stream_socket_client("$transport://$host", timeout: 5);
        stream_set_timeout($this->stream, 3); // a heartbeat comes every second
        $key = base64_encode(random_bytes(16));
        $lines = ["GET {$parts['path']} HTTP/1.1", "Host: $host", 'Connection: Upgrade', 'Upgrade: websocket',
            'Sec-WebSocket-Version: 13', "Sec-WebSocket-Key: $key", ...signed('GET', $url)];
        fwrite($this->stream, implode("\r\n", $lines) . "\r\n\r\n");
        $head = (string) stream_get_line($this->stream, 65_536, "\r\n\r\n");
        demand(101, $head);
        preg_match('~^Sec-WebSocket-Accept: *(\S+)~im', $head, $found);
        $accept = base64_encode(sha1($key . '258EAFA5-E914-47DA-95CA-C5AB0DC85B11', true));
        ($found[1] ?? '') === $accept || throw new RuntimeException('the answer belongs to another handshake');
    }

    /** Sends one frame, masked. */
    public function send(string $payload, int $opcode = 0x1): void
    {
        $length = strlen($payload);
        $head = match (true) {
            $length < 126 => pack('CC', 0x80 | $opcode, 0x80 | $length),
            $length < 65_536 => pack('CCn', 0x80 | $opcode, 0x80 | 126, $length),
            default => pack('CCJ', 0x80 | $opcode, 0x80 | 127, $length),
        };
        $mask = random_bytes(4);
        $masked = $payload ^ str_repeat($mask, intdiv($length, 4) + 1); // as long as the shorter of the two
        fwrite($this->stream, $head . $mask . $masked);
    }

    /** Returns the next message. Answers pings, and puts fragments together. */
    public function receive(): string
    {
        $message = null;
        do {
            [1 => $first, 2 => $length] = unpack('C2', $this->read(2));
            [$isFinal, $opcode] = [$first >= 0x80, $first & 0x7f];
            $fits = $opcode < 0x8 ? ($opcode === 0x0) === isset($message) : $isFinal && $length < 126;
            ($fits && $length < 128) || throw new RuntimeException('a frame in the wrong place, or a masked one');
            $payload = $this->read(match ($length) {
                126 => unpack('n', $this->read(2))[1],
                127 => unpack('J', $this->read(8))[1],
                default => $length,
            });
            match ($opcode) {
                0x0, 0x1 => $message .= $payload,
                0x8 => $this->end($payload),
                0x9 => $this->send($payload, 0xa),
                0xa => null,
                default => throw new RuntimeException("a frame of the unknown kind $opcode"),
            };
        } while (!$isFinal || $opcode >= 0x8);
        return $message;
    }

    private function end(string $payload): never
    {
        $this->send(substr($payload, 0, 2), 0x8);
        throw new RuntimeException('closed: ' . substr($payload, 2));
    }

    private function read(int $length): string
    {
        $bytes = $length < 0 || $length > 4_194_304 ? '' : stream_get_contents($this->stream, $length);
        return strlen($bytes) === $length ? $bytes : throw new RuntimeException('silence, a cut, or too long a message');
    }
}

/** The book after a change, each side with the best level first. */
function changed(array $book, array $data): array
{
    // Exact for decimals as text: the one with more digits before its point is greater.
    $compare = fn (string $a, string $b) => strcspn($a, '.') <=> strcspn($b, '.') ?: strcmp($a, $b);
    foreach (['bids' => -1, 'asks' => 1] as $side => $direction) {
        $levels = array_column([...$book[$side], ...$data[$side]], null, 'price'); // the last level of a price stays
        $levels = array_filter($levels, fn (array $level) => $level['quantity'] !== '0');
        usort($levels, fn (array $a, array $b) => $direction * $compare($a['price'], $b['price']));
        $book[$side] = array_slice($levels, 0, 100); // the stream tells of no more
    }
    return [...$book, 'bookSequence' => $data['bookSequence']];
}

/** The orders after a snapshot, which has not listed those that ended while nobody listened. */
function caughtUp(array $orders, array $listed, string $completeTo): array
{
    foreach (array_diff_key($orders, $listed) as $id => $order) {
        if (in_array($order['status'], ['OPEN', 'PENDING'], true)) {
            $orders[$id] = get("/order/{$order['id']}");
        }
    }
    $query = ['startTime' => $completeTo, 'sort' => 'ASC', 'limit' => 100];
    do {
        $page = get('/order?' . http_build_query($query));
        $orders += array_column($page['items'], null, 'clientOrderId'); // adds those that came and ended meanwhile
        $query['cursor'] = $page['pagination']['nextCursor'];
    } while ($page['pagination']['hasNext']);
    return $orders;
}

$task = json_decode(file_get_contents(setting('TASK')), true, flags: JSON_THROW_ON_ERROR);
$isBook = $task['task'] === 'book';
$topic = $isBook ? ['channel' => 'orderBook', 'products' => [$task['product']]] : ['channel' => 'orders'];
[$book, $orders, $revisions, $socket, $whole, $failures] = [null, [], [], null, false, 0];
$completeTo = null; // nothing is missing until this time of the gateway
$finish = hrtime(true) + $task['seconds'] * 1_000_000_000;
while (!$whole || hrtime(true) < $finish) {
    hrtime(true) < $finish + 20_000_000_000 || exit(3); // it cannot be sure
    try {
        if ($socket === null) {
            $socket = new WebSocket(setting('WS_URL'));
            foreach ([['channel' => 'heartbeat'], $topic] as $wanted) {
                $socket->send(json_encode(['type' => 'subscribe', ...$wanted]));
            }
            [$received, $listed] = [0, []];
        }
        $message = json_decode($socket->receive(), true, flags: JSON_THROW_ON_ERROR);
        ['sequence' => $sequence, 'type' => $type] = $message;
        if ($sequence <= $received) {
            continue; // it came twice
        }
        $type !== 'error' || throw new RuntimeException("{$message['code']}: {$message['message']}");
        $sequence === $received + 1 || throw new RuntimeException('a message is missing');
        $received = $sequence;
        $completeTo = $whole || $completeTo === null ? $message['timestamp'] : $completeTo;
        $data = $message['data'] ?? [];
        switch (($message['channel'] ?? '') . " $type") {
            case 'orderBook snapshot':
                $book = changed(['bids' => [], 'asks' => []], $data);
                $whole = true;
                break;
            case 'orderBook update':
                if ($data['bookSequence'] > $book['bookSequence']) { // otherwise it is an old one
                    $data['prevBookSequence'] === $book['bookSequence'] || throw new RuntimeException('the book has a gap');
                    $book = changed($book, $data);
                }
                break;
            case 'orders snapshot':
                $listed += array_column($data['orders'], null, 'clientOrderId');
                $orders = [...$orders, ...$listed];
                $orders = $data['final'] ? caughtUp($orders, $listed, $completeTo) : $orders;
                $whole = $data['final'];
                break;
            case 'orders update':
                $id = $data['order']['clientOrderId'];
                if ($data['revision'] > ($revisions[$id] ?? 0)) { // otherwise it is an old one
                    [$orders[$id], $revisions[$id]] = [$data['order'], $data['revision']];
                }
        }
        $failures = $whole ? 0 : $failures;
    } catch (Exception $error) {
        fwrite(STDERR, "{$error->getMessage()}: connecting again\n");
        [$socket, $whole] = [null, false];
        usleep((int) (min(200_000 * 2 ** $failures, 5_000_000) * random_int(50, 100) / 100)); // grows, and not all at once
        $failures++;
    }
}
$names = ['clientOrderId' => 0, 'status' => 0, 'filledQuantity' => 0];
$said = array_map(fn (array $order) => array_intersect_key($order, $names), array_values($orders));
echo json_encode($isBook ? ['book' => $book] : ['orders' => $said]), "\n";
