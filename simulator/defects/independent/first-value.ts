/**
 * A reader of JSON that stops behind the first value. The signature still covers all the bytes, so the authenticator is
 * shown the body as it came.
 */
import type { Decorators } from "../../variations/defect.ts";

/** Length of the first object or list in the text; the whole text when there is no end to it. */
function firstValueEnd(text: string): number {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if ("{[".includes(char)) depth += 1;
    else if ("}]".includes(char)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

export function firstValueOnly(): Decorators {
  const originals = new WeakMap<Uint8Array, Uint8Array>();
  return {
    listener: ({ app }) => {
      app.addHook("preHandler", (request, _reply, next) => {
        const { body } = request;
        if (body instanceof Uint8Array) {
          const text = Buffer.from(body).toString("latin1");
          const first = Buffer.from(text.slice(0, firstValueEnd(text)), "latin1");
          originals.set(first, body);
          request.body = first;
        }
        next();
      });
    },
    authenticator: (inner) => ({
      ...inner,
      verify: (screened, request) =>
        inner.verify(screened, { ...request, body: originals.get(request.body) ?? request.body }),
    }),
  };
}
