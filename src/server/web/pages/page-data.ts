import type { FastifyReply, FastifyRequest } from 'fastify';
import { answers } from '../../../contract/answers.ts';
import { callNames, contract, isCallName, type Call, type CallName } from '../../../contract/contract.ts';
import { dataKey, type Page } from '../../../contract/page.ts';
import type { Language } from '../../../contract/portal-config.ts';
import type { Ui } from '../../../engine/core/definition.ts';
import { isObject } from '../../../engine/core/json.ts';
import { render } from '../../../engine/core/logic.ts';
import type { RouteMatch } from '../../../engine/core/route.ts';
import { CallError } from '../../platform/base/errors.ts';
import type { Services } from '../operations/services.ts';
import { requestOrigin } from '../../platform/http/request-origin.ts';
import { openHandler } from '../operations/open-handler.ts';

interface Parts {
  readonly services: Services;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly language: Language;
}

/** What a page carries, and whether what it is about does not exist. */
export interface PageData {
  readonly data: Page['data'];
  readonly missing: boolean;
}

interface Wanted {
  readonly call: CallName;
  readonly params: Readonly<Record<string, string>>;
  /** The page is about this: without it there is no such page. */
  readonly subject: boolean;
}

/**
 * Answers of the calls that a screen's fields, or a route for its block, name as `source`, so that the page shows them without
 * another round trip. A call that fails is left out: the browser asks again by itself.
 */
export async function pageData(
  { ui, match }: { ui: Ui | null; match: RouteMatch | undefined },
  parts: Parts,
): Promise<PageData> {
  const data: Record<string, unknown> = {};
  let missing = false;
  await Promise.all(
    wanted(ui, match).map(async ({ call, params, subject }) => {
      try {
        data[dataKey(call, params)] = await answerOf(call, params, parts);
      } catch (error) {
        if (subject && error instanceof CallError && error.status === 404) missing = true;
        else parts.request.log.warn({ err: error, call }, 'page data is missing');
      }
    }),
  );
  return { data, missing };
}

function wanted(ui: Ui | null, match: RouteMatch | undefined): readonly Wanted[] {
  const named = sources(ui?.fields);
  const ofFields = callNames.filter((name) => named.has(name) && !contract[name].path.includes(':'));
  const all = [...ofFields.map((call): Wanted => ({ call, params: {}, subject: false })), ...subjectOf(match)];
  return all.filter(({ call }) => isOpenRead(contract[call]));
}

function subjectOf(match: RouteMatch | undefined): readonly Wanted[] {
  const { call = '', params = {} } = match?.route.source ?? {};
  if (!isCallName(call)) return [];
  const filled = Object.entries(params).map(([name, template]): [string, string] => [
    name,
    String(render(template, { context: match?.params }) ?? ''),
  ]);
  return [{ call, params: Object.fromEntries(filled), subject: true }];
}

function isOpenRead(call: Call): boolean {
  return call.method === 'GET' && call.host === 'backend' && call.roles.includes('anonymous');
}

/** Cut by the answer's schema, as on the wire. */
async function answerOf(
  name: CallName,
  params: Wanted['params'],
  { services, request, reply, language }: Parts,
): Promise<unknown> {
  const { body } = await openHandler(
    services,
    name,
  )({
    params,
    query: params,
    body: {},
    caller: null,
    cookies: {},
    origin: { ...requestOrigin(request), language },
  });
  const input = body as Record<string, unknown>; // fastify's type leaves out arrays, its serializer does not
  return JSON.parse(String(reply.serializeInput(input, answers[contract[name].answer])));
}

function sources(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (isObject(value) && typeof value['source'] === 'string') found.add(value['source']);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach((inner) => sources(inner, found));
  return found;
}
