import type { Page } from '../../contract/page.ts';

/** What the server put into this page. Throws when it is missing: then the page is not the portal's. */
export function readPage(): Page {
  const element = document.getElementById('page');
  if (!element?.textContent) throw new Error('The page carries no data.');
  return JSON.parse(element.textContent) as Page; // written by the server from the same type
}

/** The nonce of this response's Content-Security-Policy, for styles that are made at run time. */
export function readNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce;
}
