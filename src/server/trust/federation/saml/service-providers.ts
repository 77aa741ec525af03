import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Ajv } from 'ajv';
import type { FromSchema } from 'json-schema-to-ts';
import { isObject } from '../../../../engine/core/json.ts';
import { readSetting } from '../../../platform/base/errors.ts';
import { addressFormats } from '../clients/client-registration.ts';
import { assertOnce } from '../clients/clients.ts';
import { forgetApplication } from '../clients/scopes.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { readServiceMetadata, type ServiceMetadata } from './metadata.ts';

const text = { type: 'string', minLength: 1, maxLength: 300 } as const;
const address = { type: 'string', format: 'web', maxLength: 2000 } as const;

export const serviceSchema = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'string', pattern: '^[0-9A-Za-z_-]{1,100}$' },
    name: text,
    /** Scopes of the attributes that it may receive. */
    scopes: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: ['personal_info', 'document', 'email', 'auth_info'] },
      default: ['personal_info', 'document', 'auth_info'],
    },
    /** Whether the citizen must consent before the first response. */
    consent: { type: 'boolean' },
    /** Whether SHA-1 signatures are accepted. Only for service providers that support nothing better. */
    sha1: { type: 'boolean' },
    website: address,
    terms: address,
    privacy: address,
    logo: address,
  },
  additionalProperties: false,
} as const;

/** The operator's part of a registration. The rest is in the metadata. */
export type ServiceRegistration = FromSchema<typeof serviceSchema>;

export interface ServiceProvider {
  readonly registration: ServiceRegistration;
  readonly metadata: ServiceMetadata;
}

export type ServiceProviders = ReturnType<typeof createServiceProviders>;

const validate = new Ajv({ allErrors: true, useDefaults: true, formats: addressFormats }).compile<ServiceRegistration>(
  serviceSchema,
);

/** Validates a registration from any source. Throws an `Error` that describes the problems. */
export function readServiceRegistration(value: unknown): ServiceRegistration {
  if (validate(value)) return value;
  throw new Error(
    (validate.errors ?? [])
      .map(({ instancePath, message }) => `${instancePath.slice(1) || 'the provider'} ${message ?? 'is invalid'}`)
      .join('; '),
  );
}

/** The providers in `fixed` take precedence over those in the database. */
export function createServiceProviders(store: Store, fixed: readonly ServiceProvider[]) {
  const rows = () => store.db.selectFrom('saml_providers').select(['id', 'registration', 'metadata']);
  type ProviderRow = Awaited<ReturnType<ReturnType<typeof rows>['executeTakeFirstOrThrow']>>;
  const parsed = new Map<string, { readonly row: ProviderRow; readonly provider: ServiceProvider }>();
  /** Caches parsed metadata until they change, because every message needs those of its service provider. */
  const read = (row: ProviderRow): ServiceProvider => {
    const known = parsed.get(row.id);
    if (known?.row.registration === row.registration && known.row.metadata === row.metadata) return known.provider;
    const provider = {
      registration: JSON.parse(row.registration), // validated when it was added, perhaps by an older version
      metadata: readServiceMetadata(row.metadata),
    };
    parsed.set(row.id, { row, provider });
    return provider;
  };
  const find = async (column: 'id' | 'entity_id', value: string): Promise<ServiceProvider | null> => {
    const known = fixed.find(
      ({ registration, metadata }) => (column === 'id' ? registration.id : metadata.entityId) === value,
    );
    if (known) return known;
    const row = await rows().where(column, '=', value).executeTakeFirst();
    return row ? read(row) : null;
  };
  return {
    byEntity: (entityId: string) => find('entity_id', entityId),
    byId: (id: string) => find('id', id),
    list: async (): Promise<readonly ServiceProvider[]> => [
      ...fixed,
      ...(await rows().orderBy('id').execute()).map(read),
    ],
    /** Adds or replaces a service provider. Throws an `Error` if its metadata cannot be used, or its entity ID is registered under another id. */
    async add(registration: ServiceRegistration, metadata: string, now: Date): Promise<void> {
      const { entityId } = readServiceMetadata(metadata);
      const other = await find('entity_id', entityId);
      if (other !== null && other.registration.id !== registration.id)
        throw new Error(`${entityId} is registered as ${other.registration.id}`);
      const row = { entity_id: entityId, registration: JSON.stringify(registration), metadata };
      await store.db
        .insertInto('saml_providers')
        .values({ id: registration.id, ...row, created_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },
    /** Removes a service provider, with the citizens' consents. Returns `false` if there is none. */
    async remove(id: string): Promise<boolean> {
      parsed.delete(id);
      return store.transaction(async (tx) => {
        const removed = await tx.deleteFrom('saml_providers').where('id', '=', id).returning('id').executeTakeFirst();
        if (removed === undefined) return false;
        await forgetApplication(tx, id);
        await tx.deleteFrom('saml_participants').where('provider', '=', id).execute(); // the next provider with this id must not get these logouts
        return true;
      });
    },
  };
}

/** Reads a JSON array of registrations, each with the path of its metadata, relative to the file. Throws a `StartError`. */
export async function fixedServiceProviders(file: string | null): Promise<readonly ServiceProvider[]> {
  if (file === null) return [];
  return readSetting(`The service providers of SAML_FILE (${file})`, async () => {
    const list: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!Array.isArray(list)) throw new Error('it must hold a list');
    const providers = await Promise.all(
      list.map(async (entry: unknown) => {
        if (!isObject(entry) || typeof entry.metadata !== 'string') throw new Error('each entry names its metadata');
        const { metadata, ...registration } = entry;
        const xml = await readFile(resolve(dirname(file), metadata), 'utf8');
        return { registration: readServiceRegistration(registration), metadata: readServiceMetadata(xml) };
      }),
    );
    assertOnce(providers.map(({ registration }) => registration.id));
    assertOnce(providers.map(({ metadata }) => metadata.entityId));
    return providers;
  });
}
