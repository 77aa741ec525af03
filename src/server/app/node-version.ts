/** Oldest release line of Node.js that still gets security updates. */
const oldestSupported = 22;

/** What an operator on an old Node.js should know; null: nothing. */
export function oldNodeText(version: string): string | null {
  const major = Number(version.split('.')[0]);
  return major < oldestSupported
    ? `Node.js ${major} gets no security updates any more: run the portal on Node.js 24.`
    : null;
}
