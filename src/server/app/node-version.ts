/** Oldest release line of Node.js that still gets security updates. */
const oldestSupported = 22;

/* eslint no-console: off -- the library's line goes there */
const { warn } = console;
// The OIDC library says of such a version, when it is loaded, that it is unsupported, which it is not here. Loaded before it, this
// module takes that line away, and the start says what matters in one of its own.
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...said);
};

/** Everything is loaded: warnings go their usual way again. */
export function restoreWarnings(): void {
  console.warn = warn;
}

/** What an operator on an old Node.js should know; null: nothing. */
export function oldNodeText(version: string): string | null {
  const major = Number(version.split('.')[0]);
  return major < oldestSupported
    ? `Node.js ${major} gets no security updates any more: run the portal on Node.js 24.`
    : null;
}
