import { toUruguayIsoDate } from '../../../contract/format/dates.ts';
import type { HandlerContext, ResponseBodyHandler } from '../handler-context.ts';
import { sql } from 'kysely';
import type { OperationResponse } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { maskIpAddress } from '../../platform/base/ip-addresses.ts';
import { parseExtraFields } from '../../platform/base/operation-request.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import { countUnusedRecoveryCodes } from '../../trust/credentials/recovery-codes.ts';
import type { DatabaseStore } from '../../platform/database/open-store.ts';
import { listConsentTexts } from '../../trust/federation/clients/scopes.ts';
import { getIdentityLevel } from '../../trust/identity/assurance-levels.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { listSavedProgress } from '../saved-flows/index.ts';
import { listLiveSessions } from './list-sessions.ts';
import own from './texts.json' with { type: 'json' };

type ExportedData = OperationResponse<'exportData'>['datos'];
type Db = DatabaseStore['db'];

/** Exports all personal data of the signed-in citizen as a file, without any hash, secret or code. */
export const exportData: ResponseBodyHandler<'exportData'> = async (context, { caller, origin }) => {
  const account = await readCallerAccount(context.store.db, caller);
  const { language } = origin;
  await context.commands.run(origin, ({ audit }) => audit('data-exported', account.citizen.id));
  return {
    archivo: `${createCatalogueLookup(own)('archivo_mis_datos', language)}-${toUruguayIsoDate(context.clock.now())}.json`,
    datos: await collectData(context, { ...account, language }),
  };
};

async function collectData(
  context: HandlerContext,
  { citizen, sessionId, language }: { citizen: Citizen; sessionId: string; language: Language },
): Promise<ExportedData> {
  const { clock, texts } = context;
  const { db } = context.store;
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
      email_validado: formatTime(citizen.email_verified_at),
      email_por_validar: pending?.email ?? null,
      numero_telefono: citizen.phone,
      anteriores: await exportEarlierContacts(db, citizen),
    },
    cuenta: exportAccount(citizen),
    permisos: await exportConsents(context, citizen.id, language),
    segundos_factores: await exportFactors(db, citizen.id),
    llaves_de_acceso: await exportPasskeys(db, citizen.id),
    firma: await exportSignature(db, citizen.id),
    sesiones: await listLiveSessions(context, { citizenId: citizen.id, sessionId, language }),
    dispositivos_conocidos: devices.map(({ seen_at }) => ({ fecha: seen_at.toISOString() })),
    actividad: await exportActivity(db, citizen.id, (action) => texts(`accion_${action}`, language)),
    correos: await exportMails(db, citizen.id),
    mensajes: await exportMessages(db, citizen.id),
    borradores: await exportSavedFlows(context, citizen.id),
    videollamadas: await exportCalls(db, citizen.id),
  };
}

/** Returns e-mail addresses and phone numbers that were replaced in the last two weeks, newest first. The server stores them to undo a change. */
async function exportEarlierContacts(db: Db, { id, email, phone }: Citizen) {
  const changes = await db
    .selectFrom('credential_changes')
    .select([
      'at',
      sql<string | null>`before ->> 'email'`.as('email'),
      sql<string | null>`before ->> 'phone'`.as('phone'),
    ])
    .where('citizen_id', '=', id)
    .orderBy('id', 'desc')
    .execute();
  const listedValues = new Set([email, phone, null]);
  const omitCurrent = (value: string | null): string | null => {
    const known = listedValues.has(value);
    listedValues.add(value);
    return known ? null : value;
  };
  return changes
    .map((change) => ({
      email: omitCurrent(change.email),
      numero_telefono: omitCurrent(change.phone),
      hasta: change.at.toISOString(),
    }))
    .filter((earlier) => earlier.email !== null || earlier.numero_telefono !== null);
}

function exportAccount(citizen: Citizen): ExportedData['cuenta'] {
  const permissions = Object.entries(citizen.permissions).map(([resource, actions]) => [resource, [...actions]]);
  return {
    id: citizen.id,
    nivel: getIdentityLevel(citizen).trust,
    origen_registro: citizen.origin,
    firma_validada: citizen.signature,
    creada: citizen.created_at.toISOString(),
    activada: formatTime(citizen.active_at),
    bloqueada: formatTime(citizen.blocked_at),
    ultimo_login: formatTime(citizen.last_login_at),
    ultimo_cambio_contrasena: formatTime(citizen.password_changed_at),
    cierre_previsto: formatTime(citizen.closing_at),
    permisos: Object.fromEntries(permissions),
  };
}

async function exportConsents({ store, applications }: HandlerContext, citizenId: string, language: Language) {
  const rows = await store.db
    .selectFrom('consents')
    .select(['client_id', 'scopes', 'given_at'])
    .where('citizen_id', '=', citizenId)
    .orderBy('given_at')
    .execute();
  return Promise.all(
    rows.map(async ({ client_id, scopes, given_at }) => {
      const application = await applications.find(client_id);
      return {
        aplicacion: application?.name ?? client_id,
        datos: listConsentTexts(application?.scopes, scopes.split(' '), language).map(({ name }) => name),
        fecha: given_at.toISOString(),
      };
    }),
  );
}

async function exportFactors(db: Db, citizenId: string): Promise<ExportedData['segundos_factores']> {
  const rows = await db
    .selectFrom('second_factors')
    .select(['kind', 'activated_at'])
    .where('citizen_id', '=', citizenId)
    .where('activated_at', 'is not', null)
    .orderBy('activated_at')
    .execute();
  return {
    metodos: rows.map(({ kind, activated_at }) => ({ tipo: kind, activado: formatTime(activated_at) ?? '' })),
    codigos_de_recuperacion: await countUnusedRecoveryCodes(db, citizenId),
  };
}

async function exportPasskeys(db: Db, citizenId: string): Promise<ExportedData['llaves_de_acceso']> {
  const rows = await db
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'last_used_at'])
    .where('citizen_id', '=', citizenId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ name, created_at, last_used_at }) => ({
    nombre: name,
    creada: created_at.toISOString(),
    usada: formatTime(last_used_at),
  }));
}

async function exportSignature(db: Db, citizenId: string): Promise<ExportedData['firma']> {
  const rows = await db.selectFrom('signed_documents').selectAll().where('citizen_id', '=', citizenId).execute();
  return rows.map((row) => ({
    fecha: row.signed_at.toISOString(),
    formato: row.form,
    declaracion: row.statement,
    certificado_serie: row.certificate_serial,
    certificado_emisor: row.certificate_issuer,
    archivo: row.file,
  }));
}

async function exportActivity(db: Db, citizenId: string, describeAction: (action: string) => string) {
  const rows = await db
    .selectFrom('audit')
    .select(['at', 'action', 'address'])
    .where('citizen_id', '=', citizenId)
    .orderBy('seq')
    .execute();
  return rows.map(({ at, action, address }) => ({
    fecha: at.toISOString(),
    accion: describeAction(action),
    red: maskIpAddress(address),
  }));
}

/** Exports the mails about a citizen's account. Does not select them by e-mail address, because citizens can share a mailbox. */
async function exportMails(db: Db, citizenId: string): Promise<ExportedData['correos']> {
  const rows = await db
    .selectFrom('outbox')
    .select(['created_at', 'subject'])
    .where('citizen_id', '=', citizenId)
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, subject }) => ({ fecha: created_at.toISOString(), asunto: subject }));
}

/** Exports only messages that the citizen sent while signed in, because anonymous messages with the same e-mail address may be from other people. */
async function exportMessages(db: Db, citizenId: string): Promise<ExportedData['mensajes']> {
  const rows = await db
    .selectFrom('contact_messages')
    .select(['created_at', 'subject', 'message', 'extra'])
    .where('citizen_id', '=', citizenId)
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, subject, message, extra }) => ({
    fecha: created_at.toISOString(),
    asunto: subject,
    mensaje: message,
    agregado: parseExtraFields(extra),
  }));
}

async function exportSavedFlows({ store, clock, vault }: HandlerContext, citizenId: string) {
  const journeys = await listSavedProgress(store.db, vault, citizenId, clock.now());
  return journeys.map(({ flow, savedAt, expiresAt, journey }) => ({
    flujo: flow,
    guardado: savedAt.toISOString(),
    vence: expiresAt.toISOString(),
    formularios: { ...journey?.forms },
  }));
}

async function exportCalls(db: Db, citizenId: string): Promise<ExportedData['videollamadas']> {
  const rows = await db
    .selectFrom('video_calls')
    .select(['created_at', 'starts_at', 'kind', 'state', 'phone', 'message', 'extra'])
    .where('citizen_id', '=', citizenId)
    .orderBy('created_at')
    .execute();
  return rows.map(({ created_at: booked, starts_at: start, kind, state, phone, message, extra }) => ({
    reservada: booked.toISOString(),
    fecha: start.toISOString(),
    tipo: kind === 'support' ? 'soporte' : 'nivel',
    estado: state,
    telefono: phone,
    mensaje: message,
    agregado: parseExtraFields(extra),
  }));
}

function formatTime(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
