/** A side is entered through one file, and only that one is called `index.ts`: elsewhere the name would say nothing. */
import { perFile } from "./rule.ts";

const boundaries = new Set(["simulator/index.ts", "conformance/index.ts"]);

export const twoBoundaries = perFile(
  "two-boundaries",
  (file) => /(?:^|\/)index\.ts$/.test(file.path) && !boundaries.has(file.path),
  (file) => [
    {
      path: file.path,
      line: 1,
      message: "index.ts is for the two boundaries; name the file after what is in it",
    },
  ],
);
