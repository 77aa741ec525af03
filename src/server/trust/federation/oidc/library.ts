// oidc-provider warns that an end-of-life Node.js is unsupported. This server does support it, and reports the lack of security updates when it
// starts (src/server/app/node-version.ts).
/* oxlint-disable no-console -- the library's line goes there */
const { warn } = console;
console.warn = (...said: unknown[]) => {
  if (!String(said[0]).includes('oidc-provider WARNING: Unsupported runtime')) warn(...said);
};

/** oidc-provider, loaded without that warning. Import only its types directly. */
export const library = await import('oidc-provider');
console.warn = warn;
