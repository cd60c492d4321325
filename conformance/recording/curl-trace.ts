/** Begins a line with data that were sent, or came, as a JSON text. */
export const [dataSent, dataGot] = [">>", "<<"] as const;

/** How `curl -v` marks the lines that `--trace` has below these names. It shows no data, which are marked here as JSON texts. */
const marks: Readonly<Record<string, string>> = {
  "=> Send header": "> ",
  "=> Send data": dataSent,
  "<= Recv header": "< ",
  "<= Recv data": dataGot,
};

const time = /^\d{2}:\d{2}:\d{2}\.\d{6} (?=[*<>{}=])/;
const head =
  /^(?:(=> Send (?:header|data)|<= Recv (?:header|data)), \d+ bytes|== Info: |(?:=>|<=) (?:Send|Recv) SSL)/;
const line16 = /^([0-9a-f]{4,8}): ((?:[0-9a-f]{2} ){1,16}) *.{1,16}$/;
const line64 = /^([0-9a-f]{4,8}): (.*)$/;

/**
 * The output of `--trace`, `--trace-ascii` and `--trace-time` as -v would show it, and the data. `--trace-ascii` shows bytes that are no
 * ASCII as dots, so such a body is not what was sent.
 */
export function withoutTrace(text: string): string {
  const plain: string[] = [];
  let mark: string | undefined;
  let block: string[] = [];
  const flush = (): void => {
    if (mark === undefined || block.length === 0) return;
    const shown = contentOf(block);
    if (mark === dataSent || mark === dataGot) plain.push(mark + JSON.stringify(shown));
    else for (const line of shown.trimEnd().split(/\r?\n/)) plain.push(mark + line);
    block = [];
  };
  for (const timed of text.split("\n")) {
    const line = timed.replace(time, "");
    const found = head.exec(line);
    if (found === null && mark !== undefined && line64.test(line)) block.push(line);
    else {
      flush();
      mark = marks[found?.[1] ?? ""];
      if (found === null) plain.push(line);
    }
  }
  flush();
  return plain.join("\n");
}

/** Each line has the place of its first byte. Of ASCII the ends of lines are left out, which the next place shows. */
function contentOf(block: readonly string[]): string {
  const bytes = block.map((line) => line16.exec(line)?.[2]);
  if (!bytes.includes(undefined))
    return Buffer.from(bytes.join("").replaceAll(" ", ""), "hex").toString("utf8");
  const lines = block.map((line) => line64.exec(line) ?? []);
  return lines
    .map(([, place = "", shown = ""], index) => {
      const next = lines[index + 1]?.[1];
      const length = next === undefined ? shown.length : parseInt(next, 16) - parseInt(place, 16);
      return length > shown.length ? `${shown}\r\n` : shown;
    })
    .join("");
}
