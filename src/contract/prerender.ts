import type { Flow, Ui } from '../engine/core/definition.ts';
import type { Page } from './page.ts';

/** What the server knows of a page that it prerenders. */
export interface PrerenderParts {
  readonly page: Page;
  /** Path of the address, decoded. */
  readonly path: string;
  /** Query of the address with its question mark; empty without one. */
  readonly search: string;
  /** The flow of the address. */
  readonly flow: Flow;
  /** Texts of a screen, and how many fields it has. */
  readonly screen: (id: string) => { readonly ui: Ui; readonly fields: number };
}

/** A page as it stands before its script runs. */
export interface Prerendered {
  readonly html: string;
  /** What the title bar says; null where that is only known in the browser. */
  readonly title: string | null;
  /** Nothing of it waits for the portal. */
  readonly isWhole: boolean;
}

/** Prerenders a page for a visitor of whom nothing is known. The build makes it of the portal's own components (src/portal/prerender/prerender.tsx). */
export type Prerender = (parts: PrerenderParts) => Promise<Prerendered>;
