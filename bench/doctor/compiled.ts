/** Collected mistakes of clients in Go, Java, C#, Ruby, Perl, Elixir, Swift, Objective-C and Rust. */
import { createHmac } from "node:crypto";
import {
  type Collected,
  fields,
  goMarshalMap,
  hashes,
  hmac,
  host,
  javaHex,
  lines,
  openOrders,
  order,
  pathOf,
  sha256,
  signs,
  timestamp,
} from "./idioms.ts";

const accented = { ...fields, note: "São Paulo" };
const spaced = { ...openOrders, target: "/api/v1/trading/order/my%20order" };
const decoded = signs((sent) => ({ path: decodeURIComponent(pathOf(sent)) }));
const queried = { ...openOrders, signedPath: "path-and-query" } as const;
const swapped: Collected["sign"] = (sent) => hmac(lines(sent).join("\n"), sent.secret);
const base64Decoded: Collected["sign"] = (sent) =>
  hmac(Buffer.from(sent.secret, "base64"), lines(sent).join("\n"));

const go: readonly Omit<Collected, "language">[] = [
  {
    source: "https://github.com/gateio/gateapi-go/issues/1",
    did: "formats the whole URL where its path belongs",
    expected: [["path-full-address"]],
    sent: order,
    sign: signs(({ target }) => ({ path: `http://${host}${target}` })),
  },
  {
    source: "https://github.com/SpecterOps/BloodHound/issues/3098",
    did: "signs URL.Path while the server looks at the request URI, query included",
    expected: [["query-not-signed"]],
    sent: queried,
    sign: signs((sent) => ({ path: pathOf(sent) })),
  },
  {
    source: "https://github.com/aws/aws-sdk-go-v2/issues/863",
    did: "signs the path before the prefix of the endpoint is put in front of it",
    expected: [["path-without-prefix"]],
    sent: order,
    sign: signs(() => ({ path: "/order" })),
  },
  {
    source: "https://github.com/elliotchance/phpserialize/issues/11",
    did: "marshals a map, whose keys come out sorted, where the other side kept its order",
    expected: [["body-sorted"]],
    sent: order,
    sign: hashes(goMarshalMap(fields)),
  },
  {
    source: "https://github.com/exoscale/egoscale/pull/555",
    did: "signs the path decoded, while it is sent encoded",
    expected: [["path-decoded"]],
    sent: spaced,
    sign: decoded,
  },
  {
    source: "https://github.com/kimdre/doco-cd/issues/545",
    did: "reads the secret from a file with a newline at its end",
    expected: [["secret-and-newline"]],
    sent: order,
    sign: (sent) => hmac(`${sent.secret}\n`, lines(sent).join("\n")),
  },
  {
    source: "https://github.com/thrasher-corp/gocryptotrader/pull/1199",
    did: "decodes the secret from base64, as another exchange asks for",
    expected: [["secret-base64-decoded"]],
    sent: openOrders,
    sign: base64Decoded,
  },
];

const managed: readonly Collected[] = [
  {
    source: "https://github.com/pushpad/pushpad-java/pull/1",
    language: "Java",
    did: "writes the digest in base64",
    expected: [["signature-base64"]],
    sent: order,
    sign: (sent) => hmac(sent.secret, lines(sent).join("\n"), "base64"),
  },
  {
    source: "https://github.com/Tencent/secguide/issues/16",
    language: "Java",
    did: "writes bytes with Integer.toHexString, which drops zeros, in hash and signature",
    // This signature happens to have no such zero.
    expected: [["body-hash-zeros-lost"]],
    sent: order,
    sign: (sent) => javaHex(signs(({ body }) => ({ bodyHash: javaHex(sha256(body)) }))(sent)),
  },
  {
    source: "https://github.com/wultra/powerauth-crypto/issues/52",
    language: "Java",
    did: "uses the message as key and the key as message",
    expected: [["hmac-swapped"]],
    sent: openOrders,
    sign: swapped,
  },
  {
    source: "https://github.com/passiv/snaptrade-sdks/pull/820",
    language: "Java",
    did: "strips /api/v1 from the path before it signs",
    expected: [["path-without-version"], ["path-without-prefix"]],
    sent: order,
    sign: signs(({ target }) => ({ path: target.replace("/api/v1", "") })),
  },
  {
    source: "https://github.com/bchavez/Coinbase/issues/3",
    language: "C#",
    did: "turns the body into bytes with Encoding.ASCII: a question mark for every other letter",
    expected: [["body-ascii"]],
    sent: { ...order, body: JSON.stringify(accented) },
    sign: hashes(JSON.stringify(accented).replaceAll(/[^\u0000-\u007f]/g, "?")),
  },
  {
    source: "https://github.com/MicrosoftDocs/azure-docs/pull/80865",
    language: "C#",
    did: "Convert.FromBase64String of the secret, as in the sample for another service",
    expected: [["secret-base64-decoded"]],
    sent: order,
    sign: base64Decoded,
  },
];

const others: readonly Collected[] = [
  {
    source: "https://github.com/BTCMarkets/API/issues/121",
    language: "Ruby",
    did: "Base64.decode64 of the secret, as in the sample for another exchange",
    expected: [["secret-base64-decoded"]],
    sent: openOrders,
    sign: base64Decoded,
  },
  {
    source: "https://github.com/Cyclid/Cyclid/issues/59",
    language: "Ruby",
    did: "leaves the algorithm of the signer at its default, SHA-1",
    expected: [["hmac-sha1"]],
    sent: order,
    sign: (sent) => createHmac("sha1", sent.secret).update(lines(sent).join("\n")).digest("hex"),
  },
  {
    source: "https://github.com/we-promise/sure/pull/1425",
    language: "Ruby",
    did: "signs the parameters sorted and sends them in their own order, at a gateway that signs the query",
    expected: [["query-sorted"]],
    sent: queried,
    sign: signs((sent) => ({ path: `${pathOf(sent)}?limit=10&product=BTC-USD` })),
  },
  {
    source: "https://github.com/6oskarwN/Sim_exam_yo/issues/15",
    language: "Perl",
    did: "calls the HMAC function with the secret first, which takes the text first",
    expected: [["hmac-swapped"]],
    sent: order,
    sign: swapped,
  },
  {
    source: "https://github.com/interchange/Amazon-MWS/issues/9",
    language: "Perl",
    did: "signs two slashes where endpoint and path meet",
    expected: [["path-double-slash"]],
    sent: order,
    sign: signs(({ target }) => ({ path: `/${target}` })),
  },
  {
    source: "https://github.com/bnhansn/ex_gdax/pull/15",
    language: "Elixir",
    did: "signs a GET without its arguments, at a gateway that signs them",
    expected: [["query-not-signed"]],
    sent: queried,
    sign: signs((sent) => ({ path: pathOf(sent) })),
  },
  {
    source: "https://github.com/mw99/OhhAuth/issues/11",
    language: "Swift",
    did: "takes the path of a URL, which is decoded",
    expected: [["path-decoded"]],
    sent: spaced,
    sign: decoded,
  },
  {
    source: "https://github.com/boostcampwm-2024/iOS08-Shook/issues/220",
    language: "Swift",
    did: "asks for the time twice, for the header and for the signature",
    expected: [["timestamp-other"]],
    sent: order,
    sign: signs(() => ({ timestamp: String(Number(timestamp) - 3) })),
  },
  {
    source: "https://github.com/apple/swift-crypto/issues/39",
    language: "Swift",
    did: "signs a newline behind the text, which others strip",
    expected: [["trailing-newline"]],
    sent: openOrders,
    sign: (sent) => hmac(sent.secret, `${lines(sent).join("\n")}\n`),
  },
  {
    source: "https://github.com/guicocoa/cocoa-oauth/issues/5",
    language: "Objective-C",
    did: "takes the path of an NSURL, which has no slash at its end",
    expected: [["path-no-trailing-slash"]],
    sent: { ...order, target: `${order.target}/` },
    sign: signs(() => ({ path: order.target })),
  },
  {
    source: "https://github.com/developmentseed/multistore/pull/103",
    language: "Rust",
    did: "signs the path decoded, while it is sent encoded",
    expected: [["path-decoded"]],
    sent: spaced,
    sign: decoded,
  },
];

export const compiledAndOthers: readonly Collected[] = [
  ...go.map((one) => ({ ...one, language: "Go" })),
  ...managed,
  ...others,
];
