import type { Manifest } from '../engine/core/manifest.ts';
import type { Answer, CallName } from './contract.ts';
import type { Language, PortalConfig } from './portal-config.ts';

/** What every page of the portal carries in its `<script type="application/json" id="page">`. */
export interface Page {
  readonly config: PortalConfig;
  readonly language: Language;
  readonly manifest: Manifest;
  /** Answers of GET calls without parameters that the page's first screen needs. */
  readonly data: { readonly [Name in CallName]?: Answer<Name> };
  /** Development only: what is wrong with the definitions on disk, one line a problem. */
  readonly problems?: readonly string[];
}
