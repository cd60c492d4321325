import { importsOf } from "./imports.ts";
import { isTest, isTypeScript } from "./project.ts";
import { perFile } from "./rule.ts";

/** Rooms whose code must not run or be loaded unless it is requested by name. */
const rooms = ["simulator/defects"];

export const onDemand = perFile("on-demand", isTypeScript, (file) => {
  if (isTest(file)) return [];
  return importsOf(file).flatMap(({ target, line }) => {
    const room = target.kind === "file" ? rooms.find((one) => target.path.startsWith(`${one}/`)) : undefined;
    if (room === undefined || file.path.startsWith(`${room}/`)) return [];
    const text = file.lines[line - 1] ?? "";
    if (/^import type\b/.test(text) || /\bimport\(/.test(text)) return [];
    return [{ path: file.path, line, message: `${room} is loaded with import() when it is asked for` }];
  });
});
