import java.io.IOException;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

/** Follows the orders of a key, or the book of a product: README.md has the rules, `gatewright exam` tries them. */
public class Follow {
    static final NavigableMap<BigDecimal, Object> bids = new TreeMap<>(Comparator.reverseOrder()), asks = new TreeMap<>();
    static final Map<String, Object> orders = new LinkedHashMap<>(); // by clientOrderId
    static final Map<String, Long> revisions = new HashMap<>(); // the newest one of each order
    static final Set<String> open = new HashSet<>(); // the orders of the snapshot
    static long bookSequence;
    static boolean complete; // the snapshot is here, and nothing is missing since
    static String completeTo; // nothing is missing until this time of the gateway

    public static void main(String[] args) throws Exception {
        Object task = Json.read(Files.readString(Path.of(System.getenv("GATEWRIGHT_TASK"))));
        boolean isBook = Json.text(task, "task").equals("book");
        String what = isBook ? "\"orderBook\"],\"products\":[\"" + Json.text(task, "product") + "\"" : "\"orders\"";
        long seconds = number(task, "seconds"), end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        // If it is still in a recovery then, it cannot know.
        CompletableFuture.delayedExecutor(seconds + 20, TimeUnit.SECONDS).execute(() -> System.exit(3));
        for (int failures = 0; !complete; failures++) {
            try {
                session("{\"type\":\"subscribe\",\"channels\":[\"heartbeat\"," + what + "]}", end);
            } catch (IOException doubt) {
                System.err.println("connecting again: " + doubt);
                if (complete) failures = 0;
                complete = false;
                double pauseMs = Math.min(100 * Math.pow(2, failures), 5000) * (0.5 + Math.random() / 2); // not all at once
                Thread.sleep((long) pauseMs);
            }
        }
        System.out.println(isBook
            ? "{\"book\":{\"bookSequence\":" + bookSequence + ",\"bids\":" + said(bids, "price", "quantity")
                + ",\"asks\":" + said(asks, "price", "quantity") + "}}"
            : "{\"orders\":" + said(orders, "clientOrderId", "status", "filledQuantity") + "}");
    }

    /** One connection, until the end or the first doubt: the snapshots of the next connection mend everything. */
    static void session(String subscription, long end) throws Exception {
        try (Gateway.Connection connection = Gateway.connect()) {
            open.clear();
            connection.send(subscription);
            for (String type = ""; !complete || !type.equals("pong"); ) { // all that was sent before a pong has been read
                Object message = connection.next(), data = Json.object(message).get("data");
                type = Json.text(message, "type");
                switch (Json.text(message, "channel") + " " + type) {
                    case "orderBook snapshot" -> takeBook(data, true);
                    case "orderBook update" -> takeBook(data, false);
                    case "orders snapshot" -> takeOrders(data);
                    case "orders update" -> changeOrder(Json.object(data).get("order"), number(data, "revision"));
                    default -> { } // an answer, a heartbeat, or something new
                }
                if (type.equals("heartbeat") && System.nanoTime() > end) connection.send("{\"type\":\"ping\"}");
                if (complete || completeTo == null) completeTo = Json.text(message, "timestamp");
            }
        }
    }

    static void takeBook(Object data, boolean isSnapshot) throws IOException {
        if (!isSnapshot && number(data, "bookSequence") <= bookSequence) return; // the book has it
        if (!isSnapshot && number(data, "prevBookSequence") != bookSequence) throw new IOException("the book has a gap");
        Map.of("bids", bids, "asks", asks).forEach((name, side) -> {
            if (isSnapshot) side.clear();
            for (Object level : Json.list(data, name)) side.put(new BigDecimal(Json.text(level, "price")), level); // absolute
            side.values().removeIf(level -> Json.text(level, "quantity").equals("0"));
            while (side.size() > 100) side.pollLastEntry(); // the stream is silent about what is further down
        });
        bookSequence = number(data, "bookSequence");
        complete |= isSnapshot;
    }

    /** What ended while nobody listened is in no snapshot: known orders are read one by one, and the list has the others. */
    static void takeOrders(Object data) throws Exception {
        for (Object order : Json.list(data, "orders")) {
            orders.put(id(order), order);
            open.add(id(order));
        }
        if (!Json.text(data, "final").equals("true")) return; // another part follows
        for (Object order : List.copyOf(orders.values()))
            if (Set.of("OPEN", "PENDING").contains(Json.text(order, "status")) && !open.contains(id(order)))
                orders.put(id(order), Gateway.get("/order/" + Json.text(order, "id")));
        String cursor = "";
        do {
            Object page = Gateway.get("/order?sort=ASC&startTime=" + completeTo + cursor);
            for (Object order : Json.list(page, "items")) orders.putIfAbsent(id(order), order);
            String next = Json.text(Json.object(page).get("pagination"), "nextCursor");
            cursor = next.isEmpty() ? "" : "&cursor=" + URLEncoder.encode(next, StandardCharsets.UTF_8);
        } while (!cursor.isEmpty());
        complete = true;
    }

    static void changeOrder(Object order, long revision) {
        if (revision <= revisions.getOrDefault(id(order), 0L)) return; // it is old
        revisions.put(id(order), revision);
        orders.put(id(order), order);
    }

    /** A list of JSON texts: its own text is JSON, too. */
    static List<String> said(Map<?, Object> from, String... names) {
        return from.values().stream().map(one -> {
            Map<String, Object> members = new LinkedHashMap<>(Json.object(one));
            members.keySet().retainAll(List.of(names));
            return Json.write(members);
        }).toList();
    }

    static long number(Object value, String name) {
        return Long.parseLong(Json.text(value, name));
    }

    static String id(Object order) {
        return Json.text(order, "clientOrderId");
    }
}
