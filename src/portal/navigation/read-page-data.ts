import type { EmbeddedPageData } from '../../contract/page-data.ts';

/** Returns the data that the server embedded in the page. Throws if it is missing. */
export function readPageData(): EmbeddedPageData {
  const element = document.getElementById('page');
  if (!element?.textContent) throw new Error('The page has no embedded data.');
  return JSON.parse(element.textContent) as EmbeddedPageData; // `JSON.parse` returns `any`; the server serializes a value of this type
}

/** Returns the nonce of the Content-Security-Policy, for styles created at run time. */
export function readCspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
}
