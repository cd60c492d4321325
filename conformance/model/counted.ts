/** "1 clause", "2 clauses"; `many` is for words that do not just take an s, and for what follows them. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
