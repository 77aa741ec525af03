import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { deskPermissionActions, deskPermissionResource } from '../../../contract/desk-permissions.ts';
import { type Clock, addSeconds } from '../../platform/base/clock.ts';
import { sampleAgentDomain } from '../../platform/config/config.ts';
import type { PasswordHasher } from '../../trust/credentials/passwords.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import { bindAgentMailbox } from '../../trust/identity/agent-mailboxes.ts';
import { createInternalChangeOrigin } from '../../platform/base/change-origin.ts';
import { findCitizenByDocument, formatFullName, toNameColumns } from '../../trust/identity/citizens.ts';
import type { RegisteredClient } from '../../trust/federation/clients/client-registration.ts';
import { supportedScopes } from '../../trust/federation/clients/scopes.ts';
import { importIdentityRegistryCsv } from '../../trust/identity/registry/import-registry-csv.ts';
import { requiresSecondFactor } from '../../trust/identity/assurance-levels.ts';
import { insertVideoCall } from '../../features/video-calls/book-call.ts';
import type { HandlerContext } from '../../features/handler-context.ts';

/** A sample citizen, for trying the portal on a local machine. */
export interface SampleCitizen {
  readonly kind: 'active' | 'in-registry' | 'incomplete' | 'agent' | 'called';
  readonly document: string;
  readonly firstName: string;
  readonly secondName: string;
  readonly firstSurname: string;
  readonly secondSurname: string;
  /** `null` if the citizen has no account yet. */
  readonly password: string | null;
  /** English sentence that is printed in the terminal. */
  readonly note: string;
}

type Five<Item> = readonly [Item, Item, Item, Item, Item];

export const sampleAgentMailbox = `bruno@${sampleAgentDomain}`;

/** Sample citizens, which the server prints when it starts. All are in registry.csv. */
export const sampleCitizens: Five<SampleCitizen> = [
  {
    kind: 'active',
    document: '45123784',
    firstName: 'Ana',
    secondName: 'Lucía',
    firstSurname: 'Pereira',
    secondSurname: 'Sosa',
    password: 'tres-tazas-de-mate',
    note: 'has an active account',
  },
  {
    kind: 'in-registry',
    document: '38712057',
    firstName: 'Juan',
    secondName: 'Martín',
    firstSurname: 'Rodríguez',
    secondSurname: 'Silva',
    password: null,
    note: 'is in the identity registry and can register',
  },
  {
    kind: 'incomplete',
    document: '29458715',
    firstName: 'Carlos',
    secondName: '',
    firstSurname: 'González',
    secondSurname: '',
    password: 'playa-de-invierno',
    note: 'was registered at a counter, without e-mail, and must complete the registration',
  },
  {
    kind: 'agent',
    document: '46781232',
    firstName: 'Bruno',
    secondName: 'Emiliano',
    firstSurname: 'Suárez',
    secondSurname: 'Techera',
    password: 'guardia-de-los-lunes',
    note: `attends at the desk: /login?agnt=1&redirectUrl=/agentes, with the mailbox ${sampleAgentMailbox}`,
  },
  {
    kind: 'called',
    document: '36509181',
    firstName: 'Patricia',
    secondName: 'Alejandra',
    firstSurname: 'Hernández',
    secondSurname: 'Etcheverry',
    password: 'tardes-de-candombe',
    note: 'has a video call that begins when the server starts: /ingresar-videollamada',
  },
];

const emails: Readonly<Partial<Record<SampleCitizen['kind'], string>>> = {
  active: 'ana.pereira@example.com',
  agent: 'bruno.suarez@example.com',
  called: 'patricia.hernandez@example.com',
};

export async function storeSampleRegistry(store: DatabaseStore): Promise<void> {
  await importIdentityRegistryCsv(store, fileURLToPath(new URL('./registry.csv', import.meta.url)));
}

export async function storeSampleCitizens(store: DatabaseStore, passwords: PasswordHasher, clock: Clock) {
  const load = async (citizen: SampleCitizen): Promise<void> => {
    if (citizen.password === null) return;
    const { id } =
      (await store.db
        .selectFrom('citizens')
        .select('id')
        .where('country', '=', 'uy')
        .where('type', '=', 'ci')
        .where('number', '=', citizen.document)
        .where('idp', 'is', null)
        .executeTakeFirst()) ?? {};
    if (id === undefined) await insertCitizen(store, citizen, await passwords.hash(citizen.password), clock.now());
  };
  await Promise.all(sampleCitizens.map(load)); // in parallel, because each hash occupies one core
}

export function createSampleAccount(citizen: SampleCitizen, now: Date) {
  const email = emails[citizen.kind] ?? null;
  const counter = citizen.kind === 'incomplete';
  const permissions: Record<string, readonly string[]> =
    citizen.kind === 'agent' ? { [deskPermissionResource]: deskPermissionActions } : {};
  return {
    country: 'uy',
    type: 'ci',
    number: citizen.document,
    ...toNameColumns(citizen),
    email,
    email_verified_at: email === null ? null : now,
    phone: null,
    origin: counter ? 'PRESENCIAL' : 'WEB',
    level: counter ? 'Verificado' : 'Autoregistro con CI',
    signature: null,
    permissions,
    active_at: now,
    blocked_at: null,
    last_login_at: null,
    created_at: now,
  };
}

async function insertCitizen(store: DatabaseStore, citizen: SampleCitizen, passwordHash: string, now: Date) {
  const id = randomUUID();
  const { permissions, ...account } = createSampleAccount(citizen, now);
  await store.transaction(async (tx) => {
    const made = await tx
      .insertInto('citizens')
      .values({ id, ...account, permissions: JSON.stringify(permissions) })
      .onConflict((conflict) => conflict.columns(['country', 'type', 'number']).where('idp', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (made === undefined) return; // another replica has created the account
    await tx
      .insertInto('credentials')
      .values({ citizen_id: id, password_hash: passwordHash, changed_at: now })
      .execute();
    if (citizen.kind === 'agent') await bindAgentMailbox(tx, id, sampleAgentMailbox, now);
  });
}

/**
 * Books a call that starts now, regardless of opening hours, so that developers can try the desk. Skips a citizen with a call or the higher assurance
 * level.
 */
export async function bookSampleCall({
  commands,
  config,
}: Pick<HandlerContext, 'commands'> & {
  readonly config: Pick<HandlerContext['config'], 'agenda' | 'sampleData'>;
}): Promise<void> {
  if (!config.sampleData) return;
  await commands.run(createInternalChangeOrigin('system', 'sample-data'), async (command) => {
    const { tx, now } = command;
    const document = { country: 'uy', type: 'ci', number: sampleCitizens[4].document };
    const citizen = await findCitizenByDocument(tx, document);
    if (citizen === null || requiresSecondFactor(citizen)) return;
    const startsAt = new Date(now.getTime() - (now.getTime() % 60_000));
    const person = { document, citizenId: citizen.id, name: formatFullName(citizen), email: citizen.email ?? '' };
    await insertVideoCall(
      command,
      { kind: 'elevation', ...person, phone: '', subject: '', message: '' },
      { startsAt, endsAt: addSeconds(startsAt, config.agenda.elevation.minutes * 60), state: 'Agendado' },
      1,
    );
  });
}

export function describeSampleCitizen({ document, password, note, ...names }: SampleCitizen): string {
  const name = formatFullName(toNameColumns(names));
  return `  ${document}  ${password === null ? '' : `password ${password}  `}(${name} ${note})`;
}

export const demoClientOrigin = 'http://127.0.0.1:4000';

/**
 * Creates the registration of the demo application. Every server with sample data uses it, unless CLIENTS_FILE contains another registration of the
 * same id.
 */
export function createDemoClient(origin: string): RegisteredClient {
  return {
    registration: {
      id: 'demo-rp',
      name: 'Demo',
      redirectUris: [`${origin}/callback`],
      scopes: [...supportedScopes],
      postLogoutRedirectUris: [`${origin}/`],
      backchannelLogoutUri: `${origin}/backchannel-logout`,
      frontchannelLogoutUri: `${origin}/frontchannel-logout`,
      website: `${origin}/`,
    },
    secret: null,
  };
}
