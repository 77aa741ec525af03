import type { Page } from '../../contract/page-data.ts';

/** Returns the data that the server embedded in the page. Throws if it is missing. */
export function readPage(): Page {
  const element = document.getElementById('page');
  if (!element?.textContent) throw new Error('The page has no embedded data.');
  return JSON.parse(element.textContent) as Page; // `JSON.parse` returns `any`; the server serializes a value of this type
}

/** Returns the nonce of the Content-Security-Policy, for styles created at run time. */
export function readNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
}
