/**
 * Text from any source as a scalar of a YAML file that the kit writes. JSON is YAML, and with ASCII only no editor and
 * no terminal interprets text from a target.
 */
export function yamlScalar(text: string): string {
  return escaped(JSON.stringify(text));
}

/** The same for a comment, which ends with the line. */
export function yamlComment(text: string, most = 160): string {
  const line = escaped(JSON.stringify(text).slice(1, -1)).replaceAll('\\"', '"');
  return line.length <= most ? line : `${line.slice(0, most)}...`;
}

function escaped(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
