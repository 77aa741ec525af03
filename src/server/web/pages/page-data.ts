import type { FastifyReply, FastifyRequest } from 'fastify';
import { responseSchemas } from '../../../contract/payload-schemas.ts';
import {
  getResponseSchemaName,
  operationNames,
  apiContract,
  isOperationName,
  type ApiOperation,
  type OperationName,
} from '../../../contract/contract.ts';
import { buildPageDataKey, type EmbeddedPageData } from '../../../contract/page-data.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { ScreenUi } from '../../../engine/core/flow-and-screen-types.ts';
import { mapValues, type Json } from '../../../engine/core/json.ts';
import { walkJson } from '../../../engine/core/json-pointer.ts';
import { renderLogicTemplate } from '../../../engine/core/json-logic.ts';
import type { RouteMatch } from '../../../engine/core/route.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { ServerServices } from '../operations/server-services.ts';
import { getChangeOrigin } from '../../platform/http/client-address.ts';
import type { ServedDefinitions } from '../../../engine/compiler/definitions.ts';
import type { PrerenderedPage } from '../../../contract/prerendered-page.ts';
import { generateSecret } from '../../platform/keys/random-secrets.ts';
import type { PageAudience } from './plain-pages.ts';

/** Placeholders for the values of a response. They are random in each process, so that no other text can contain them. */
export const pageValuePlaceholders = { nonce: generateSecret(), time: generateSecret() };

export function fillPageValuePlaceholders(html: string, { nonce, time }: typeof pageValuePlaceholders): string {
  return html.replaceAll(pageValuePlaceholders.nonce, nonce).replaceAll(pageValuePlaceholders.time, time);
}

/** Key of a cached page. Contains the audience, because the hosts that a page calls depend on it. */
interface PageCacheKey {
  readonly audience: PageAudience;
  readonly language: Language;
  readonly path: string;
  readonly responses: EmbeddedResponses;
}

export interface RenderedPage extends Pick<PrerenderedPage, 'isWhole'> {
  readonly html: string;
  /** Whether the page has content before the portal's script renders it. */
  readonly isPrerendered: boolean;
}

export type PageCache = ReturnType<typeof createPageCache>;

const maxCachedPages = 500;

/** Caches pages that were rendered with `pageValuePlaceholders`, as long as their definitions and data do not change. The oldest page is evicted first. */
export function createPageCache() {
  const kept = new WeakMap<ServedDefinitions, Map<string, RenderedPage>>();
  const buildKey = ({ audience, language, path, responses }: PageCacheKey): string =>
    [audience, language, path, ...Object.entries(responses).flat()].join('\n');
  return {
    get: (set: ServedDefinitions, subject: PageCacheKey) => kept.get(set)?.get(buildKey(subject)),
    set(set: ServedDefinitions, subject: PageCacheKey, made: RenderedPage): RenderedPage {
      const pages = kept.get(set) ?? new Map<string, RenderedPage>();
      kept.set(set, pages.set(buildKey(subject), made));
      const [oldest] = pages.keys();
      if (pages.size > maxCachedPages && oldest !== undefined) pages.delete(oldest);
      return made;
    },
  };
}

interface PageRequest {
  readonly services: ServerServices;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly language: Language;
}

/** JSON responses embedded in a page, keyed by `buildPageDataKey`. */
type EmbeddedResponses = Readonly<Record<string, string>>;

interface OperationCall {
  readonly operation: OperationName;
  readonly params: Readonly<Record<string, string>>;
  /** Whether the operation returns the entity that the page shows, so that a 404 of the operation makes the page a 404. */
  readonly subject: boolean;
}

/**
 * Calls the operations that are the `source` of a screen's fields or of a block's route, so that the page needs no request for their responses. Omits
 * failed operations, which the browser calls again. If the entity that the page shows does not exist, the page is a 404.
 */
export async function loadPageData(
  { ui, match }: { ui: ScreenUi | null; match: RouteMatch | undefined },
  parts: PageRequest,
): Promise<{ responses: EmbeddedResponses; isSubjectMissing: boolean }> {
  const responses: Record<string, string> = {};
  let missing = false;
  await Promise.all(
    listOperationCalls(ui, match).map(async ({ operation, params, subject }) => {
      try {
        responses[buildPageDataKey(operation, params)] = await invokeOperation(operation, params, parts);
      } catch (error) {
        if (subject && error instanceof OperationError && error.status === 404) missing = true;
        else parts.request.log.warn({ err: error, operation }, 'page data is missing');
      }
    }),
  );
  return { responses, isSubjectMissing: missing };
}

export function parseEmbeddedResponses(responses: EmbeddedResponses): EmbeddedPageData['data'] {
  return mapValues(responses, (text) => JSON.parse(text));
}

function listOperationCalls(ui: ScreenUi | null, match: RouteMatch | undefined): readonly OperationCall[] {
  const parts = [...walkJson((ui?.fields ?? {}) as Json)]; // the cast is safe: ui.json was validated against its format
  const named = new Set(parts.flatMap(([at, part]) => (at.endsWith('/source') ? [part] : [])));
  const fieldOperations = operationNames.filter((name) => named.has(name) && !apiContract[name].path.includes(':'));
  const all = [
    ...fieldOperations.map((operation): OperationCall => ({ operation, params: {}, subject: false })),
    ...listRouteCalls(match),
  ];
  return all.filter(({ operation }) => {
    const { method, host, roles }: ApiOperation = apiContract[operation];
    return method === 'GET' && host === undefined && roles.includes('anonymous');
  });
}

function listRouteCalls(match: RouteMatch | undefined): readonly OperationCall[] {
  const { operation = '', params = {} } = match?.route.source ?? {};
  if (!isOperationName(operation)) return [];
  const filled = Object.entries(params).map(([name, template]): [string, string] => [
    name,
    String(renderLogicTemplate(template, { context: match?.params }) ?? ''),
  ]);
  return [{ operation, params: Object.fromEntries(filled), subject: true }];
}

async function invokeOperation(
  name: OperationName,
  params: OperationCall['params'],
  { services, request, reply, language }: PageRequest,
): Promise<string> {
  const origin = { ...getChangeOrigin(request), language };
  const asked = { params, query: params, body: {}, caller: null, cookies: {}, origin };
  await services.assertAdmitted(name, asked);
  const { body } = await services.handlers[name](asked);
  const input = body as Record<string, unknown>; // Fastify's type excludes arrays, but its serializer accepts them
  return String(reply.serializeInput(input, responseSchemas[getResponseSchemaName(name)]));
}
