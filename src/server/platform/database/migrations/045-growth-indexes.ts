import { indexMigration } from '../index-migration.ts';

/** What the purge, the desk and its figures look for in tables that grow with the country. */
export const growthIndexes = indexMigration({
  citizens_at_desk: `on citizens (first_surname) where permissions -> 'agentes' is not null`,
  contact_messages_waiting: `on contact_messages (id) where answered_at is null`,
  feedback_unread_first: `on feedback ((read_at is not null), id desc)`,
  audit_calls: `on audit (at) where action like '%-call-%'`,
  second_factors_citizen: `on second_factors (citizen_id)`,
  outbox_claim: `on outbox (id) where sent_at is null and refused_at is null`,
  video_calls_end: `on video_calls (ends_at)`,
  email_changes_requested: `on email_changes (requested_at)`,
  session_ends_created: `on session_ends (created_at)`,
  saml_logouts_expiry: `on saml_logouts (expires_at)`,
  card_tickets_expiry: `on card_tickets (expires_at)`,
  wallet_requests_expiry: `on wallet_requests (expires_at)`,
});
