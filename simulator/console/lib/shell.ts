/** Commands to copy. */

/** A word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const withoutValue =
  /^(?:content-length|host|connection|accept-encoding|x-api-(?:key|timestamp|nonce|signature))$/i;

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** The request again, with the credentials to be filled in: the log holds none. */
export function curl({ method, url, headers, body }: Sent): string {
  const named = headers.filter(({ name }) => !withoutValue.test(name));
  return [
    `curl -sS --noproxy '*' -X ${quoted(method)} ${quoted(url)}`,
    ...["X-API-KEY", "X-API-TIMESTAMP", "X-API-NONCE", "X-API-SIGNATURE"].map(
      (name) => `-H "${name}: $${name.replaceAll("-", "_")}"`,
    ),
    ...named.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === "" ? [] : [`--data-binary ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** A signed request in a shell with openssl alone. */
export function signedCurl(base: string, path: string, keyId: string, secret: string, body: string): string {
  return [
    `KEY=${quoted(keyId)} SECRET=${quoted(secret)}`,
    `body=${quoted(body)}`,
    "ts=$(($(date +%s) * 1000)); nonce=$(cat /proc/sys/kernel/random/uuid 2>/dev/null || uuidgen)",
    "hash=$(printf %s \"$body\" | openssl dgst -sha256 | sed 's/.*= //')",
    `text=$(printf '%s\\n%s\\nPOST\\n%s\\napplication/json\\n%s' "$ts" "$nonce" ${quoted(path)} "$hash")`,
    'sig=$(printf %s "$text" | openssl dgst -sha256 -hmac "$SECRET" | sed \'s/.*= //\')',
    `curl -sS --noproxy '*' ${quoted(base + path)} -H "X-API-KEY: $KEY" -H "X-API-TIMESTAMP: $ts" \\`,
    '  -H "X-API-NONCE: $nonce" -H "X-API-SIGNATURE: $sig" -H "Content-Type: application/json" -d "$body"',
  ].join("\n");
}
