import type { Flow } from '../engine/core/definition.ts';
import type { ScreenModule } from '../engine/core/screen.ts';
import type { Page } from './page.ts';

/** Stands in documents and in what is prerendered wherever the nonce of the response belongs. */
export const nonceMark = '__NONCE__';

/** What the server knows of a page that it prerenders. */
export interface PrerenderParts {
  readonly page: Page;
  /** Path of the address, decoded. */
  readonly path: string;
  /** Query of the address with its question mark; empty without one. */
  readonly search: string;
  /** The flow of the address. */
  readonly flow: Flow;
  /** A screen in the language of the page. */
  readonly screen: (id: string) => ScreenModule;
}

/** A page as it stands before its script runs. */
export interface Prerendered {
  readonly html: string;
  /** Style elements of its controls, with `nonceMark` for the nonce. */
  readonly styles: string;
  /** What the title bar says; null where that is only known in the browser. */
  readonly title: string | null;
  /** Nothing of it waits for the portal. */
  readonly isWhole: boolean;
}

/** Prerenders a page for a visitor of whom nothing is known. The build makes it of the portal's own components (src/portal/prerender/prerender.tsx). */
export type Prerender = (parts: PrerenderParts) => Promise<Prerendered>;
