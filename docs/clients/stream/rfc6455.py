"""The client's half of the WebSocket protocol, RFC 6455, for text messages: no extensions, no subprotocols."""
import base64, hashlib, os, socket, ssl, struct
from urllib.parse import urlsplit

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # the same for everybody: section 1.3
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
LONGEST_MESSAGE = 4 * 1024 * 1024


class Refused(Exception):
    """The server answered with something else than was asked for: the handshake with an ordinary HTTP response."""

    def __init__(self, status, body, what="handshake"):
        super().__init__(f"{what}: {status} {body}")
        self.status = status


class Closed(Exception):
    """The connection is over; `code` is 1006 when nobody said why."""

    def __init__(self, code, reason=""):
        super().__init__(f"code {code} {reason}".strip())
        self.code = code


class WebSocket:
    def __init__(self, url, headers, timeout):
        """Connects. Whenever the server is silent for longer than the time-out (in seconds), the connection is over."""
        parts = urlsplit(url)
        secure = parts.scheme == "wss"
        self._socket = socket.create_connection((parts.hostname, parts.port or (443 if secure else 80)), timeout)
        try:
            if secure:
                context = ssl.create_default_context()
                self._socket = context.wrap_socket(self._socket, server_hostname=parts.hostname)
            self._reader = self._socket.makefile("rb")
            self._shake_hands(parts, headers)
        except BaseException:
            self._socket.close()
            raise

    def send(self, text):
        self._send(TEXT, text.encode())

    def receive(self):
        """The next message. Answers pings, puts fragments together, and raises Closed at the end."""
        message = None
        while True:
            final, opcode, payload = self._frame()
            if opcode == PING:
                self._send(PONG, payload)
            elif opcode == CLOSE:
                self._closed_by_server(payload)
            elif opcode in (TEXT, CONTINUATION):
                if (opcode == TEXT) != (message is None):
                    self._fail(1002, "a message begins inside another, or goes on without a beginning")
                message = payload if message is None else message + payload
                if len(message) > LONGEST_MESSAGE:
                    self._fail(1009, "the message is too long")
                if final:
                    try:
                        return message.decode()
                    except UnicodeDecodeError:
                        self._fail(1007, "the message is not UTF-8")
            elif opcode != PONG:
                self._fail(1003, f"a frame with opcode {opcode}")

    def close(self, code=1000):
        """Says goodbye and hangs up without waiting for an answer."""
        try:
            self._send(CLOSE, struct.pack("!H", code))
        except (OSError, Closed):
            pass
        self.abort()

    def abort(self):
        """Hangs up without a word, as a lost network would."""
        self._reader.close()
        self._socket.close()

    def _shake_hands(self, parts, headers):
        key = base64.b64encode(os.urandom(16)).decode()
        fixed = {"Host": parts.netloc, "Upgrade": "websocket", "Connection": "Upgrade"}
        fixed.update({"Sec-WebSocket-Key": key, "Sec-WebSocket-Version": "13"})
        lines = [f"{name}: {value}" for name, value in {**fixed, **headers}.items()]
        self._socket.sendall("\r\n".join([f"GET {parts.path} HTTP/1.1", *lines, "", ""]).encode())
        status = int((self._line().split(" ", 2) + ["0", "0"])[1])
        answer = {}
        for line in iter(self._line, ""):
            name, _, value = line.partition(":")
            answer[name.strip().lower()] = value.strip()
        if status != 101:
            raise Refused(status, self._read(int(answer.get("content-length", 0))).decode(errors="replace"))
        accept = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest()).decode()
        if answer.get("sec-websocket-accept") != accept:
            raise Closed(1002, "the answer to the handshake belongs to another handshake")

    def _frame(self):
        first, second = self._read(2)
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack("!H", self._read(2))
        elif length == 127:
            (length,) = struct.unpack("!Q", self._read(8))
        if first & 0x70 or second & 0x80:
            self._fail(1002, "a reserved bit is set, or a server's frame is masked")
        if first & 0x08 and (length > 125 or not first & 0x80):
            self._fail(1002, "a control frame is long or fragmented")
        if length > LONGEST_MESSAGE:
            self._fail(1009, "the frame is too long")
        return bool(first & 0x80), first & 0x0F, self._read(length)

    def _send(self, opcode, payload):
        """One frame. A client masks what it sends, with a new mask each time."""
        length = len(payload)
        if length < 126:
            head = struct.pack("!BB", 0x80 | opcode, 0x80 | length)
        elif length < 65536:
            head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, length)
        else:
            head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, length)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        try:
            self._socket.sendall(head + mask + masked)
        except OSError as error:
            raise Closed(1006, str(error)) from error

    def _read(self, length):
        try:
            data = self._reader.read(length)
        except (OSError, ValueError) as error:  # a time-out is an OSError, too
            raise Closed(1006, str(error)) from error
        if len(data) < length:
            raise Closed(1006, "the connection was cut")
        return data

    def _line(self):
        try:
            line = self._reader.readline(65536)
        except OSError as error:
            raise Closed(1006, str(error)) from error
        if not line.endswith(b"\n"):
            raise Closed(1006, "the connection was cut during the handshake")
        return line.decode("latin-1").rstrip("\r\n")

    def _closed_by_server(self, payload):
        code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
        self.close(code if code != 1005 else 1000)
        raise Closed(code, payload[2:].decode(errors="replace"))

    def _fail(self, code, reason):
        self.close(code)
        raise Closed(code, reason)
