/** A request of the log as a command for a POSIX shell. The signature was left out of the log: `gatewright sign` makes another. */
interface Sent {
  readonly method: string;
  readonly target: string;
  readonly request: {
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly body: { readonly length: number; readonly text?: string };
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const left =
  /^(?:host|content-length|connection|x-api-.*|accept-encoding|transfer-encoding|origin|referer|sec-.*)$/i;

export function curlOf({ method, target, request: { headers, body } }: Sent, origin: string): string {
  const shown = headers
    .filter(({ name }) => !left.test(name))
    .map(({ name, value }) => ` -H ${quoted(`${name}: ${value}`)}`);
  const data = body.text === undefined || body.length === 0 ? "" : ` --data-raw ${quoted(body.text)}`;
  return `curl --noproxy '*' -X ${method} ${quoted(origin + target)}${shown.join("")}${data}`;
}
