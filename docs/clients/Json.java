import java.util.*;

/** As much JSON as the gateway speaks, because Java has none. Numbers stay text: an amount must not become a float. */
class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> object(Object value) {
        return value instanceof Map ? (Map<String, Object>) value : Map.of();
    }

    static List<?> list(Object value, String name) {
        return object(value).get(name) instanceof List<?> list ? list : List.of();
    }

    /** Empty where there is none. */
    static String text(Object value, String name) {
        return object(value).get(name) instanceof String text ? text : "";
    }

    static String write(Map<String, ?> members) {
        StringJoiner out = new StringJoiner(",", "{", "}");
        members.forEach((name, value) -> out.add(quoted(name) + ":" + quoted(String.valueOf(value))));
        return out.toString();
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray())
            out.append(c < ' ' || c == '"' || c == '\\' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        return out.append('"').toString();
    }

    private Object value() {
        char c = next();
        if (c == '"') return string();
        if (c == '[') {
            List<Object> list = new ArrayList<>();
            for (at++; next() != ']'; ) {
                list.add(value());
                if (next() == ',') at++;
            }
            at++;
            return list;
        }
        if (c == '{') {
            Map<String, Object> members = new LinkedHashMap<>();
            for (at++; next() != '}'; ) {
                String name = string();
                if (next() != ':') throw new IllegalArgumentException("no colon at " + at);
                at++;
                members.put(name, value());
                if (next() == ',') at++;
            }
            at++;
            return members;
        }
        int from = at;
        while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) at++;
        String word = text.substring(from, at);
        if (!word.matches("true|false|null|-?[0-9].*")) throw new IllegalArgumentException("no JSON at " + from);
        return word.equals("null") ? null : word;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            if (c != '\\') out.append(c);
            else if (text.charAt(++at) == 'u') {
                out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                at += 4;
            } else out.append("nbfrt".indexOf(text.charAt(at)) < 0 ? text.charAt(at) : "\n\b\f\r\t".charAt("nbfrt".indexOf(text.charAt(at))));
        }
        at++;
        return out.toString();
    }

    /** Past blanks. A text that ends too early is an error, like every other mistake. */
    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }
}
