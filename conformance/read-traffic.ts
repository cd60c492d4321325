import { readRun } from "./export/read-run.ts";
import { UsageError } from "./model/position.ts";
import { mostBytes, readBytesCapped, textIn } from "./parse/read-capped.ts";
import { isCapsule, readCapsule } from "./recording/read-capsule.ts";
import { readCurl } from "./recording/read-curl.ts";
import { isHar, readHar } from "./recording/read-har.ts";
import { readJsonLines } from "./recording/read-json-lines.ts";
import { isPostman, readPostman } from "./recording/read-postman.ts";
import { isRecording, type Recording, readRecordingText } from "./recording/read-recording.ts";
import { readReport } from "./report/read-report.ts";

/** What was said, in a file of any kind that is known. Its form is seen at its beginning. */
export async function readTraffic(file: string): Promise<Recording> {
  const bytes = await readBytesCapped("recording", file, mostBytes.large);
  if (isCapsule(bytes)) return readCapsule(file, bytes);
  const other = others.find(({ is }) => is(bytes));
  if (other !== undefined) throw new UsageError(`${file}:1: ${other.advice}`);
  const text = textIn(bytes);
  if (isRecording(text)) return readRecordingText(file, text);
  if (isHar(text)) return readHar(file, text);
  if (isPostman(text)) return readPostman(file, text);
  if (/^\s*\{\s*"(?:line|type)"/.test(text)) return readRun(await readReport(file));
  const found = readJsonLines(file, text) ?? readCurl(file, text);
  if (found !== undefined) return found;
  throw new UsageError(
    `${file}:1: this is no recording, no capsule, no HAR, no output of curl, no collection of Postman, no log of JSON lines with method and path, and no report: gatewright record makes a recording`,
  );
}

const beginsWith =
  (...magic: readonly string[]) =>
  (bytes: Buffer): boolean =>
    magic.some((hex) => bytes.subarray(0, hex.length / 2).toString("hex") === hex);

const looksLike =
  (pattern: RegExp) =>
  (bytes: Buffer): boolean =>
    pattern.test(bytes.subarray(0, 4096).toString("latin1"));

/** Files that hold exchanges, or a part of them, in a form that another program turns into one that is read. */
const others: readonly { readonly is: (bytes: Buffer) => boolean; readonly advice: string }[] = [
  {
    is: looksLike(/^\d{1,10}:(?:\d{1,10}:)?[^]{0,200}\b(?:websocket|response|request|version|type);/),
    advice:
      "this is a file of mitmproxy: mitmdump -nr FILE --set hardump=session.har makes a HAR of it, which is read",
  },
  {
    is: beginsWith("d4c3b2a1", "a1b2c3d4", "4d3cb2a1", "a1b23c4d", "0a0d0d0a"),
    advice:
      "this is a capture of packets (pcap): export its HTTP exchanges as a HAR (with a tool such as pcap2har); what went over TLS is not in it. gatewright record in front of the gateway keeps everything",
  },
  {
    is: looksLike(/^\S+ \S+ \S+ \[[^\]\n]{10,40}\] "[A-Z]+ \S+ HTTP\/[\d.]+" \d{3} /),
    advice:
      "this is an access log: it has no bodies and no headers, so nothing can be sent again. gatewright record in front of the gateway keeps them",
  },
  {
    is: beginsWith("504b0304"),
    advice:
      "this is a ZIP archive: unpack it, and give the file in it (a session of Charles or Fiddler: export it as HAR)",
  },
];
