/**
 * The query string of a request, as sent. Each route reads it for itself. This file only
 * checks that it can be decoded in exactly one way.
 */
import type { Refusal } from "./errors.ts";
import { printable } from "./printable.ts";

/** Without its question mark; empty when there is none. */
export function searchOf(target: string): string {
  const mark = target.indexOf("?");
  return mark === -1 ? "" : target.slice(mark + 1);
}

const mostParts = 64;
const controlCharacter = /%[01][0-9a-f]|%7f/i;

export function checkSearch(search: string): Refusal | null {
  if (search === "") return null;
  const parts = search.split("&");
  if (parts.length > mostParts) return refuse(`The query string has more than ${mostParts} parts.`);
  if (controlCharacter.test(search)) return refuse("The query string holds escaped control characters.");
  const unreadable = search.includes("%") ? parts.find((part) => !isDecodable(part)) : undefined;
  if (unreadable === undefined) return null;
  return refuse(`The query string cannot be decoded at "${printable(unreadable, 40)}". Escape it as UTF-8.`);
}

const refuse = (message: string): Refusal => ({ code: "INVALID_QUERY", message });

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}
