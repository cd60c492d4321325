<?php
// Places and cancels orders so that none is doubled and none is lost: the rules are in docs/clients/README.md, and
// `gatewright exam` tries them. For the stream see stream/follow.php.
declare(strict_types=1);

/** Seconds that the clock of the gateway is ahead of ours, as its `Date` shows. */
$ahead = 0.0;

function setting(string $name): string
{
    $value = getenv("GATEWRIGHT_$name");
    return $value !== false ? $value : throw new RuntimeException("GATEWRIGHT_$name is not set");
}

function uuid(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function cannotKnow(string $why): never
{
    fwrite(STDERR, "$why\n");
    exit(3);
}

/** One try, with a nonce, a time and a signature of its own. Status 0 means that no whole answer came. */
function send(string $method, string $route, string $payload): array
{
    global $ahead;
    $url = setting('BASE_URL') . $route;
    [$timestamp, $nonce] = [(string) (int) ((microtime(true) + $ahead) * 1000), uuid()];
    $lines = [$timestamp, $nonce, $method, parse_url($url, PHP_URL_PATH), 'application/json', hash('sha256', $payload)];
    $headers = [
        'X-API-KEY: ' . setting('KEY_ID'),
        "X-API-TIMESTAMP: $timestamp",
        "X-API-NONCE: $nonce",
        'X-API-SIGNATURE: ' . hash_hmac('sha256', implode("\n", $lines), setting('SECRET')),
        'Content-Type: application/json',
    ];
    $http = ['method' => $method, 'header' => $headers, 'content' => $payload, 'timeout' => 10, 'ignore_errors' => true,
        'protocol_version' => 1.1, 'follow_location' => 0];
    $text = @file_get_contents($url, false, stream_context_create(['http' => $http]));
    preg_match('~^HTTP/\S+ (\d+)~', $http_response_header[0] ?? '', $line);
    $status = $text === false ? 0 : (int) ($line[1] ?? 0);
    $answer = [];
    foreach ($http_response_header ?? [] as $header) {
        [$name, $value] = explode(':', "$header:", 2);
        $answer[strtolower($name)] = trim($value, ' :');
    }
    if ($status !== 200) {
        fwrite(STDERR, "$method $route: $status $text\n");
        return [$status, $answer, []]; // a proxy refuses without JSON
    }
    $data = json_decode($text, true)['data'] ?? null; // null, too, when the answer was cut
    return [$data === null ? 0 : 200, $answer, $data];
}

/** Tries again while nobody can say what became of the request: the same body, and so the same client_order_id. */
function call(string $method, string $route, ?array $body = null): array
{
    global $ahead;
    $payload = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
    $refused = 0;
    for ($tries = 0; $tries < 10; $tries++) {
        [$status, $headers, $data] = send($method, $route, $payload);
        if ($status === 401 && $refused++ < 2) {
            $ahead = (strtotime($headers['date'] ?? '') ?: time()) - microtime(true); // a clock that is off, or a used nonce
        } elseif ($status !== 0 && $status !== 429 && $status < 500) {
            return $data;
        }
        $pause = min(0.1 * 2 ** $tries, 5) * random_int(750, 1000) / 1000; // grows, and not all at once
        usleep((int) (1e6 * max($pause, (float) ($headers['retry-after'] ?? 0) + 0.05)));
    }
    cannotKnow("$method $route: no answer in ten tries");
}

/** An answer to a placement or a cancel may be older than its order, so it is read until its status is no passing one. */
function settled(string $id, string ...$passing): array
{
    for ($reads = 0; $reads < 50; $reads++) {
        $order = call('GET', "/order/$id");
        if (!in_array($order['status'] ?? 'PENDING', $passing, true)) {
            return $order;
        }
        usleep(200_000);
    }
    cannotKnow("$id stays " . implode(' or ', $passing));
}

$task = json_decode(file_get_contents(setting('TASK')), true, flags: JSON_THROW_ON_ERROR);
[$ids, $said, $cancelling] = [[], [], $task['task'] === 'cancel'];
foreach ($task['orders'] as $wanted) {
    $body = [...$wanted, 'client_order_id' => uuid()];
    $placed = call('POST', '/order', $body);
    if (str_ends_with($placed['type'] ?? '', '_EXECUTION_FAILED')) {
        // The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
        $placed = call('POST', '/order', $body);
    }
    if (isset($placed['order'])) {
        $ids[] = $placed['order']['id'];
    } else {
        $said[] = ['clientOrderId' => $body['client_order_id'], 'status' => 'REJECTED', 'filledQuantity' => '0'];
    }
}
foreach ($cancelling ? $ids : [] as $id) {
    settled($id, 'PENDING'); // a PENDING order is not cancelled yet
    call('DELETE', "/order/$id"); // what it became, done or refused, shows below
}
foreach ($ids as $id) {
    $order = settled($id, 'PENDING', ...($cancelling ? ['OPEN'] : [])); // a cancel may take its time
    $said[] = array_intersect_key($order, ['clientOrderId' => 0, 'status' => 0, 'filledQuantity' => 0]);
}
echo json_encode(['orders' => $said]), "\n";
