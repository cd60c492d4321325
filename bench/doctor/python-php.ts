/** Collected mistakes of clients in Python, PHP and C++. */
import { createHmac } from "node:crypto";
import {
  type Collected,
  fields,
  hashes,
  hmac,
  lines,
  nonce,
  order,
  phpEncode,
  pythonJson,
  pythonRepr,
  sha256,
  signs,
  timestamp,
} from "./idioms.ts";

const flagged = { ...fields, post_only: false, note: null };

const python: readonly Omit<Collected, "language">[] = [
  {
    source: "https://github.com/Polymarket/py-clob-client/pull/173",
    did: "signs str() of the dict with its quotation marks exchanged, sends compact JSON",
    expected: [["body-spaced"]],
    sent: order,
    sign: hashes(pythonRepr(fields).replaceAll("'", '"')),
  },
  {
    source: "https://github.com/Polymarket/py-clob-client-v2/issues/108",
    did: "the same with a boolean and a null, which str() writes as False and None",
    expected: [["body-python-quotes"]],
    sent: { ...order, body: JSON.stringify(flagged) },
    sign: hashes(pythonRepr(flagged).replaceAll("'", '"')),
  },
  {
    source: "https://github.com/Polymarket/py-builder-relayer-client/pull/19",
    did: "signs str() of the dict, sends json= of requests",
    expected: [["body-python"]],
    sent: { ...order, body: pythonJson(fields) },
    sign: hashes(pythonRepr(fields)),
  },
  {
    source: "https://github.com/Polymarket/py-clob-client/issues/249",
    did: "encodes a body that is JSON text already once more before it signs it",
    expected: [["body-string"]],
    sent: order,
    sign: hashes(JSON.stringify(JSON.stringify(fields))),
  },
  {
    source: "https://github.com/prebid/salesagent/issues/1104",
    did: "signs compact separators, sends json= of requests, which has blanks",
    expected: [["body-reserialised"]],
    sent: { ...order, body: pythonJson(fields) },
    sign: hashes(JSON.stringify(fields)),
  },
  {
    source: "https://github.com/geekpete/py-coinspot-api/issues/15",
    did: "uses another hash for the HMAC than this API asks for: SHA-512",
    expected: [["hmac-sha512"]],
    sent: order,
    sign: (sent) => createHmac("sha512", sent.secret).update(lines(sent).join("\n")).digest("hex"),
  },
  {
    source: "https://github.com/danpaquin/coinbasepro-python/issues/196",
    did: "base64-decodes the secret, as another exchange asks for",
    expected: [["secret-base64-decoded"]],
    sent: order,
    sign: (sent) => hmac(Buffer.from(sent.secret, "base64"), lines(sent).join("\n")),
  },
];

const form = new URLSearchParams(fields).toString();
const accented = { ...fields, note: "Plaça / 50 %" };

const php: readonly Omit<Collected, "language">[] = [
  {
    source: "https://github.com/BTCMarkets/API/issues/23",
    did: "joins with \\n in single quotation marks, encodes the secret in base64 and uses SHA-512",
    expected: [["hmac-sha512", "joined-backslash-n", "secret-base64-encoded"]],
    sent: order,
    sign: (sent) =>
      createHmac("sha512", Buffer.from(sent.secret).toString("base64"))
        .update(lines(sent).join("\\n"))
        .digest("hex"),
  },
  {
    source: "https://github.com/BitMEX/api-connectors/issues/92",
    did: "writes hex in hex with bin2hex, and signs JSON while a form is sent",
    expected: [["body-other", "signature-hex-of-hex"]],
    sent: { ...order, contentType: "application/x-www-form-urlencoded", body: form },
    sign: (sent) => Buffer.from(hashes(phpEncode(fields))(sent)).toString("hex"),
  },
  {
    source: "https://github.com/cronofy/cronofy-php/issues/112",
    did: "encodes the hex of hash_hmac in base64, because the flag for raw output is missing",
    expected: [["signature-base64-of-hex"]],
    sent: order,
    sign: (sent) => Buffer.from(hmac(sent.secret, lines(sent).join("\n"))).toString("base64"),
  },
  {
    source: "https://github.com/thephpleague/oauth2-server/pull/370",
    did: "base64_encode of hash_hmac without raw output, over lines joined with a newline",
    expected: [["signature-base64-of-hex"]],
    sent: { ...order, method: "DELETE", body: "" },
    sign: (sent) => Buffer.from(hmac(sent.secret, lines(sent).join("\n"))).toString("base64"),
  },
  {
    source: "https://github.com/philipbrown/signature-php/pull/1",
    did: "gives hash_hmac the secret as data and the text as key",
    expected: [["hmac-swapped"]],
    sent: order,
    sign: (sent) => hmac(lines(sent).join("\n"), sent.secret),
  },
  {
    source: "https://github.com/flowdee/edd-helpscout/issues/93",
    did: "signs json_encode with escaped letters and slashes, while the body has them as they are",
    expected: [["body-php-escaped"], ["body-ascii-escaped", "body-slashes-escaped"]],
    sent: { ...order, body: JSON.stringify(accented) },
    sign: hashes(phpEncode(accented)),
  },
  {
    source: "https://github.com/emarref/jwt/issues/22",
    did: "writes JSON again for the signature, with a backslash before each slash",
    expected: [["body-slashes-escaped"], ["body-php-escaped"]],
    sent: { ...order, body: JSON.stringify({ ...fields, note: "a/b" }) },
    sign: hashes(phpEncode({ ...fields, note: "a/b" })),
  },
  {
    source: "https://github.com/kloon/WooCommerce-REST-API-Client-Library/pull/73",
    did: "signs the address with a slash at its end, which is not sent",
    expected: [["path-trailing-slash"]],
    sent: order,
    sign: signs(({ target }) => ({ path: `${target}/` })),
  },
  {
    source: "https://github.com/phemex/phemex-api-docs/issues/41",
    did: "leaves a bracket behind the signature in the header, and joins path, time and body without separators",
    expected: [["signature-bracket", "missing-everything"]],
    sent: order,
    sign: (sent) => `${hmac(sent.secret, `${sent.target}${timestamp}${sent.body}`)})`,
  },
  {
    source: "https://github.com/packagist/private-packagist-api-client/pull/90",
    did: "signs method, host, path and body, and not the query, at a gateway that signs it",
    expected: [["query-not-signed"]],
    sent: {
      ...order,
      method: "GET",
      target: "/api/v1/trading/order?page=2&limit=50",
      body: "",
      signedPath: "path-and-query",
    },
    sign: signs(({ target }) => ({ path: target.replace(/\?.*/, "") })),
  },
];

/** Sample code of one exchange, whose values are joined without anything between them. */
const others: readonly Collected[] = [
  {
    source: "https://github.com/BitMEX/api-connectors/issues/212",
    language: "C++",
    did: "joins method, path, time and body without separators, as another exchange asks for",
    expected: [["bitmex-scheme"]],
    sent: order,
    sign: (sent) => hmac(sent.secret, `${sent.method}${sent.target}${timestamp}${nonce}${sha256(sent.body)}`),
  },
];

export const pythonAndPhp: readonly Collected[] = [
  ...python.map((one) => ({ ...one, language: "Python" })),
  ...php.map((one) => ({ ...one, language: "PHP" })),
  ...others,
];
