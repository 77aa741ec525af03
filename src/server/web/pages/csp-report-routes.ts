import type { FastifyInstance } from 'fastify';
import { isObject, type ValuesByName } from '../../../engine/core/json.ts';
import { addRefusalLogFacts, OperationError } from '../../platform/base/errors.ts';
import { findJsonExcess } from '../../platform/http/json-parser.ts';
import { maskUrlPath } from '../../platform/http/logging.ts';
import { cspReportPath } from '../../platform/http/security-headers.ts';

/**
 * Maximum number of reports per minute, for all processes of a server together. Anybody may send reports, and a broken page makes every browser send
 * them.
 */
const maxPerMinute = 60;

/** Registers the endpoint for CSP reports. It logs the violated directives, without script samples and queries of page URLs. */
export function registerCspReportRoutes(http: FastifyInstance, now: () => Date, processes: number): void {
  const most = Math.ceil(maxPerMinute / processes);
  let [minute, count] = [0, 0];
  void http.register(async (reports) => {
    const parse = reports.getDefaultJsonParser('error', 'error');
    reports.addContentTypeParser<string>(
      ['application/csp-report', 'application/reports+json'],
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (request, text, done) => (findJsonExcess(text) === null ? parse(request, text, done) : done(null, null)),
    );
    reports.post(cspReportPath, {
      onRequest: async () => {
        const current = Math.floor(now().getTime() / 60_000);
        if (current !== minute) [minute, count] = [current, 0];
        count += 1;
        if (count > most) throw new OperationError(429, 'demasiados_intentos', { retryAfter: 60 });
      },
      handler: async (request, reply) => {
        const found = readViolations(request.body).slice(0, 3);
        if (found.length > 0) addRefusalLogFacts(request.raw, { code: 'csp-violation', reason: found.join(', ') });
        return reply.code(204).send();
      },
    });
  });
}

/**
 * Returns each violation as a text, such as `script-src-elem inline at /login`. Reads both formats: CSP level 2 (`csp-report`) and the Reporting API.
 */
function readViolations(body: unknown): readonly string[] {
  const legacy = isObject(body) && isObject(body['csp-report']) ? [body['csp-report']] : [];
  const reports = Array.isArray(body) ? body.filter(isObject).map(({ body: inner }) => inner) : [];
  return [...legacy, ...reports.filter(isObject)].map((report) => {
    const [directive, blocked, page] = [
      readText(report, 'effective-directive', 'violated-directive', 'effectiveDirective'),
      readText(report, 'blocked-uri', 'blockedURL'),
      readText(report, 'document-uri', 'documentURL'),
    ];
    return `${/^[a-z-]{1,40}/.exec(directive)?.[0] ?? 'unknown'} ${readBlockedSource(blocked)} at ${URL.canParse(page) ? maskUrlPath(new URL(page).pathname).slice(0, 100) : 'an unknown page'}`;
  });
}

function readText(report: ValuesByName, ...names: readonly string[]): string {
  const value = names.map((name) => report[name]).find((one) => typeof one === 'string');
  return typeof value === 'string' ? value : '';
}

/** Returns the blocked source: a keyword such as `inline`, or the origin of a URL. */
function readBlockedSource(blocked: string): string {
  if (/^[a-z-]{1,40}$/.test(blocked)) return blocked;
  return URL.canParse(blocked) ? new URL(blocked).origin.slice(0, 100) : 'unknown';
}
