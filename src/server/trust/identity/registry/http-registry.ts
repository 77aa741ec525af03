import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { readTls } from '../../../platform/http/open-listener.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { traced, traceHeaders, type SpanStart } from '../../../platform/traces/trace.ts';
import { isObject } from '../../../../engine/core/json.ts';
import { RegistryUnreachable, type Registry } from './registry.ts';
import { tableRegistry } from './table-registry.ts';

const timeoutMs = 5_000;

/** Opens the registry of the settings: the HTTP service of REGISTRY_URL, or the table of the database. Throws a StartError if REGISTRY_CERT cannot be read. */
export async function openRegistry(config: Config['registry'], store: Store): Promise<Registry> {
  return config === null ? tableRegistry(store) : httpRegistry(config);
}

/**
 * Queries the registry over HTTP: POST of `{"cedula": "12345672"}`, so that no log of an address has the number, with the bearer token and the client
 * certificate of the settings. The service returns JSON with the four names (wire names of the registration form), `fecha_nacimiento` and
 * `numero_serie`, or a 404. Throws `RegistryUnreachable` for any other answer and after five seconds without one.
 */
export async function httpRegistry({ url, token, certificate }: NonNullable<Config['registry']>): Promise<Registry> {
  const address = new URL(url);
  const tls = certificate === null ? {} : await readTls(certificate, 'REGISTRY_CERT');
  const ask = async (number: string): Promise<unknown> => {
    const body = JSON.stringify({ cedula: number });
    const headers = {
      ...traceHeaders(),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await new Promise<IncomingMessage>((done, failed) => {
        const send = address.protocol === 'https:' ? requestTls : requestPlain;
        send(address, { method: 'POST', headers, signal, ...tls }, done)
          .once('error', failed)
          .end(body);
      });
      const found = response.statusCode === 200;
      if (!found) response.resume(); // so that the connection is used again
      if (response.statusCode === 404) return null;
      if (!found) throw new Error(`status ${response.statusCode}`);
      return await readAnswer(response);
    } catch (error) {
      throw new RegistryUnreachable('the registry cannot be asked', { cause: error });
    }
  };
  return {
    async find(number) {
      const span = (): SpanStart => ({
        name: 'POST',
        kind: 'client',
        attributes: { 'server.address': address.hostname },
      });
      const response = await traced(span, () => ask(number));
      if (response === null) return null;
      if (!isObject(response)) throw new RegistryUnreachable('the registry answered no object');
      return {
        firstName: name(response['primer_nombre']),
        secondName: name(response['segundo_nombre']),
        firstSurname: name(response['primer_apellido']),
        secondSurname: name(response['segundo_apellido']),
        birthDate: name(response['fecha_nacimiento']),
        serial: name(response['numero_serie']),
      };
    },
  };
}

function name(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Most bytes of an answer. One person takes less than 1 kB. */
const mostBytes = 64 * 1024;

/** Reads a JSON answer. Errors do not quote it, because they are logged. */
async function readAnswer(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Error('the answer is not JSON');
  }
}
