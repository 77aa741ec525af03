import type { DefinitionsManifest } from '../engine/core/definitions-manifest.ts';
import type { OperationResponse, OperationName } from './contract.ts';
import type { Language, PortalConfig } from './portal-config.ts';

/** Data of every page of the portal, in its `<script type="application/json" id="page">`. */
export interface EmbeddedPageData {
  readonly config: PortalConfig;
  readonly language: Language;
  /** Time at which the server rendered the page, in ISO 8601. */
  readonly time: string;
  readonly manifest: DefinitionsManifest;
  /** Responses of the GET operations that the first screen or block needs, keyed by `buildPageDataKey`. */
  readonly data: { readonly [Name in OperationName]?: OperationResponse<Name> } & {
    readonly [key: `${string}?${string}`]: unknown;
  };
  /** Errors in the definitions on disk, one line each. Only in development. */
  readonly problems?: readonly string[];
}

export function buildPageDataKey(operation: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1)));
  return query.size > 0 ? `${operation}?${query}` : operation;
}
