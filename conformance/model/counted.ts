/** "1 clause", "2 clauses"; `many` is for irregular plurals and for longer phrases. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
