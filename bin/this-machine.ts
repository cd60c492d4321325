/** Whether an address leads to this machine alone, where nobody else reads what is sent. */
export const isThisMachine = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
