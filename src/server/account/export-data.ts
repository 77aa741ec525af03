import { sql } from 'kysely';
import type { Answer } from '../../contract/contract.ts';
import { constants } from '../../contract/constants.ts';
import { scopeTexts } from '../federation/clients/scopes.ts';
import type { CallRequest, Handler } from '../base/call.ts';
import { networkOf } from '../base/addresses.ts';
import { documentId } from '../base/document.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Citizen } from '../identity/citizens.ts';
import { countRecoveryCodes } from '../credentials/recovery-codes.ts';
import { textOf } from '../base/texts.ts';
import { levelOf } from '../identity/citizen-answer.ts';
import { liveSessions } from './list-sessions.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

type Data = Answer<'exportData'>['datos'];
type Request = Pick<CallRequest<'exportData'>, 'language'> & { readonly sessionId: string };

/** Everything that is held of who is signed in, as a file: what is personal of the tables, and never a hash, a secret or a code. */
export function exportData(parts: Parts): Handler<'exportData'> {
  const { store, clock, throttle } = parts;
  return async ({ caller, address, requestId, language }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    await throttle.admit('export', { address, document: documentId(citizen) }, clock.now());
    await store.transaction((tx) =>
      appendAudit(tx, { at: clock.now(), action: 'data-exported', citizenId: citizen.id, address, requestId }),
    );
    const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: constants.timeZone }).format(
      clock.now(),
    );
    return {
      body: {
        archivo: `${textOf('archivo_mis_datos', language)}-${day}.json`,
        datos: await dataOf(parts, citizen, { language, sessionId }),
      },
    };
  };
}

async function dataOf(parts: Parts, citizen: Citizen, request: Request): Promise<Data> {
  const {
    store: { db },
    clock,
  } = parts;
  const pending = await db
    .selectFrom('email_changes')
    .select('email')
    .where('citizen_id', '=', citizen.id)
    .executeTakeFirst();
  const devices = await db
    .selectFrom('known_devices')
    .select('seen_at')
    .where('citizen_id', '=', citizen.id)
    .orderBy('seen_at', 'desc')
    .execute();
  return {
    generado: clock.now().toISOString(),
    persona: {
      primer_nombre: citizen.first_name,
      segundo_nombre: citizen.second_name,
      primer_apellido: citizen.first_surname,
      segundo_apellido: citizen.second_surname,
    },
    documento: {
      pais_emisor: citizen.country_name,
      tipo_documento: citizen.type_name,
      numero_documento: citizen.number,
    },
    contacto: {
      email: citizen.email,
      email_validado: written(citizen.email_verified_at),
      email_por_validar: pending?.email ?? null,
      numero_telefono: citizen.phone,
      anteriores: await earlierContactsOf(parts, citizen),
    },
    cuenta: accountOf(citizen),
    permisos: await consentsOf(parts, citizen.id, request),
    segundos_factores: await factorsOf(parts, citizen.id),
    llaves_de_acceso: await passkeysOf(parts, citizen.id),
    firma: await signatureOf(parts, citizen.id),
    sesiones: await liveSessions(parts, { citizenId: citizen.id, ...request }),
    dispositivos_conocidos: devices.map(({ seen_at }) => ({ fecha: seen_at.toISOString() })),
    actividad: await activityOf(parts, citizen.id, request),
    correos: await mailsOf(parts, citizen.id),
    mensajes: await messagesOf(parts, citizen.id),
  };
}

/** What changes of the last two weeks have replaced, newest first: of it an undone change comes back. */
async function earlierContactsOf(
  { store }: Parts,
  { id, email, phone }: Citizen,
): Promise<Data['contacto']['anteriores']> {
  const changes = await store.db
    .selectFrom('credential_changes')
    .select([
      'at',
      sql<string | null>`before ->> 'email'`.as('email'),
      sql<string | null>`before ->> 'phone'`.as('phone'),
    ])
    .where('citizen_id', '=', id)
    .orderBy('id', 'desc')
    .execute();
  const seen = new Set([email, phone, null]);
  const fresh = (value: string | null): string | null => {
    const known = seen.has(value);
    seen.add(value);
    return known ? null : value;
  };
  return changes
    .map((change) => ({
      email: fresh(change.email),
      numero_telefono: fresh(change.phone),
      hasta: change.at.toISOString(),
    }))
    .filter((earlier) => earlier.email !== null || earlier.numero_telefono !== null);
}

function accountOf(citizen: Citizen): Data['cuenta'] {
  const permissions = Object.entries(citizen.permissions).map(([resource, actions]) => [resource, [...actions]]);
  return {
    id: citizen.id,
    nivel: levelOf(citizen).trust,
    origen_registro: citizen.origin,
    firma_validada: citizen.signature,
    creada: citizen.created_at.toISOString(),
    activada: written(citizen.active_at),
    bloqueada: written(citizen.blocked_at),
    ultimo_login: written(citizen.last_login_at),
    ultimo_cambio_contrasena: written(citizen.password_changed_at),
    cierre_previsto: written(citizen.closing_at),
    permisos: Object.fromEntries(permissions),
  };
}

async function consentsOf({ store, oidc }: Parts, citizenId: string, { language }: Request): Promise<Data['permisos']> {
  const rows = await store.db
    .selectFrom('consents')
    .select(['client_id', 'scopes', 'given_at'])
    .where('citizen_id', '=', citizenId)
    .orderBy('given_at')
    .execute();
  return Promise.all(
    rows.map(async ({ client_id, scopes, given_at }) => ({
      aplicacion: (await oidc.clients.find(client_id))?.registration.name ?? client_id,
      datos: scopeTexts(scopes.split(' '), language).map(({ name }) => name),
      fecha: given_at.toISOString(),
    })),
  );
}

async function factorsOf({ store }: Parts, citizenId: string): Promise<Data['segundos_factores']> {
  const rows = await store.db
    .selectFrom('second_factors')
    .select(['kind', 'activated_at'])
    .where('citizen_id', '=', citizenId)
    .where('activated_at', 'is not', null)
    .orderBy('activated_at')
    .execute();
  return {
    metodos: rows.map(({ kind, activated_at }) => ({ tipo: kind, activado: written(activated_at) ?? '' })),
    codigos_de_recuperacion: await countRecoveryCodes(store.db, citizenId),
  };
}

async function passkeysOf({ store }: Parts, citizenId: string): Promise<Data['llaves_de_acceso']> {
  const rows = await store.db
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'last_used_at'])
    .where('citizen_id', '=', citizenId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ name, created_at, last_used_at }) => ({
    nombre: name,
    creada: created_at.toISOString(),
    usada: written(last_used_at),
  }));
}

async function signatureOf({ store }: Parts, citizenId: string): Promise<Data['firma']> {
  const rows = await store.db.selectFrom('signed_documents').selectAll().where('citizen_id', '=', citizenId).execute();
  return rows.map((row) => ({
    fecha: row.signed_at.toISOString(),
    formato: row.form,
    declaracion: row.statement,
    certificado_serie: row.certificate_serial,
    certificado_emisor: row.certificate_issuer,
    archivo: row.file,
  }));
}

async function activityOf({ store }: Parts, citizenId: string, { language }: Request): Promise<Data['actividad']> {
  const rows = await store.db
    .selectFrom('audit')
    .select(['at', 'action', 'address'])
    .where('citizen_id', '=', citizenId)
    .orderBy('seq')
    .execute();
  return rows.map(({ at, action, address }) => ({
    fecha: at.toISOString(),
    accion: textOf(`accion_${action}`, language),
    red: networkOf(address),
  }));
}

/** Those about the account, to whatever address: a mailbox may be another citizen's too, and no proof of who one is. */
async function mailsOf({ store }: Parts, citizenId: string): Promise<Data['correos']> {
  const rows = await store.db
    .selectFrom('outbox')
    .select(['created_at', 'subject'])
    .where('citizen_id', '=', citizenId)
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, subject }) => ({ fecha: created_at.toISOString(), asunto: subject }));
}

/** Those that were sent while signed in: who only knows the address could have written the others. */
async function messagesOf({ store }: Parts, citizenId: string): Promise<Data['mensajes']> {
  const rows = await store.db
    .selectFrom('contact_messages')
    .select(['created_at', 'subject', 'message'])
    .where('citizen_id', '=', citizenId)
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, subject, message }) => ({
    fecha: created_at.toISOString(),
    asunto: subject,
    mensaje: message,
  }));
}

function written(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
