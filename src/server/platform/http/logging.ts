import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pino, type DestinationStream, type Logger } from 'pino';
import { maskAddress, type Proxies } from '../base/addresses.ts';
import { findRefusalFacts } from '../base/errors.ts';
import { getClientAddress, isTrustedProxy } from './client-address.ts';
import { maskDocuments } from '../base/identity-document.ts';
import { getStandardOutput } from '../base/log-output.ts';
import { getTraceLogFields } from '../traces/trace.ts';
import { isObject } from '../../../engine/core/json.ts';

/** Creates the server's log: JSON lines without bodies, query values, secrets or document numbers. */
export function createLogger(options: { level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    serializers: { err: selectErrorFields, error: selectErrorFields },
    mixin: getTraceLogFields,
  };
  return pino(settings, options.destination ?? getStandardOutput());
}

/**
 * Logs one line per response, with the account and network of a signed-in caller and the facts of a rejection. `route`
 * returns the route pattern, or the path masked by `maskPath`.
 */
export function logAnswers(
  http: FastifyInstance,
  route: (request: FastifyRequest) => string,
  findAccount: (request: FastifyRequest) => string | undefined = () => undefined,
): void {
  http.addHook('onResponse', async (request, reply) => {
    const refusal = findRefusalFacts(request.raw);
    const { code, step, client: client_id, reason } = refusal ?? {};
    const account = refusal?.account ?? findAccount(request);
    const network = refusal || account !== undefined ? maskAddress(getClientAddress(request)) : undefined;
    request.log.info(
      {
        method: request.method,
        path: route(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
        ...{ code, step, client_id, account, network, reason }, // pino omits undefined values
      },
      'answered',
    );
  });
}

/**
 * Creates request ids. Accepts a well-formed X-Request-Id only from trusted proxies, so that nobody else can write into
 * the log.
 */
export function createRequestIds(proxies: Proxies | null): (raw: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    return isTrustedProxy(socket.remoteAddress, proxies) && typeof given === 'string' && /^[\w.-]{8,64}$/.test(given)
      ? given
      : randomUUID();
  };
}

/** Returns the path of a URL for the log: without the query, and with document numbers masked. */
export function maskPath(url: string): string {
  return maskDocuments(url.split(/[?#]/, 1)[0] ?? '');
}

const secrets = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'password',
  'pwd',
  'token',
  'uuid',
  'body',
  'captcha_response',
];
const redactedPaths = secrets.flatMap((name) => {
  const key = name.startsWith('[') ? name : `.${name}`;
  return [key.replace(/^\./, ''), `*${key}`, `*.*${key}`];
});

/**
 * Returns the fields of an error for the log. Includes only fields that locate the fault, because other fields of a
 * database error contain row values.
 */
function selectErrorFields(error: unknown, depth = 0): unknown {
  if (!isObject(error)) return maskDocuments(String(error));
  const code = error['code'];
  return {
    type: error.constructor.name,
    message: maskDocuments(String(error['message'])),
    stack: maskDocuments(String(error['stack'])),
    ...(typeof code === 'string' && { code }),
    ...(error['cause'] !== undefined && depth < 3 && { cause: selectErrorFields(error['cause'], depth + 1) }),
  };
}
