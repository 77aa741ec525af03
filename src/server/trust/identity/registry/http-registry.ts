import { traced, traceHeaders, type SpanStart } from '../../../platform/traces/trace.ts';
import { isObject } from '../../../../engine/core/json.ts';
import { RegistryUnreachable, type Registry } from './registry.ts';

const timeoutMs = 5_000;

/**
 * Queries the registry over HTTP: GET with `cedula` in the query. The service returns JSON with the four names (wire names of the registration form),
 * `fecha_nacimiento` and `numero_serie`, or a 404. Throws `RegistryUnreachable` for any other answer and after five seconds without one.
 */
export function httpRegistry(url: string): Registry {
  return {
    async find(number) {
      const address = new URL(url);
      address.searchParams.set('cedula', number);
      const span = (): SpanStart => ({
        name: 'GET',
        kind: 'client',
        attributes: { 'server.address': address.hostname },
      });
      const response = await traced(span, () => ask(address));
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

async function ask(address: URL): Promise<unknown> {
  try {
    const response = await fetch(address, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      headers: traceHeaders(),
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.json();
  } catch (error) {
    throw new RegistryUnreachable('the registry cannot be asked', { cause: error });
  }
}

function name(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
