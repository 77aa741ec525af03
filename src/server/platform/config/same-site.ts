/** Second levels under which a country gives out names, as in `gub.uy`: there a site is one label longer. */
const shared = new Set(['ac', 'co', 'com', 'edu', 'gob', 'gov', 'gub', 'mil', 'net', 'org']);

/** Whether two origins are of one site, as browsers see it when they send cookies: the scheme, and the name that somebody registered. */
export function areSameSite(one: string, other: string): boolean {
  return siteOf(new URL(one)) === siteOf(new URL(other));
}

function siteOf({ protocol, hostname }: URL): string {
  const labels = hostname.split('.');
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  const length = labels.at(-1)?.length === 2 && shared.has(labels.at(-2) ?? '') ? 3 : 2;
  return `${protocol}//${isAddress ? hostname : labels.slice(-length).join('.')}`;
}
