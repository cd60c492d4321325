/** Collected mistakes of clients in JavaScript and TypeScript. */
import {
  type Collected,
  fields,
  goMarshalMap,
  hashes,
  hmac,
  lines,
  openOrders,
  order,
  pathOf,
  phpEncode,
  sha256,
  signs,
} from "./idioms.ts";

const accented = { ...fields, note: "München, Plaça Pau Vila" };
const withoutQuery = { ...openOrders, target: "/api/v1/trading/order/open" };
const queried = { ...openOrders, signedPath: "path-and-query" } as const;

const javaScript: readonly Omit<Collected, "language">[] = [
  {
    source: "https://github.com/Bittrex/bittrex.github.io/issues/313",
    did: "hashes the parameters of a GET as JSON, although they are sent in the query",
    expected: [["query-hashed"]],
    sent: openOrders,
    sign: hashes(JSON.stringify({ product: "BTC-USD", limit: 10 })),
  },
  {
    source: "https://github.com/akamai/AkamaiOPEN-edgegrid-node/pull/36",
    did: "compares the method in capitals, so the hash of a `post` stays empty",
    expected: [["body-hash-empty"]],
    sent: order,
    sign: signs(() => ({ bodyHash: "" })),
  },
  {
    source: "https://github.com/mhart/aws4fetch/issues/8",
    did: "signs `get` as it is given to fetch, which sends GET",
    expected: [["method-lower-case"]],
    sent: openOrders,
    sign: signs(() => ({ method: "get" })),
  },
  {
    source: "https://github.com/cmawhorter/hmmac/issues/15",
    did: "turns the missing body of a GET into the text undefined",
    expected: [["no-body-undefined"]],
    sent: withoutQuery,
    sign: hashes(String(undefined)),
  },
  {
    source: "https://github.com/Mastercard/oauth1-signer-nodejs/issues/7",
    did: "leaves the body hash out when there is no body",
    expected: [["missing-bodyHash"], ["no-body-empty-line"]],
    sent: withoutQuery,
    sign: (sent) => hmac(sent.secret, lines(sent).slice(0, 5).join("\n")),
  },
  {
    source: "https://github.com/emn178/js-sha256/issues/14",
    did: "exchanges key and text in sha256.hmac",
    expected: [["hmac-swapped"]],
    sent: order,
    sign: (sent) => hmac(lines(sent).join("\n"), sent.secret),
  },
  {
    source: "https://github.com/publicmediaplatform/pmp-issues/issues/49",
    did: "hashes the body in the binary encoding of an old Node",
    expected: [["body-latin1"]],
    sent: { ...order, body: JSON.stringify(accented) },
    sign: hashes(Buffer.from(JSON.stringify(accented), "latin1")),
  },
  {
    source: "https://github.com/Wantworthy/dynode/issues/16",
    did: "updates the hash without naming UTF-8",
    expected: [["body-latin1"]],
    sent: { ...order, body: '{"city":"München"}' },
    sign: hashes(Buffer.from('{"city":"München"}', "latin1")),
  },
  {
    source: "https://github.com/IonicaBizau/coins-ph/pull/26",
    did: "signs the address without the slash that is added to it on the way",
    expected: [["path-no-trailing-slash"]],
    sent: { ...order, target: `${order.target}/` },
    sign: signs(() => ({ path: order.target })),
  },
  {
    source: "https://github.com/aws/aws-sdk-js/issues/244",
    did: "signs its own content type with a charset, which the browser spells in another way",
    expected: [["content-type-charset-tight"], ["content-type-charset"]],
    sent: { ...order, contentType: "application/json;charset=UTF-8" },
    sign: signs(() => ({ contentType: "application/json;charset=utf-8" })),
  },
  {
    source: "https://github.com/arkerone/api-key-auth/issues/2",
    did: "pastes the text into a web form, which joins lines with CRLF",
    expected: [["joined-crlf"]],
    sent: openOrders,
    sign: (sent) => hmac(sent.secret, lines(sent).join("\r\n")),
  },
  {
    source: "https://github.com/TritonDataCenter/node-http-signature/pull/122",
    did: "begins the text with a newline",
    expected: [["leading-newline"]],
    sent: openOrders,
    sign: (sent) => hmac(sent.secret, `\n${lines(sent).join("\n")}`),
  },
  {
    source: "https://github.com/bhexopen/BHEX-OpenApi/issues/6",
    did: "sends the secret itself as the signature",
    expected: [["signature-is-secret"]],
    sent: order,
    sign: ({ secret }) => secret,
  },
  {
    source: "https://github.com/ccxt/ccxt/issues/6993",
    did: "hashes the text to base64, signs that, and writes the result in base64",
    expected: [["hmac-of-base64-hash", "signature-base64"]],
    sent: order,
    sign: (sent) => {
      const hashed = Buffer.from(sha256(lines(sent).join("\n")), "hex").toString("base64");
      return hmac(sent.secret, hashed, "base64");
    },
  },
  {
    source: "https://github.com/SandeepVashishtha/Eventra/issues/11561",
    did: "sorts the keys before it signs, and sends the object as it was",
    expected: [["body-sorted"]],
    sent: order,
    sign: hashes(goMarshalMap(fields)),
  },
  {
    source: "https://github.com/jonpulice/node-shopify-auth/issues/2",
    did: "parses the payload and stringifies it again for the signature",
    expected: [["body-reserialised"]],
    sent: { ...order, body: String.raw`{"id": "\u2028\u2028724812-22", "side": "BUY"}` },
    sign: (sent) => hashes(JSON.stringify(JSON.parse(sent.body)))(sent),
  },
  {
    source: "https://github.com/bunq/postman/issues/5",
    did: "forgets the query of a request whose address was changed, at a gateway that signs it",
    expected: [["query-not-signed"]],
    sent: queried,
    sign: signs((sent) => ({ path: pathOf(sent) })),
  },
  {
    source: "https://github.com/xtian/node-armory/issues/6",
    did: "signs the path before it is percent-encoded",
    expected: [["path-decoded"]],
    sent: { ...openOrders, target: "/api/v1/trading/order/my%20order" },
    sign: signs(() => ({ path: "/api/v1/trading/order/my order" })),
  },
];

const typeScript: readonly Omit<Collected, "language">[] = [
  {
    source: "https://github.com/aws/aws-sdk-js-v3/issues/3612",
    did: "signs the method in lower case",
    expected: [["method-lower-case"]],
    sent: order,
    sign: signs(({ method }) => ({ method: method.toLowerCase() })),
  },
  {
    source: "https://github.com/connorjburton/hmac-auth-express/issues/82",
    did: "signs {} for a GET, because the body parser of the server makes that of no body",
    expected: [["no-body-object"]],
    sent: withoutQuery,
    sign: hashes("{}"),
  },
  {
    source: "https://github.com/lablup/backend.ai-webui/pull/7651",
    did: "sends {} in place of no body, and signs no body",
    expected: [["body-not-hashed"]],
    sent: { ...order, body: "{}" },
    sign: hashes(""),
  },
  {
    source: "https://github.com/box/box-node-sdk/pull/568",
    did: "stringifies a body again whose letters and slashes were escaped",
    expected: [["body-reserialised"]],
    sent: { ...order, body: phpEncode({ ...accented, note: "Plaça a/b" }) },
    sign: (sent) => hashes(JSON.stringify(JSON.parse(sent.body)))(sent),
  },
  {
    source: "https://github.com/heripo-lab/heripo-engine/pull/47",
    did: "reads a secret from the environment that ends in a newline",
    expected: [["secret-and-newline"]],
    sent: order,
    sign: (sent) => hmac(`${sent.secret}\n`, lines(sent).join("\n")),
  },
  {
    source: "https://github.com/kodustech/kodus-ai/pull/1909",
    did: "takes the body of a DELETE for empty when it signs",
    expected: [["body-not-hashed"]],
    sent: { ...order, method: "DELETE", body: '{"reason":"duplicate"}' },
    sign: hashes(""),
  },
  {
    source: "https://github.com/Polymarket/clob-client/pull/219",
    did: "decodes the secret from base64 for the URL",
    expected: [["secret-base64-decoded"]],
    sent: { ...order, secret: "mFq3kZ0eT7vYx2Jd9bRnW5uLs8Hg-cP1iOoEwQf_z4M" },
    sign: (sent) => hmac(Buffer.from(sent.secret, "base64url"), lines(sent).join("\n")),
  },
  {
    source: "https://github.com/kuestcom/prediction-market/pull/1061",
    did: "signs a GET without its query, at a gateway that signs it",
    expected: [["query-not-signed"]],
    sent: queried,
    sign: signs((sent) => ({ path: pathOf(sent) })),
  },
];

export const javaScriptAndTypeScript: readonly Collected[] = [
  ...javaScript.map((one) => ({ ...one, language: "JavaScript" })),
  ...typeScript.map((one) => ({ ...one, language: "TypeScript" })),
];
