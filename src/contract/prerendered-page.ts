import type { Flow } from '../engine/core/flow-and-screen-types.ts';
import type { ScreenModule } from '../engine/core/compiled-screen.ts';
import type { EmbeddedPageData } from './page-data.ts';

/** Placeholder for a response's CSP nonce, in documents and prerendered content. */
export const noncePlaceholder = '__NONCE__';

interface PrerenderInput {
  readonly page: EmbeddedPageData;
  readonly path: string;
  /** The query with its question mark, or an empty string. */
  readonly search: string;
  readonly flow: Flow;
  readonly screen: (id: string) => ScreenModule;
}

export interface PrerenderedPage {
  readonly html: string;
  /** Style elements of the page's controls, with `noncePlaceholder` for the nonce. */
  readonly styles: string;
  /** The document title. `null` if only the browser can determine it. */
  readonly title: string | null;
  /** Whether the page is complete without the portal's script. */
  readonly isWhole: boolean;
}

/** Prerenders a page for an anonymous visitor. Built from src/portal/prerender/prerender.tsx. */
export type PrerenderPage = (parts: PrerenderInput) => Promise<PrerenderedPage>;
