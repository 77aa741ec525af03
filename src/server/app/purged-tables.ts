import { sql, type RawBuilder } from 'kysely';
import { constants } from '../../contract/constants.ts';
import { after } from '../platform/base/clock.ts';
import { dayS, periods } from '../platform/base/periods.ts';
import { dateOf } from '../platform/base/zone.ts';
import type { Config } from '../platform/config/config.ts';
import type { ContentValueName } from '../features/content/content-values.ts';
import type { Database } from '../platform/database/schema.ts';

/** A table that the purge empties by time. */
interface PurgedTable {
  readonly table: keyof Database;
  /** Which of its rows go. */
  readonly old: RawBuilder<unknown>;
  /** The placeholder with which the privacy policy says how long they stay; null: they hold nothing of a person. */
  readonly policy: ContentValueName | null;
}

/** What goes by table; a test holds the privacy policy to it. */
export function purgedTables(now: Date, { room }: Pick<Config, 'room'>): readonly PurgedTable[] {
  const daysAgo = (days: number) => after(now, -days * dayS);
  const retained = daysAgo(constants.messageRetentionYears * 365);
  const ended = sql`expires_at < ${now}`;
  return [
    { table: 'link_tokens', old: sql`expires_at < ${daysAgo(periods.linkRecordDays)}`, policy: 'dias_vinculos' },
    { table: 'challenges', old: ended, policy: 'minutos_paso' },
    { table: 'mailed_codes', old: ended, policy: 'minutos_paso' },
    { table: 'oidc_records', old: ended, policy: 'dias_pedidos' },
    {
      table: 'session_ends',
      old: sql`created_at < ${daysAgo(periods.sessionRecordDays)}`,
      policy: 'horas_sesion_terminada',
    },
    { table: 'card_tickets', old: ended, policy: 'minutos_paso' },
    { table: 'wallet_requests', old: ended, policy: 'minutos_paso' },
    { table: 'saml_requests', old: ended, policy: 'minutos_paso' },
    { table: 'saml_logouts', old: ended, policy: 'minutos_paso' },
    { table: 'provider_sign_ins', old: ended, policy: 'minutos_paso' },
    { table: 'saved_flows', old: ended, policy: 'dias_a_medias' },
    { table: 'captcha_replays', old: ended, policy: null },
    {
      table: 'signature_requests',
      old: sql`expires_at < ${daysAgo(periods.signatureRecordDays)}`,
      policy: 'horas_declaraciones',
    },
    { table: 'passkey_challenges', old: ended, policy: 'minutos_paso' },
    {
      table: 'email_changes',
      old: sql`requested_at < ${daysAgo(periods.emailChangeDays)}`,
      policy: 'dias_cambio_correo',
    },
    { table: 'credential_changes', old: sql`at < ${daysAgo(periods.credentialChangeDays)}`, policy: 'dias_cambios' },
    {
      table: 'broker_sessions',
      old: sql`expires_at < ${daysAgo(periods.sessionRecordDays)}`,
      policy: 'horas_sesion_terminada',
    },
    { table: 'known_devices', old: sql`seen_at < ${daysAgo(periods.knownDeviceDays)}`, policy: 'dias_dispositivos' },
    {
      table: 'throttle',
      old: sql`since < ${daysAgo(periods.throttleDays)} and blocked_until < ${now}`,
      policy: 'horas_intentos',
    },
    { table: 'outbox', old: sql`created_at < ${daysAgo(periods.mailDays)}`, policy: 'dias_correos' },
    { table: 'contact_messages', old: sql`created_at < ${retained}`, policy: 'anios_mensajes' },
    { table: 'call_stills', old: sql`asked_at < ${daysAgo(room.stillsDays)}`, policy: 'dias_fotos' },
    {
      table: 'room_signals',
      old: sql`created_at < ${after(now, -periods.roomSignalMin * 60)}`,
      policy: 'minutos_sala',
    },
    { table: 'video_calls', old: sql`ends_at < ${retained}`, policy: 'anios_videollamadas' },
    { table: 'agenda_exceptions', old: sql`date < ${dateOf(retained)}`, policy: null },
    { table: 'feedback', old: sql`created_at < ${retained}`, policy: 'anios_mensajes' },
  ];
}
