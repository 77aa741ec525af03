import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Updateable } from 'kysely';
import type { Logger } from 'pino';
import { isObject } from '../../../../engine/core/json.ts';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import { describeError, readSettingFile } from '../../../platform/base/errors.ts';
import { secondsPerDay } from '../../../platform/base/fixed-periods.ts';
import type { Config } from '../../../platform/config/config.ts';
import { assertUniqueNames } from '../clients/client-store.ts';
import { deleteApplicationRecords } from '../clients/scopes.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { sendOutboundRequest } from '../../../platform/http/outbound-fetch.ts';
import { runWithLease } from '../../../platform/jobs/lease.ts';
import { xmlMetadataLimits } from '../xml/xml-limits.ts';
import { isMetadataExpired, readServiceProviderMetadata, type ServiceProviderMetadata } from './metadata.ts';
import { SamlError } from './saml-constants.ts';
import {
  assertSamlRsaKeySize,
  assertSaml2intMetadata,
  describeShortRsaKey,
  readValidServiceProviderMetadata,
  validateServiceProviderRegistration,
  type ServiceProviderRegistration,
} from './service-provider-registration.ts';

export interface ServiceProvider {
  readonly registration: ServiceProviderRegistration;
  readonly metadata: ServiceProviderMetadata;
  /** File of the metadata, and the text that was last read from it. */
  readonly source?: { readonly file: string; readonly xml: string };
}

export type ServiceProviderStore = ReturnType<typeof openServiceProviderStore>;

export async function fetchSamlMetadata(address: string, allowsPrivateTargets: boolean): Promise<string> {
  const headers = { accept: 'application/samlmetadata+xml, application/xml, text/xml' };
  const request = { method: 'GET', headers, maxBytes: xmlMetadataLimits.length };
  const { status, body } = await sendOutboundRequest(new URL(address), request, {
    limitMs: 10_000,
    allowsPrivateTargets,
  });
  if (status !== 200) throw new Error(`${address} answers ${status}`);
  return body.toString('utf8');
}

function computeNextRefresh({ cacheS }: ServiceProviderMetadata, now: Date): Date {
  return addSeconds(now, Math.max(300, Math.min(cacheS ?? secondsPerDay, secondsPerDay)));
}

interface RefreshDependencies {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  readonly allowsPrivateTargets: boolean;
}

export function openServiceProviderStore(
  store: DatabaseStore,
  fixedProviders: readonly ServiceProvider[],
  loopback: boolean,
) {
  let fixed = fixedProviders;
  const selectProviders = () =>
    store.db.selectFrom('saml_providers').select(['id', 'entity_id', 'registration', 'metadata']);
  type ProviderRow = Awaited<ReturnType<ReturnType<typeof selectProviders>['executeTakeFirstOrThrow']>>;
  const parsed = new Map<string, { readonly row: ProviderRow; readonly provider: ServiceProvider }>();
  /** Parses a stored service provider, and caches the result until the row changes, because every SAML message needs it. */
  const read = (row: ProviderRow): ServiceProvider => {
    const known = parsed.get(row.id);
    if (known?.row.registration === row.registration && known.row.metadata === row.metadata) return known.provider;
    const registration = JSON.parse(row.registration) as ServiceProviderRegistration; // the JSON was validated when the service provider was added, possibly by an older version
    const metadata = readServiceProviderMetadata(row.metadata, registration.metadataCertificate);
    const provider = { registration, metadata };
    parsed.set(row.id, { row, provider });
    return provider;
  };
  const find = async (column: 'id' | 'entity_id', value: string): Promise<ServiceProvider | null> => {
    const known = fixed.find(
      ({ registration, metadata }) => (column === 'id' ? registration.id : metadata.entityId) === value,
    );
    if (known) return known;
    const row = await selectProviders().where(column, '=', value).executeTakeFirst();
    return row ? read(row) : null;
  };
  /** Finds a service provider. Outside loopback, ignores a service provider with a short RSA key, because the broker must not serve it. */
  const findStrong: typeof find = async (column, value) => {
    const found = await find(column, value);
    return found === null || (!loopback && describeShortRsaKey(found) !== null) ? null : found;
  };
  const refresh = async (row: ProviderRow, { clock, log, allowsPrivateTargets }: RefreshDependencies) => {
    const now = clock.now();
    const registration = JSON.parse(row.registration) as ServiceProviderRegistration;
    const { id, metadataUrl = '' } = registration;
    const save = (values: Updateable<Database['saml_providers']>) =>
      store.db
        .updateTable('saml_providers')
        .set(values)
        .where('id', '=', id)
        .where('registration', '=', row.registration) // saves nothing if an operator has replaced the registration during the request
        .where('metadata', '=', row.metadata)
        .execute();
    try {
      const xml = await fetchSamlMetadata(metadataUrl, allowsPrivateTargets);
      const fresh = readValidServiceProviderMetadata(registration, xml, { now, loopback });
      assertMetadataSuccessor(read(row), fresh);
      await save({ metadata: xml, refresh_at: computeNextRefresh(fresh, now), refresh_error: null });
    } catch (error) {
      await save({ refresh_at: addSeconds(now, 15 * 60), refresh_error: describeError(error) });
      log.warn({ err: error, client: id }, notRefreshedMessage);
    }
  };
  const reloadFixed = async (provider: ServiceProvider, { clock, log }: RefreshDependencies) => {
    const { registration, source } = provider;
    if (source === undefined) return provider;
    let { xml } = source;
    try {
      xml = await readFile(source.file, 'utf8');
      if (xml === source.xml) return provider;
      const fresh = readValidServiceProviderMetadata(registration, xml, { now: clock.now(), loopback });
      assertMetadataSuccessor(provider, fresh);
      return { registration, metadata: fresh, source: { ...source, xml } };
    } catch (error) {
      log.warn({ err: error, client: registration.id }, notRefreshedMessage);
      return { ...provider, source: { ...source, xml } }; // stores the text of the invalid file, so that its error is logged only once
    }
  };
  return {
    /** Fetches due metadata, and reads changed files. After a failure, the previous metadata stays in use until its `validUntil`. */
    async refresh(dependencies: RefreshDependencies): Promise<void> {
      fixed = await Promise.all(fixed.map((provider) => reloadFixed(provider, dependencies)));
      const selectDue = () => selectProviders().where('refresh_at', '<=', dependencies.clock.now());
      if ((await selectDue().limit(1).execute()).length === 0) return;
      await runWithLease(store, 'saml-metadata', async (renew) => {
        for (const row of await selectDue().orderBy('id').execute()) {
          await refresh(row, dependencies);
          await renew();
        }
      });
    },
    byEntity: (entityId: string) => findStrong('entity_id', entityId),
    byId: (id: string) => find('id', id),
    /** Returns `null` if the metadata of the service provider has expired, because nothing may be sent to the URLs in the metadata. */
    async findCurrent(id: string, now: Date): Promise<ServiceProvider | null> {
      const found = await findStrong('id', id);
      return found === null || isMetadataExpired(found.metadata, now) ? null : found;
    },
    list: async (): Promise<readonly ServiceProvider[]> => [
      ...fixed,
      ...(await selectProviders().orderBy('id').execute()).map(read),
    ],
    async add(registration: ServiceProviderRegistration, metadata: string, now: Date): Promise<void> {
      const read = readServiceProviderMetadata(metadata, registration.metadataCertificate);
      assertSaml2intMetadata(registration, read, now);
      const { entityId } = read;
      const other = await find('entity_id', entityId);
      if (other !== null && other.registration.id !== registration.id)
        throw new Error(`${entityId} is registered as ${other.registration.id}`);
      const row = {
        entity_id: entityId,
        registration: JSON.stringify(registration),
        metadata,
        refresh_at: registration.metadataUrl === undefined ? null : computeNextRefresh(read, now),
        refresh_error: null,
      };
      await store.db
        .insertInto('saml_providers')
        .values({ id: registration.id, ...row, created_at: now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
    },
    async remove(id: string): Promise<boolean> {
      parsed.delete(id);
      return store.transaction(async (tx) => {
        const removed = await tx.deleteFrom('saml_providers').where('id', '=', id).returning('id').executeTakeFirst();
        if (removed === undefined) return false;
        await deleteApplicationRecords(tx, id);
        await tx.deleteFrom('saml_participants').where('provider', '=', id).execute(); // a service provider that is later added with this id must not get logouts of the removed one
        return true;
      });
    },
  };
}

const notRefreshedMessage =
  'the metadata of a service provider cannot be refreshed: the last ones stay in use until their validUntil';

/**
 * Throws for metadata of another entity, and for signed metadata that expires earlier than the stored metadata. Otherwise an attacker who controls the
 * metadata URL, but not the key that signs the metadata, could restore a withdrawn key.
 */
function assertMetadataSuccessor(
  { registration, metadata }: ServiceProvider,
  { entityId, validUntil }: ServiceProviderMetadata,
): void {
  if (entityId !== metadata.entityId) throw new SamlError(`the metadata describes another entity, ${entityId}`);
  const isSigned = registration.metadataCertificate !== undefined;
  if (isSigned && metadata.validUntil !== null && (validUntil === null || validUntil < metadata.validUntil))
    throw new SamlError('the metadata are older than those in use: their validUntil is earlier');
}

/**
 * Loads the service providers of SAML_FILE. Paths in it are relative to the file. Accepts expired metadata, because only requests of that service
 * provider must fail, not the start.
 */
export async function loadFixedServiceProviders(
  { samlFile: file, loopback }: Pick<Config, 'loopback' | 'samlFile'>,
  now: Date,
): Promise<readonly ServiceProvider[]> {
  if (file === null) return [];
  return readSettingFile(`The service providers of SAML_FILE (${file})`, async () => {
    const list: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (!Array.isArray(list)) throw new Error('it must hold a list');
    const providers = await Promise.all(
      list.map(async (entry: unknown) => {
        if (!isObject(entry) || typeof entry.metadata !== 'string') throw new Error('each entry names its metadata');
        if ('metadataUrl' in entry) throw new Error('metadataUrl is for service providers that a command adds');
        const { metadata: path, metadataCertificate: certificate, ...fixedProviders } = entry;
        const at = (name: string): string => resolve(dirname(file), name);
        const xml = await readFile(at(path), 'utf8');
        const signers = typeof certificate === 'string' ? await readFile(at(certificate), 'utf8') : undefined;
        const metadata = readServiceProviderMetadata(xml, signers);
        const registration = validateServiceProviderRegistration({
          ...metadata.display,
          ...fixedProviders,
          ...(signers !== undefined && { metadataCertificate: signers }),
        });
        assertSaml2intMetadata(registration, metadata, now);
        if (!loopback) assertSamlRsaKeySize(registration, metadata);
        return { registration, metadata, source: { file: at(path), xml } };
      }),
    );
    assertUniqueNames(providers.map(({ registration }) => registration.id));
    assertUniqueNames(providers.map(({ metadata }) => metadata.entityId));
    return providers;
  });
}
