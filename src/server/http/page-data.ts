import type { FastifyReply, FastifyRequest } from 'fastify';
import { answers } from '../../api/answers.ts';
import { callNames, contract, type Call, type CallName } from '../../api/contract.ts';
import type { Page } from '../../api/page.ts';
import type { Language } from '../../api/portal-config.ts';
import type { Ui } from '../../engine/core/definition.ts';
import { isObject } from '../../engine/core/json.ts';
import type { Services } from '../services.ts';
import { openHandler } from './open-handler.ts';

/**
 * Answers of the calls that a screen's fields name as `source`, so that the form can be filled in without another
 * round trip. A call that fails is left out: the browser asks again by itself.
 */
export async function pageData(
  ui: Ui,
  parts: { services: Services; request: FastifyRequest; reply: FastifyReply; language: Language },
): Promise<Page['data']> {
  const data: Record<string, unknown> = {};
  const names = callNames.filter((name) => isOpenRead(contract[name]) && sources(ui.fields).has(name));
  await Promise.all(names.map(async (name) => {
    try {
      data[name] = await answerOf(name, parts);
    } catch (error) {
      parts.request.log.warn({ err: error, call: name }, 'page data is missing');
    }
  }));
  return data;
}

function isOpenRead(call: Call): boolean {
  return call.method === 'GET' && !call.path.includes(':') && call.host === 'backend' && call.roles.includes('anonymous');
}

/** Cut by the answer's schema, as on the wire. */
async function answerOf(
  name: CallName,
  { services, request, reply, language }: { services: Services; request: FastifyRequest; reply: FastifyReply; language: Language },
): Promise<unknown> {
  const { body } = await openHandler(services, name)({
    params: {}, query: {}, body: {}, caller: null, cookies: {}, address: request.ip, language, requestId: request.id,
  });
  const input = body as Record<string, unknown>; // fastify's type leaves out arrays, its serializer does not
  return JSON.parse(String(reply.serializeInput(input, answers[contract[name].answer])));
}

function sources(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (isObject(value) && typeof value['source'] === 'string') found.add(value['source']);
  if (typeof value === 'object' && value !== null) Object.values(value).forEach((inner) => sources(inner, found));
  return found;
}
