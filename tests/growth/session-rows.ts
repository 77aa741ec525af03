import { after } from '../../src/server/platform/base/clock.ts';
import { documentId } from '../../src/server/platform/base/document.ts';
import { dayS, hourS } from '../../src/server/platform/base/periods.ts';
import { providerSignInPurpose, walletKeyPurpose } from '../../src/server/trust/federation/tables.ts';
import { oidcPurpose } from '../../src/server/trust/sessions/index.ts';
import { addressOf, applications, part, sessionsEach, yearS, type Filled, type Fillers } from './country.ts';

const oidcModels = ['Session', 'Grant', 'AccessToken', 'RefreshToken', 'AuthorizationCode', 'Interaction'] as const;

/** Sessions, sign-ins under way, and what applications hold. */
export function sessionRows({
  citizens,
  now,
  vault,
  draw,
  table,
  citizen,
  ago,
  aged,
  ending,
  within,
}: Fillers): readonly Filled[] {
  const sessions = citizens * sessionsEach;
  const ids = draw('session');
  const payloads = Object.fromEntries(
    oidcModels.map((kind) => [kind, vault.seal(oidcPurpose(kind), JSON.stringify({ kind, jti: 'x'.repeat(43) }))]),
  );
  const claims = vault.seal(providerSignInPurpose, '{}');
  const walletKey = vault.seal(walletKeyPurpose('growth'), 'x'.repeat(200));
  return [
    table('broker_sessions', sessions, (index, own) => {
      const created = aged(own, index, 36 * hourS);
      return {
        id: ids.uuid(index),
        hash: own.hex(index),
        citizen_id: citizen(index).id,
        created_at: created,
        expires_at: after(created, 12 * hourS),
        seen_at: after(created, 900),
        idle_at: after(created, 900 + 1800),
        revoked_at: index % 10 === 3 ? after(created, 800) : null,
        amr: 'urn:iduruguay:am:password',
        nid: 1,
        role: 'citizen' as const,
        oidc_uid: index % 5 === 0 ? draw('oidc-uid').uuid(index) : null,
        verified_at: null,
        idp: null,
        authenticated_at: null,
        user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
        address: addressOf(index),
      };
    }),
    table('challenges', part(citizens, 0.02), (index, own) => ({
      hash: own.hex(index),
      browser: draw('browser').hex(index),
      step: 'password',
      document: documentId(citizen(index).document),
      citizen_id: citizen(index).id,
      factors: '',
      tries: 0,
      redirect_url: null,
      process_state: null,
      agent: null,
      institutional_email: null,
      user_agent: '',
      address: addressOf(index),
      created_at: ago(60),
      expires_at: ending(own, index, 600),
      used_at: null,
    })),
    table('mailed_codes', part(citizens, 0.02), (index, own) => ({
      purpose: 'sign-in',
      owner: own.hex(index),
      citizen_id: citizen(index).id,
      digest: own.hex(index + 1),
      tries: 0,
      expires_at: ending(own, index, 600),
      used_at: null,
    })),
    table('passkey_challenges', part(citizens, 0.01), (index, own) => ({
      purpose: 'sign-in',
      owner: own.hex(index),
      digest: own.hex(index + 1),
      expires_at: ending(own, index, 600),
      used_at: null,
    })),
    table('consents', citizens, (index, own) => ({
      id: own.uuid(index),
      citizen_id: citizen(index).id,
      client_id: `app-${index % applications}`,
      scopes: 'openid personal_info',
      texts_version: 1,
      given_at: within(own, index, yearS),
    })),
    table('oidc_records', citizens, (index, own) => {
      const model = oidcModels[index % oidcModels.length] ?? 'Session';
      return {
        model,
        id: own.hex(index),
        payload: payloads[model] ?? '',
        grant_id: model === 'Session' || model === 'Interaction' ? null : draw('grant').uuid(index),
        uid: model === 'Session' ? draw('oidc-uid').uuid(index) : null,
        account_id: citizen(index).id,
        client_id: model === 'Session' ? null : `app-${index % applications}`,
        expires_at: ending(own, index, 14 * dayS),
        consumed_at: null,
      };
    }),
    table('saml_participants', part(sessions, 0.1), (index, own) => ({
      session_id: ids.uuid(index),
      provider: `sp-${index % applications}`,
      name_id: own.hex(index),
      name_id_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      session_index: own.uuid(index),
      signed_in_at: within(own, index, dayS),
    })),
    table('saml_requests', part(citizens, 0.01), (index, own) => ({
      hash: own.hex(index),
      browser: own.hex(index + 1),
      provider: `sp-${index % applications}`,
      message_id: own.uuid(index),
      request: '{}',
      relay_state: null,
      session_id: null,
      refused: false,
      answered_at: null,
      created_at: ago(60),
      expires_at: ending(own, index, 1800),
    })),
    table('saml_logouts', part(citizens, 0.01), (index, own) => ({
      hash: own.hex(index),
      browser: own.hex(index + 1),
      chain: '{}',
      expires_at: ending(own, index, 1800),
    })),
    table('session_ends', part(citizens, 0.01), (index, own) => ({
      session_id: own.uuid(index),
      payload: null,
      told: '[]',
      attempts: 3,
      due_at: after(now, 600 + Math.round(own.share(index) * 1800)),
      created_at: aged(own, index, dayS),
    })),
    table('card_checks', part(sessions, 0.01), (index, own) => ({
      session_id: ids.uuid(index),
      passed_at: within(own, index, dayS),
    })),
    table('card_tickets', part(citizens, 0.01), (index, own) => ({
      hash: own.hex(index),
      challenge: own.hex(index + 1),
      number: null,
      expires_at: ending(own, index, 120),
      taken_at: null,
      used_at: null,
    })),
    table('wallet_requests', part(citizens, 0.01), (index, own) => ({
      hash: own.hex(index),
      response: draw('response').hex(index),
      challenge: own.hex(index + 1),
      here: false,
      nonce: own.hex(index),
      key: walletKey,
      expires_at: ending(own, index, 300),
      fetched_at: null,
      answered_at: null,
      number: null,
      level: null,
      used_at: null,
    })),
    table('provider_sign_ins', part(citizens, 0.01), (index, own) => ({
      hash: own.hex(index),
      browser: own.hex(index + 1),
      provider: 'br',
      kept: claims,
      process_state: null,
      redirect_url: null,
      answered_at: null,
      person: null,
      linked_at: null,
      created_at: ago(60),
      expires_at: ending(own, index, 600),
    })),
  ];
}
