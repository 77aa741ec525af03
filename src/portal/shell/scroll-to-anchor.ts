import { decodeUrlPartLeniently } from '../../engine/core/values/decode-url-part.ts';

/** The browser does not scroll, because the content is rendered after it looks for the anchor. */
export function scrollToAnchor(hash: string): void {
  const heading = hash === '' ? null : document.getElementById(decodeUrlPartLeniently(hash.slice(1)));
  if (!heading) return;
  heading.scrollIntoView();
  heading.focus();
}
