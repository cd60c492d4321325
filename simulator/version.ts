/** Version of the package; a test holds it against package.json. */
export const version = "0.1.0";

/**
 * Version of the engine's decisions, written into every journal. It grows when the same commands would lead to other
 * events, so that a journal is not replayed by an engine that decides differently without a word.
 */
export const engineVersion = "3";
