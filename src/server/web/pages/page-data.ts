import type { FastifyReply, FastifyRequest } from 'fastify';
import { answers } from '../../../contract/payloads.ts';
import {
  getAnswerName,
  operationNames,
  contract,
  isOperationName,
  type Operation,
  type OperationName,
} from '../../../contract/contract.ts';
import { dataKey, type Page } from '../../../contract/page-data.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { Ui } from '../../../engine/core/definition.ts';
import { isObject } from '../../../engine/core/json.ts';
import { render } from '../../../engine/core/logic.ts';
import type { RouteMatch } from '../../../engine/core/route.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Services } from '../operations/services.ts';
import { requestOrigin } from '../../platform/http/client-address.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Prerendered } from '../../../contract/prerender.ts';
import { randomSecret } from '../../platform/keys/secrets.ts';
import type { Face } from './send-plain-page.ts';

/** Values of a page that are different in each response. */
type PageValues = Readonly<Record<'nonce' | 'time', string>>;

/** Placeholders for the values of a response. They are random in each process, so that no other text can contain them. */
export const pageMarks: PageValues = { nonce: randomSecret(), time: randomSecret() };

/** Replaces the placeholders of `pageMarks` in a page with the values of a response. */
export function fillPage(html: string, { nonce, time }: PageValues): string {
  return html.replaceAll(pageMarks.nonce, nonce).replaceAll(pageMarks.time, time);
}

/** Cache key of a page within a set of definitions. The hosts that the page calls depend on `face`. */
interface PageSubject {
  readonly face: Face;
  readonly language: Language;
  readonly path: string;
  readonly answers: PageAnswers;
}

export interface RenderedPage extends Pick<Prerendered, 'isWhole'> {
  readonly html: string;
  /** Whether the page has content before the portal's script renders it. */
  readonly isPrerendered: boolean;
}

/** Cache of pages that were rendered with `pageMarks`. A page is valid as long as its definitions and data are unchanged. */
export interface KeptPages {
  find(set: Definitions, subject: PageSubject): RenderedPage | undefined;
  /** Adds a page to the cache. The oldest page is evicted first. */
  keep(set: Definitions, subject: PageSubject, made: RenderedPage): RenderedPage;
}

const maxCached = 500;

export function createKeptPages(): KeptPages {
  const kept = new WeakMap<Definitions, Map<string, RenderedPage>>();
  const buildKey = ({ face, language, path, answers }: PageSubject): string =>
    [face, language, path, ...Object.entries(answers).flat()].join('\n');
  return {
    find: (set, subject) => kept.get(set)?.get(buildKey(subject)),
    keep(set, subject, made) {
      const pages = kept.get(set) ?? new Map<string, RenderedPage>();
      kept.set(set, pages.set(buildKey(subject), made));
      const [oldest] = pages.keys();
      if (pages.size > maxCached && oldest !== undefined) pages.delete(oldest);
      return made;
    },
  };
}

interface Parts {
  readonly services: Services;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly language: Language;
}

/** JSON answers embedded in a page, by their `dataKey`. */
type PageAnswers = Readonly<Record<string, string>>;

/** The answers embedded in a page. `missing`: whether the page's subject does not exist, so that the page is a 404. */
interface PageData {
  readonly answers: PageAnswers;
  readonly missing: boolean;
}

interface Wanted {
  readonly operation: OperationName;
  readonly params: Readonly<Record<string, string>>;
  /** Whether the answer is the subject of the page. If this operation fails with a 404, the page is a 404 too. */
  readonly subject: boolean;
}

/**
 * Calls the operations that the fields of a screen, or the route of a block, name as `source`, to save the page a round trip. Omits failed
 * operations, which the browser calls again.
 */
export async function pageData(
  { ui, match }: { ui: Ui | null; match: RouteMatch | undefined },
  parts: Parts,
): Promise<PageData> {
  const answers: Record<string, string> = {};
  let missing = false;
  await Promise.all(
    wanted(ui, match).map(async ({ operation, params, subject }) => {
      try {
        answers[dataKey(operation, params)] = await invokeOperation(operation, params, parts);
      } catch (error) {
        if (subject && error instanceof OperationError && error.status === 404) missing = true;
        else parts.request.log.warn({ err: error, operation }, 'page data is missing');
      }
    }),
  );
  return { answers, missing };
}

export function readAnswers(answers: PageAnswers): Page['data'] {
  return Object.fromEntries(Object.entries(answers).map(([key, text]) => [key, JSON.parse(text)]));
}

function wanted(ui: Ui | null, match: RouteMatch | undefined): readonly Wanted[] {
  const named = sources(ui?.fields);
  const fieldOperations = operationNames.filter((name) => named.has(name) && !contract[name].path.includes(':'));
  const all = [
    ...fieldOperations.map((operation): Wanted => ({ operation, params: {}, subject: false })),
    ...listOperations(match),
  ];
  return all.filter(({ operation }) => isOpenRead(contract[operation]));
}

function listOperations(match: RouteMatch | undefined): readonly Wanted[] {
  const { operation = '', params = {} } = match?.route.source ?? {};
  if (!isOperationName(operation)) return [];
  const filled = Object.entries(params).map(([name, template]): [string, string] => [
    name,
    String(render(template, { context: match?.params }) ?? ''),
  ]);
  return [{ operation, params: Object.fromEntries(filled), subject: true }];
}

function isOpenRead(operation: Operation): boolean {
  return operation.method === 'GET' && operation.host === undefined && operation.roles.includes('anonymous');
}

/** Returns the answer serialized with its schema, as in a response. */
async function invokeOperation(
  name: OperationName,
  params: Wanted['params'],
  { services, request, reply, language }: Parts,
): Promise<string> {
  const origin = { ...requestOrigin(request), language };
  const asked = { params, query: params, body: {}, caller: null, cookies: {}, origin };
  await services.admit(name, asked);
  const { body } = await services.handlers[name](asked);
  const input = body as Record<string, unknown>; // Fastify's type excludes arrays, but its serializer accepts them
  const text = serialized.get(input) ?? String(reply.serializeInput(input, answers[getAnswerName(name)]));
  serialized.set(input, text);
  return text;
}

/** Serialized answers by object. Handlers that cache an answer return the same object each time. */
const serialized = new WeakMap<object, string>();

function sources(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (isObject(value) && typeof value['source'] === 'string') found.add(value['source']);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach((inner) => sources(inner, found));
  return found;
}
