import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signed requests to the gateway, each a GET without a body. The handshake of its stream is one of them. */
class Gateway {
    private static final String BASE = System.getenv("GATEWRIGHT_BASE_URL");
    private static final String HASH_OF_NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; // SHA-256
    private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /** The `data` of the answer. */
    static Object get(String route) throws IOException, InterruptedException, GeneralSecurityException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(BASE + route)).timeout(Duration.ofSeconds(10));
        headers(route).forEach(request::header);
        HttpResponse<String> answer = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw refused(answer);
        return Json.object(Json.read(answer.body())).get("data");
    }

    static Connection connect() throws IOException, InterruptedException, GeneralSecurityException {
        WebSocket.Builder handshake = HTTP.newWebSocketBuilder().connectTimeout(Duration.ofSeconds(5));
        headers("/ws").forEach(handshake::header);
        Connection connection = new Connection();
        try {
            connection.socket = handshake.buildAsync(URI.create(System.getenv("GATEWRIGHT_WS_URL")), connection).join();
            return connection;
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof WebSocketHandshakeException answered) throw refused(answered.getResponse());
            throw new IOException(failed.getCause());
        }
    }

    /** The query of a route is sent and not signed. */
    private static Map<String, String> headers(String route) throws GeneralSecurityException {
        String time = Long.toString(System.currentTimeMillis()), nonce = UUID.randomUUID().toString();
        String path = URI.create(BASE + route).getPath();
        String lines = String.join("\n", time, nonce, "GET", path, "application/json", HASH_OF_NOTHING);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(System.getenv("GATEWRIGHT_SECRET").getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature = HexFormat.of().formatHex(mac.doFinal(lines.getBytes(StandardCharsets.UTF_8)));
        return Map.of("X-API-KEY", System.getenv("GATEWRIGHT_KEY_ID"), "X-API-TIMESTAMP", time, "X-API-NONCE", nonce,
            "X-API-SIGNATURE", signature, "Content-Type", "application/json");
    }

    /** A 429 and a 5xx pass, after the time that they name. Another refusal stays. */
    private static IOException refused(HttpResponse<?> answer) throws InterruptedException {
        String said = answer + " " + answer.body();
        if (answer.statusCode() != 429 && answer.statusCode() < 500) throw cannotKnow(said);
        Thread.sleep(answer.headers().firstValueAsLong("retry-after").orElse(0) * 1000);
        return new IOException(said);
    }

    private static RuntimeException cannotKnow(String why) {
        System.err.println(why);
        System.exit(3);
        return new IllegalStateException(why);
    }

    /** A connection to the stream. Every doubt about it is an IOException: connecting again helps. */
    static class Connection implements WebSocket.Listener, AutoCloseable {
        private static final Set<String> PASSING = Set.of("CLOSED", "RATE_LIMITED", "SLOW_CONSUMER", "NOT_READY");
        private final BlockingQueue<Object> inbox = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder(); // of a message that has not ended
        private WebSocket socket;
        private long received; // the number of the last message

        void send(String message) {
            socket.sendText(message, true);
        }

        /** Messages are numbered from 1. */
        Object next() throws IOException, InterruptedException {
            while (true) {
                Object message = inbox.poll(3, TimeUnit.SECONDS); // a heartbeat comes every second
                if (message == null) throw new IOException("silence");
                if (PASSING.contains(Json.text(message, "code"))) throw new IOException(message.toString());
                if (Json.text(message, "type").equals("error")) throw cannotKnow(message.toString());
                long number = Long.parseLong(Json.text(message, "sequence"));
                if (number <= received) continue; // a duplicate
                if (number > ++received) throw new IOException("message " + received + " is missing");
                return message;
            }
        }

        @Override
        public void close() {
            socket.abort();
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean isLast) {
            text.append(part);
            if (isLast) {
                inbox.add(Json.read(text.toString()));
                text.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, part, isLast); // asks for more
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            inbox.add(Map.of("code", "CLOSED", "message", code + " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            onClose(socket, 1006, error.toString());
        }
    }
}
