import type { PersonNames } from './compare-names.ts';
import { isObject } from '../../../../engine/core/json.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import { readClientTlsOptions } from '../../../platform/config/tls-files.ts';
import { sendOutboundRequest } from '../../../platform/http/outbound-fetch.ts';
import { toStringOrEmpty } from '../../../platform/base/normalize-input.ts';

export interface IdentityCardHolder extends PersonNames {
  /** Date of birth (YYYY-MM-DD). */
  readonly birthDate: string;
  /** Serial number of the card: six letters and digits. */
  readonly serial: string;
}

export interface IdentityRegistry {
  /** Finds the holder of a number. Returns `null` if the number is not assigned. Throws `RegistryUnreachableError` if the registry cannot be queried. */
  findHolder(number: string): Promise<IdentityCardHolder | null>;
}

export class RegistryUnreachableError extends Error {}

/** Throws a `StartError` if REGISTRY_CERT or REGISTRY_ROOTS cannot be read. */
export async function openIdentityRegistry(
  config: Config['registry'],
  store: DatabaseStore,
): Promise<IdentityRegistry> {
  if (config !== null) return createHttpIdentityRegistry(config);
  return {
    async findHolder(number) {
      const row = await store.db.selectFrom('registry').selectAll().where('number', '=', number).executeTakeFirst();
      if (!row) return null;
      return {
        firstName: row.first_name,
        secondName: row.second_name,
        firstSurname: row.first_surname,
        secondSurname: row.second_surname,
        birthDate: row.birth_date,
        serial: row.serial,
      };
    },
  };
}

/**
 * Sends a POST of `{"cedula": "12345672"}`, because access logs contain URLs but not bodies. The service returns JSON with the four names (named as
 * in the registration form), `fecha_nacimiento` and `numero_serie`, or a 404.
 */
export async function createHttpIdentityRegistry(config: NonNullable<Config['registry']>): Promise<IdentityRegistry> {
  const { url, token, tls } = config;
  // `agent: undefined` selects the global agent, which reuses connections.
  const options = {
    limitMs: 5_000,
    allowsPrivateTargets: true,
    connection: { ...(await readClientTlsOptions(tls)), agent: undefined },
  };
  const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
  const requestPerson = async (number: string): Promise<unknown> => {
    const request = { method: 'POST', headers, content: JSON.stringify({ cedula: number }), maxBytes: 64 * 1024 };
    const { status, body } = await sendOutboundRequest(new URL(url), request, options);
    if (status === 404) return null;
    if (status !== 200) throw new Error(`status ${status}`);
    return parseResponse(body);
  };
  return {
    async findHolder(number) {
      const response = await requestPerson(number).catch((cause: unknown) => {
        throw new RegistryUnreachableError('the registry cannot be asked', { cause });
      });
      if (response === null) return null;
      if (!isObject(response)) throw new RegistryUnreachableError('the registry answered no object');
      return {
        firstName: toStringOrEmpty(response['primer_nombre']),
        secondName: toStringOrEmpty(response['segundo_nombre']),
        firstSurname: toStringOrEmpty(response['primer_apellido']),
        secondSurname: toStringOrEmpty(response['segundo_apellido']),
        birthDate: toStringOrEmpty(response['fecha_nacimiento']),
        serial: toStringOrEmpty(response['numero_serie']),
      };
    },
  };
}

/** Parses a response. The error does not quote the response, which is personal data, because errors are logged. */
function parseResponse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    throw new Error('the answer is not JSON');
  }
}
