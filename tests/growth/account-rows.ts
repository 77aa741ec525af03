import { after } from '../../src/server/platform/base/clock.ts';
import { dayS } from '../../src/server/platform/base/periods.ts';
import { savedFlowPurpose } from '../../src/server/features/saved-flows/saved-flows.ts';
import { challengeNames } from '../../src/server/trust/identity/names.ts';
import { totpPurpose } from '../../src/server/trust/credentials/second-factors.ts';
import { everybody, nationalNumber, part, yearS, type Filled, type Fillers } from './country.ts';

/** Accounts, what opens them, and the registry that they come from. */
export function accountRows(fillers: Fillers): readonly Filled[] {
  const { citizens, now, passwordHash, vault, table, citizen, ago, aged, ending, within } = fillers;
  // one sealed text for all rows, which no citizen's key opens: its length is what counts
  const secret = vault.seal(totpPurpose('growth'), 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP');
  const journey = vault.seal(savedFlowPurpose({ citizenId: 'growth', flow: 'growth' }), 'x'.repeat(300));
  return [
    table('registry', citizens, (index) => ({
      number: nationalNumber(index),
      ...everybody,
      birth_date: '1990-01-01',
      serial: `A${String(index).padStart(8, '0')}`,
    })),
    table('citizens', citizens, (index, own) => {
      const { id, document, email, isForeign } = citizen(index);
      return {
        id,
        ...document,
        email,
        ...everybody,
        email_verified_at: index % 50 === 13 ? null : within(own, index, 5 * yearS),
        phone: '+59899123456',
        origin: 'WEB',
        level: document.country === 'uy' ? 'Autoregistro con CI' : 'Autoregistrado',
        signature: null,
        permissions: '{}',
        features: true,
        active_at: index % 50 === 13 ? null : within(own, index, 5 * yearS),
        blocked_at: index % 200 === 7 ? within(own, index, yearS) : null,
        last_login_at: within(own, index, 300 * dayS),
        created_at: ago((1 + own.share(index)) * 5 * 365 * dayS),
        closing_at: index % 1000 === 8 ? after(now, Math.round((1 + own.share(index) * 29) * dayS)) : null,
        idp: isForeign ? 'br' : null,
      };
    }),
    table('credentials', citizens, (index, own) => ({
      citizen_id: citizen(index).id,
      password_hash: passwordHash,
      changed_at: within(own, index, 5 * yearS),
    })),
    table('known_devices', citizens * 2, (index, own) => ({
      citizen_id: citizen(index).id,
      hash: own.hex(index),
      seen_at: aged(own, index, yearS),
    })),
    table('link_tokens', part(citizens, 0.5), (index, own) => ({
      hash: own.hex(index),
      purpose: 'activation',
      citizen_id: citizen(index).id,
      subject: citizen(index).email,
      created_at: ago(31 * dayS),
      expires_at: aged(own, index, 30 * dayS),
      used_at: index % 3 === 0 ? null : ago(dayS),
    })),
    table('second_factors', part(citizens, 0.2), (index, own) => ({
      id: own.uuid(index),
      citizen_id: citizen(index).id,
      kind: index % 2 === 0 ? ('totp' as const) : ('email' as const),
      secret: index % 2 === 0 ? secret : null,
      last_step: null,
      created_at: within(own, index, yearS),
      activated_at: index % 50 === 0 ? null : within(own, index, yearS),
    })),
    table('recovery_codes', citizens, (index, own) => ({
      citizen_id: citizen(Math.floor(index / 10)).id,
      digest: `$argon2id$v=19$m=19456,t=2,p=1$${own.hex(Math.floor(index / 10)).slice(0, 22)}$${own.hex(index).slice(0, 43)}`,
      created_at: within(own, index, yearS),
      used_at: null,
    })),
    table('spent_recovery_codes', part(citizens, 0.05), (index, own) => ({
      citizen_id: citizen(index).id,
      digest: own.hex(index),
    })),
    table('failed_attempts', part(citizens, 0.2), (index) => ({
      citizen_id: citizen(index).id,
      authenticator: challengeNames.password,
      browser: '',
      failures: 1 + (index % 5),
      failed_at: ago(dayS),
    })),
    table('email_changes', part(citizens, 0.005), (index, own) => ({
      citizen_id: citizen(index).id,
      email: `n${index}@example.com`,
      requested_at: aged(own, index, 30 * dayS),
      confirm_from: null,
    })),
    table('passkeys', part(citizens, 0.1), (index, own) => ({
      id: own.uuid(index),
      citizen_id: citizen(index).id,
      credential_id: own.hex(index),
      public_key: 'x'.repeat(104),
      counter: 0,
      transports: 'internal hybrid',
      device_type: 'multiDevice' as const,
      backed_up: true,
      name: 'Teléfono',
      created_at: within(own, index, yearS),
      last_used_at: null,
      mac: own.hex(index),
    })),
    table('passkey_handles', part(citizens, 0.1), (index, own) => ({
      citizen_id: citizen(index).id,
      handle: own.hex(index),
    })),
    table('credential_changes', part(citizens, 0.05), (index, own) => ({
      citizen_id: citizen(index).id,
      session_id: null,
      kind: 'password-changed',
      at: aged(own, index, 14 * dayS),
      before: JSON.stringify({ email: citizen(index).email, phone: null, closing: false }),
      undone_at: null,
    })),
    table('provider_identities', part(citizens, 0.02), (index, own) => ({
      provider: 'br',
      issuer: 'https://br.example',
      subject: `s${index}`,
      citizen_id: citizen(index * 50 + 49).id,
      linked_at: ago(400 * dayS),
      used_at: aged(own, index, 360 * dayS),
    })),
    table('provider_refusals', part(citizens, 0.01), (index, own) => ({
      provider: 'br',
      issuer: 'https://br.example',
      subject: `r${index}`,
      citizen_id: citizen(index).id,
      at: within(own, index, yearS),
    })),
    table('signature_requests', part(citizens, 0.01), (index, own) => ({
      nonce: own.hex(index),
      citizen_id: citizen(index).id,
      statement: 'x'.repeat(2000),
      expires_at: aged(own, index, dayS),
      used_at: null,
    })),
    table('signed_documents', part(citizens, 0.02), (index, own) => ({
      citizen_id: citizen(index).id,
      form: 'cms' as const,
      statement: 'x'.repeat(2000),
      file: 'x'.repeat(2000),
      certificate_serial: own.hex(index).slice(0, 32),
      certificate_issuer: 'CN=Autoridad Certificadora',
      certificate_fingerprint: own.hex(index),
      signed_at: within(own, index, yearS),
    })),
    table('saved_flows', part(citizens, 0.02), (index, own) => ({
      citizen_id: citizen(index).id,
      flow: 'registro',
      sealed: journey,
      saved_at: within(own, index, 20 * dayS),
      expires_at: ending(own, index, 30 * dayS),
    })),
    table('agent_acts', part(citizens, 0.01), (index, own) => ({
      citizen_id: citizen(index).id,
      act: 'level' as const,
      detail: 'Verificado',
      agent: citizen(0).id,
      name: 'Ana Pereira',
      at: within(own, index, yearS),
      done_at: within(own, index, dayS),
    })),
    table('throttle', part(citizens, 0.3), (index, own) => ({
      key: own.hex(index),
      tries: 1,
      blocked_until: new Date(0),
      since: aged(own, index, dayS),
    })),
    table('captcha_replays', part(citizens, 0.02), (index, own) => ({
      hash: own.hex(index),
      expires_at: ending(own, index, 1200),
    })),
  ];
}
