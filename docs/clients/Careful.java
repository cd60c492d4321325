import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.*;
import java.time.*;
import java.time.format.DateTimeFormatter;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Places and cancels orders so that none is doubled and none is lost: README.md has the rules, `gatewright exam` tries them. */
public class Careful {
    static final URI BASE = URI.create(System.getenv("GATEWRIGHT_BASE_URL"));
    static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
    static long aheadMs = 0; // by which the clock of the gateway is ahead of ours, as its `Date` shows

    public static void main(String[] args) throws Exception {
        String task = Files.readString(Path.of(System.getenv("GATEWRIGHT_TASK")));
        boolean cancels = Json.text(Json.read(task), "task").equals("cancel");
        List<String> said = new ArrayList<>(), ids = new ArrayList<>();
        for (Object wanted : Json.list(Json.read(task), "orders")) {
            Map<String, Object> body = new LinkedHashMap<>(Json.object(wanted));
            String own = UUID.randomUUID().toString();
            body.put("client_order_id", own);
            Object placed = call("POST", "/order", Json.write(body));
            // The exchange may have it all the same: the same again shows the order, if there is one, and makes no other.
            if (Json.text(placed, "type").endsWith("_EXECUTION_FAILED")) placed = call("POST", "/order", Json.write(body));
            String id = Json.text(Json.object(placed).get("order"), "id");
            if (id.isEmpty()) said.add(Json.write(Map.of("clientOrderId", own, "status", "REJECTED", "filledQuantity", "0")));
            else ids.add(id);
        }
        if (cancels)
            for (String id : ids) {
                settled(id, Set.of("PENDING")); // a PENDING order is not cancelled yet
                call("DELETE", "/order/" + id, ""); // what it became, done or refused, shows below
            }
        for (String id : ids) {
            Object order = settled(id, cancels ? Set.of("PENDING", "OPEN") : Set.of("PENDING"));
            Map<String, Object> one = new LinkedHashMap<>();
            for (String name : List.of("clientOrderId", "status", "filledQuantity")) one.put(name, Json.text(order, name));
            said.add(Json.write(one));
        }
        System.out.println("{\"orders\":[" + String.join(",", said) + "]}");
    }

    /** An answer to a placement or a cancel may be older than its order: it is read until its status is no passing one. */
    static Object settled(String id, Set<String> passing) throws Exception {
        for (int tries = 0; tries < 50; tries++) {
            Object order = call("GET", "/order/" + id, "");
            String status = Json.text(order, "status");
            if (!status.isEmpty() && !passing.contains(status)) return order;
            Thread.sleep(200);
        }
        throw cannotKnow(id + " stays " + passing);
    }

    /** Tries again while nobody can say what became of the request: the same body, and so the same client_order_id. */
    static Object call(String method, String route, String body) throws Exception {
        int refused = 0;
        for (int tries = 0; tries < 10; tries++) {
            double pauseMs = Math.min(100 * Math.pow(2, tries), 5000) * (0.75 + Math.random() / 4); // not all at once
            try {
                HttpResponse<String> answer = HTTP.send(signed(method, route, body), HttpResponse.BodyHandlers.ofString());
                int status = answer.statusCode();
                if (status == 200) return Json.object(Json.read(answer.body())).get("data");
                System.err.println(method + " " + route + ": " + status + " " + answer.body());
                if (status == 401 && refused++ < 2) aheadMs = aheadOf(answer); // a clock that is off, or a used nonce
                else if (status != 429 && status < 500) return Map.of();
                pauseMs = Math.max(pauseMs, answer.headers().firstValueAsLong("retry-after").orElse(0) * 1000 + 50);
            } catch (IOException | RuntimeException lost) {
                System.err.println(method + " " + route + ": " + lost); // no answer, or a part of one: it may have been done
            }
            Thread.sleep((long) pauseMs);
        }
        throw cannotKnow(method + " " + route + ": no answer in ten tries");
    }

    /** One try, with a nonce, a time and a signature of its own. */
    static HttpRequest signed(String method, String route, String body) throws GeneralSecurityException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String time = Long.toString(System.currentTimeMillis() + aheadMs), nonce = UUID.randomUUID().toString();
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        URI uri = BASE.resolve(BASE.getPath() + route);
        String lines = String.join("\n", time, nonce, method, uri.getRawPath(), "application/json", hash);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(System.getenv("GATEWRIGHT_SECRET").getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature = HexFormat.of().formatHex(mac.doFinal(lines.getBytes(StandardCharsets.UTF_8)));
        return HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10))
            .headers("X-API-KEY", System.getenv("GATEWRIGHT_KEY_ID"), "X-API-TIMESTAMP", time, "X-API-NONCE", nonce,
                "X-API-SIGNATURE", signature, "Content-Type", "application/json")
            .method(method, bytes.length == 0 ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(bytes))
            .build();
    }

    static long aheadOf(HttpResponse<String> answer) {
        String date = answer.headers().firstValue("date").orElseThrow();
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant().toEpochMilli() - System.currentTimeMillis();
    }

    static RuntimeException cannotKnow(String why) {
        System.err.println(why);
        System.exit(3);
        return new IllegalStateException(why);
    }
}
