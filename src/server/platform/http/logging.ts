import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pino, type DestinationStream, type Logger } from 'pino';
import { maskIpAddress, type TrustedProxies } from '../base/ip-addresses.ts';
import { findRefusalLogFacts } from '../base/errors.ts';
import { getClientAddress, isTrustedProxy } from './client-address.ts';
import { maskDocumentNumbers } from '../base/identity-document.ts';
import { getStandardLogOutput } from '../base/log-output.ts';
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
  return pino(settings, options.destination ?? getStandardLogOutput());
}

/** Logs one line per response. `route` returns the route pattern, or the path masked by `maskUrlPath`. */
export function logResponses(
  http: FastifyInstance,
  route: (request: FastifyRequest) => string,
  findAccount: (request: FastifyRequest) => string | undefined = () => undefined,
): void {
  http.addHook('onResponse', async (request, reply) => {
    const refusal = findRefusalLogFacts(request.raw);
    const { code, step, client: client_id, reason } = refusal ?? {};
    const account = refusal?.account ?? findAccount(request);
    const network = refusal || account !== undefined ? maskIpAddress(getClientAddress(request)) : undefined;
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

/** Accepts a well-formed X-Request-Id only from trusted proxies, so that nobody else can write into the log. */
export function createRequestIdGenerator(proxies: TrustedProxies | null): (raw: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    return isTrustedProxy(socket.remoteAddress, proxies) && typeof given === 'string' && /^[\w.-]{8,64}$/.test(given)
      ? given
      : randomUUID();
  };
}

/** Returns the path of a URL for the log, with masked document numbers and without the query. */
export function maskUrlPath(url: string): string {
  return maskDocumentNumbers(url.split(/[?#]/, 1)[0] ?? '');
}

const secretFieldNames = [
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
const redactedPaths = secretFieldNames.flatMap((name) => {
  const key = name.startsWith('[') ? name : `.${name}`;
  return [key.replace(/^\./, ''), `*${key}`, `*.*${key}`];
});

/** Includes only fields that locate the fault, because other fields of a database error contain row values. */
function selectErrorFields(error: unknown, depth = 0): unknown {
  if (!isObject(error)) return maskDocumentNumbers(String(error));
  const code = error['code'];
  return {
    type: error.constructor.name,
    message: maskDocumentNumbers(String(error['message'])),
    stack: maskDocumentNumbers(String(error['stack'])),
    ...(typeof code === 'string' && { code }),
    ...(error['cause'] !== undefined && depth < 3 && { cause: selectErrorFields(error['cause'], depth + 1) }),
  };
}
