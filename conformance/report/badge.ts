import { html } from "./printable.ts";
import type { Report } from "./report.ts";

/** Only CONFORMANT is green; an unverified target is grey, with any number of passed cases. */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: string;
}

/** The format of an endpoint badge, for badge services. */
export function badgeOf(report: Report): Badge {
  const { verified, total } = report.summary.claimed;
  return {
    schemaVersion: 1,
    label: "conformance",
    message:
      report.verdict === "PASSED"
        ? messages.PASSED
        : `${messages[report.verdict]}${report.level} ${verified}/${total}`,
    color: colours[report.verdict],
  };
}

export function badgeSvg(report: Report): string {
  const { label, message, color } = badgeOf(report);
  const [left, right] = [widthOf(label), widthOf(message)];
  const total = left + right;
  const text = (at: number, shown: string): string =>
    `<text x="${at}" y="14" text-anchor="middle" fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${html(shown)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" role="img" aria-label="${html(`${label}: ${message}`)}">`,
    `<title>${html(`${label}: ${message}`)}</title>`,
    `<rect width="${total}" height="20" rx="3" fill="#444"/>`,
    `<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-${right - 3}z" fill="${color}"/>`,
    text(left / 2, label),
    text(left + right / 2, message),
    "</svg>",
    "",
  ].join("\n");
}

const messages: Readonly<Record<Report["verdict"], string>> = {
  CONFORMANT: "",
  CONFORMANT_WITH_WARNINGS: "warnings, ",
  PASSED: "own scenarios passed",
  DIFFERENT: "different from the recording, ",
  NON_CONFORMANT: "not conformant, ",
  INCOMPLETE: "incomplete, ",
  ERROR: "error, ",
};

const colours: Readonly<Record<Report["verdict"], string>> = {
  CONFORMANT: "#2a7f3b",
  CONFORMANT_WITH_WARNINGS: "#8a6d00",
  // Green is reserved for conformance.
  PASSED: "#6b6b6b",
  DIFFERENT: "#b3261e",
  NON_CONFORMANT: "#b3261e",
  INCOMPLETE: "#6b6b6b",
  ERROR: "#6b6b6b",
};

/** Verdana at 11 px has at most this width on average, including digits and spaces. */
const widthOf = (text: string): number => Math.round(text.length * 6.6) + 12;
