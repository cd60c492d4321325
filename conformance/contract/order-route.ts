const changing: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Could a request of this method to this target place an order, in any interpretation of its path by a server? */
export function isOrderRoute(method: string, target: string): boolean {
  return changing.has(method.toUpperCase()) && readings(target).some((path) => path.at(-1) === "order");
}

/**
 * The segments of a path in all interpretations of servers and proxies: decoded once or more often, backslashes read as
 * slashes, parameters after a semicolon dropped, empty segments and dots resolved, in small letters.
 */
function readings(target: string): string[][] {
  const found: string[][] = [];
  let path = target;
  for (let round = 0; round <= mostDecodings; round += 1) {
    found.push(segments(path));
    const decoded = decodedOnce(path);
    if (decoded === path) break;
    path = decoded;
  }
  return found;
}

const mostDecodings = 5;

function segments(path: string): string[] {
  const kept: string[] = [];
  const bare = path
    .replace(/[?#].*$/s, "")
    .replaceAll("\\", "/")
    .toLowerCase();
  for (const segment of bare.split("/")) {
    const part = (segment.split(";")[0] ?? "").replace(/[^\x21-\x7e]/g, "");
    if (part === "..") kept.pop();
    else if (part !== "" && part !== ".") kept.push(part);
  }
  return kept;
}

function decodedOnce(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
