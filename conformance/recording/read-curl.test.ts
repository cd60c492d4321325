/** What people paste from terminals, CI logs, mails and browsers. */
import { describe, expect, it } from "vitest";
import { curlExchanges, readCurl } from "./read-curl.ts";

const body = `{"side":"SELL","note":"it's 5 $"}`;
const url = "http://127.0.0.1:8080/api/v1/trading/order";
const sh = body.replaceAll("'", "'\\''");
const doubled = body.replaceAll('"', '\\"').replaceAll("$", "\\$");
const request = (command: string): unknown => {
  const [found, ...others] = curlExchanges("a.txt", command);
  expect(others).toEqual([]);
  return [found?.method, found?.target, found?.headers, found?.body.text, found?.problem];
};
const asked = ["POST", url, [["Content-Type", "application/json"]], body, undefined];
const type = "'Content-Type: application/json'";

describe("a curl command", () => {
  it.each<[string, string]>([
    ["over several lines", `curl -X POST '${url}' \\\n  -H ${type} \\\n  --data-raw '${sh}'\n`],
    ["after the prompt of a shell", `dev@box:~/work (main)$ curl ${url} -H ${type} -d '${sh}'`],
    ["after the prompt of root", `# curl ${url} -H ${type} -d '${sh}'`],
    ["in a log of set -x", `++ curl ${url} -H ${type} -d '${sh}'`],
    ["in a log with times", `2026-11-24T10:00:00Z + curl ${url} -H ${type} -d '${sh}'`],
    ["with time", `$ time curl ${url} -H ${type} -d '${sh}'`],
    ["with a variable before it", `$ http_proxy= LANG=C curl ${url} -H ${type} -d '${sh}'`],
    ["of another folder", `/usr/local/bin/curl ${url} -H ${type} -d '${sh}'`],
    ["with flags in quotes", `$ 'curl' '-X' 'POST' '-H' ${type} '--data-binary' '${sh}' '${url}'`],
    ["with values at their flags", `curl -XPOST -H${type} -d'${sh}' ${url}`],
    ["with equals signs", `curl --header=${type} --data='${sh}' --url=${url}`],
    ["in double quotes", `curl "${url}" -H "Content-Type: application/json" -d "${doubled}"`],
    ["in ANSI-C quotes", `curl ${url} -H ${type} --data-raw $'{"side":"SELL","note":"it\\'s 5 \\u0024"}'`],
    ["with octal escapes", `curl ${url} -H ${type} --data-raw $'\\173"side":"SELL","note":"it\\x27s 5 $"}'`],
    ["into a pipe", `curl -s ${url} -H ${type} -d '${sh}' 2>&1 | jq -r '.data' > out.json`],
    ["before another command", `curl -s ${url} -H ${type} -d '${sh}'; echo done`],
    ["in brackets", `(curl -s ${url} -H ${type} -d '${sh}')`],
    [
      "of cmd.exe",
      `C:\\work>curl.exe "${url}" ^\r\n -H "Content-Type: application/json" ^\r\n -d "${body.replaceAll('"', '\\"')}"\r\n`,
    ],
    [
      "as Chrome copies it for cmd.exe",
      `curl ^"${url}^" ^\r\n  -H ^"Content-Type: application/json^" ^\r\n  --data-raw ^"${body.replaceAll('"', '^\\^"')}^"`,
    ],
    [
      "with doubled quotes",
      `curl "${url}" ^\n -H "Content-Type: application/json" ^\n -d "${body.replaceAll('"', '""')}"`,
    ],
    ["of PowerShell", `PS C:\\> curl.exe ${url} \`\r\n -H ${type} \`\r\n -d '${body.replace("'", "'\\''")}'`],
  ])("is read %s", (_, command) => {
    expect(request(command)).toEqual(asked);
  });

  it("may hold a body of several lines", () => {
    const pretty = '{\n  "side": "BUY"\n}';
    const [found] = curlExchanges("a.txt", `$ curl ${url} -d '${pretty}'\n{"statusCode":200,"data":{}}\n`);
    expect(found).toMatchObject({ body: { text: pretty }, answer: { status: 200 } });
    const windows = `curl ^"${url}^" --data-raw ^"^{^\n\n^\\^"a^\\^":1^}^"`;
    expect(curlExchanges("a.txt", windows)[0]?.body.text).toBe('{\n"a":1}');
  });

  it.each<[string, string, RegExp]>([
    ["a variable", `curl ${url} -d "$BODY"`, /is a variable of a shell/],
    ["a command in it", `curl ${url} -d "$(cat body.json)"`, /is a variable of a shell/],
    ["a file", `curl ${url} --data-binary @body.json`, /reads the body from @body\.json/],
    ["a form", `curl ${url} -F a=b`, /makes the body of -F itself/],
  ])("says what is not known of %s", (_, command, problem) => {
    const [found] = curlExchanges("a.txt", command);
    expect(found?.body).toEqual({ length: 1, cut: true });
    expect(found?.problem).toMatch(problem);
  });

  it("is none in prose, in a body, or in a line of its own", () => {
    for (const text of [
      "we sent it with curl and it failed",
      '{"note":"$ curl http://x"}',
      "> User-Agent: curl/8",
    ])
      expect(readCurl("a.txt", text)).toBeUndefined();
  });
});

const meter = `  % Total    % Received % Xferd  Average Speed   Time    Time     Time  Current
                                 Dload  Upload   Total   Spent    Left  Speed
`;
const running = "\r  0     0    0     0    0     0      0      0 --:--:-- --:--:-- --:--:--     0";
const done = "\r100   257  100   108  100   149   4965   6850 --:--:-- --:--:-- --:--:-- 12238";
const answer = '{"statusCode":200,"data":{"a":"}"}}';
const length = Buffer.byteLength(answer);
const sentHead = [
  "POST /api/v1/trading/order HTTP/1.1",
  "Host: 127.0.0.1:8080",
  `Content-Length: ${body.length}`,
  "",
];
const gotHead = ["HTTP/1.1 200 OK", "Date: Tue, 24 Nov 2026 02:14:13 GMT", `Content-Length: ${length}`, ""];
const command = `$ curl ${url} -d '${sh}'`;
const verbose = [
  "*   Trying 127.0.0.1:8080...",
  ...sentHead.map((line) => `> ${line}`),
  `} [${body.length} bytes data]`,
  ...gotHead.map((line) => `< ${line}`),
  `{ [${length} bytes data]`,
].join("\r\n");
const end = "* Connection #0 to host 127.0.0.1 left intact";

/** As --trace-ascii and --trace write a block. */
function traced(name: string, text: string, isHex: boolean): string {
  const bytes = Buffer.from(text);
  const lines = [`${name}, ${bytes.length} bytes (0x${bytes.length.toString(16)})`];
  const place = (at: number): string => `${at.toString(16).padStart(4, "0")}: `;
  if (isHex)
    for (let at = 0; at < bytes.length; at += 16) {
      const row = bytes.subarray(at, at + 16);
      const hex = [...row].map((byte) => `${byte.toString(16).padStart(2, "0")} `).join("");
      lines.push(place(at) + hex.padEnd(48) + row.toString("latin1").replaceAll(/[^ -~]/g, "."));
    }
  else
    for (let at = 0; at < text.length; ) {
      const lineEnd = text.indexOf("\r\n", at);
      const stop = Math.min(at + 64, lineEnd === -1 ? text.length : lineEnd);
      lines.push(place(at) + text.slice(at, stop));
      at = stop === lineEnd ? stop + 2 : stop;
    }
  return lines.join("\n");
}
const trace = (isHex: boolean): string =>
  [
    "== Info:   Trying 127.0.0.1:8080...",
    traced("=> Send header", `${sentHead.join("\r\n")}\r\n`, isHex),
    traced("=> Send data", body, isHex),
    ...gotHead.map((line) => traced("<= Recv header", `${line}\r\n`, isHex)),
    traced("<= Recv data", answer.slice(0, 9), isHex),
    traced("<= Recv data", answer.slice(9), isHex),
    "== Info: Connection #0 to host 127.0.0.1 left intact",
    "",
  ].join("\n");

describe("the output of curl", () => {
  it.each<[string, string]>([
    ["-sv", `${command}\n${verbose}\n${end}\n${answer}\n`],
    ["-sv, glued to its end", `${command}\n${verbose}\n${answer}${end}\n`],
    ["-sv, glued to the next prompt", `${command}\n${verbose}\n${end}\n${answer}dev@box:~$ curl --version\n`],
    ["-v, with the meter", `${command}\n${meter}${running}${verbose}\n${done}\n${end}\n${answer}`],
    ["-v, the body within the meter", `${command}\n${meter}${running}${verbose}\n${answer}${done}\n${end}\n`],
    ["-i", `${command}\n${gotHead.join("\r\n")}\r\n${answer}\n`],
    ["-iv", `${command}\n${verbose}\n${end}\n${gotHead.join("\r\n")}\r\n${answer}\n`],
    [
      "-v --trace-time",
      `${command}\n${verbose.replaceAll(/^(?=[*<>{}] )/gm, "02:14:13.000123 ")}\n${answer}`,
    ],
    ["-sv, quoted in a mail", `${command}\n${verbose}\n${end}\n${answer}`.replaceAll(/^/gm, "> ")],
    ["--trace-ascii", trace(false)],
    ["--trace", trace(true)],
    ["--trace --trace-time", trace(true).replaceAll(/^(?=[=<])/gm, "02:14:13.000123 ")],
    ["nothing", `${command}\n${answer}\n$ `],
  ])("is read with %s", (_, text) => {
    const found = readCurl("a.txt", text);
    expect(found?.exchanges).toMatchObject([
      {
        request: { method: "POST", target: "/api/v1/trading/order", body: { text: body } },
        answer: { status: 200, body: { text: answer } },
      },
    ]);
    expect(found?.remarks).toEqual([]);
  });

  it("says that it does not know a body, and why", () => {
    const remarksOf = (line: string): readonly string[] =>
      readCurl("a.txt", `${line}\n${verbose}\n${answer}`)?.remarks ?? [];
    expect(remarksOf(`$ curl ${url} -d '{`)).toEqual([expect.stringContaining("is not closed")]);
    expect(remarksOf(`$ curl ${url} -d "$BODY"`)).toEqual([expect.stringContaining("variable of a shell")]);
    expect(readCurl("a.txt", verbose)?.exchanges[0]?.request.body).toEqual({
      length: body.length,
      cut: true,
    });
  });

  it("is a sequence, although it has no times, without the ids of its keys", () => {
    const head = (method: string): string => `> ${method} /x HTTP/1.1\n> X-API-KEY: kid-of-a-client\n>\n`;
    const both = `${head("GET")}< HTTP/1.1 100 Continue\n< HTTP/1.1 400 Bad Request\n<\n{"a":"kid-of-a-client"}${end}\n${head("DELETE")}* Empty reply from server\n`;
    const { exchanges = [] } = readCurl("a.txt", both) ?? {};
    expect(exchanges.map(({ at, request, answer }) => [at, request.method, answer?.status])).toEqual([
      [0, "GET", 400],
      [1, "DELETE", undefined],
    ]);
    expect(exchanges[0]?.key).toBe("key-1");
    expect(JSON.stringify(exchanges)).not.toContain("kid-of-a-client");
  });

  it("is not read without end", () => {
    const endless = "> GET /x HTTP/1.1\n".repeat(6000);
    expect(() => readCurl("a.txt", endless)).toThrow(/^a\.txt:5001: /);
    const commands = "$ curl http://x/ -d '{'\n".repeat(6000);
    expect(() => readCurl("a.txt", commands)).toThrow(/^a\.txt:5001: /);
  });

  it("may have no answer", () => {
    const found = readCurl("a.txt", command);
    expect(found?.exchanges).toMatchObject([{ isUnseen: true }]);
  });
});
