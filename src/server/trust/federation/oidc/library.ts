// The library says of a Node.js that gets no security updates any more that it is unsupported, which it is not here; the start says what matters in a
// line of its own (src/server/app/node-version.ts).
/* oxlint-disable no-console -- the library's line goes there */
const { warn } = console;
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...said);
};

/** The OIDC library; its types are imported from it. */
export const library = await import('oidc-provider');
console.warn = warn;
