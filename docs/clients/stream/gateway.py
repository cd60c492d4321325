"""Signed requests to the gateway. The handshake of the stream is one of them: a GET without a body."""
import hashlib, hmac, http.client, json, time, uuid
from urllib.parse import urlsplit
from rfc6455 import Refused


class Gateway:
    def __init__(self, base_url, key_id, secret):
        self.base_url = base_url
        self._base = urlsplit(base_url)
        self._key_id, self._secret = key_id, secret

    def headers(self, method, route, payload=b""):
        timestamp, nonce = str(int(time.time() * 1000)), str(uuid.uuid4())
        path = (self._base.path + route).split("?")[0]
        lines = [timestamp, nonce, method, path, "application/json", hashlib.sha256(payload).hexdigest()]
        signature = hmac.new(self._secret.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()
        return {
            "X-API-KEY": self._key_id,
            "X-API-TIMESTAMP": timestamp,
            "X-API-NONCE": nonce,
            "X-API-SIGNATURE": signature,
            "Content-Type": "application/json",
        }

    def call(self, method, route, body=None):
        """Sends a request and returns the `data` of the answer; anything but a success is raised."""
        payload = b"" if body is None else json.dumps(body).encode()  # hashed and sent: the same bytes
        secure = self._base.scheme == "https"
        connect = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = connect(self._base.netloc, timeout=10)
        try:
            headers = self.headers(method, route, payload)
            connection.request(method, self._base.path + route, payload or None, headers)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        if response.status != 200:
            raise Refused(response.status, text, f"{method} {route}")
        return json.loads(text)["data"]
