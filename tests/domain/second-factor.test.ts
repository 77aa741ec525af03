import { describe, expect, test } from 'vitest';
import { createPortalStore } from '../../src/domain/root-store.ts';
import { citizen, fakeClient, memoryStorage, now, createToken } from './support/store.ts';

const status = {
  estado: { activado: true, fecha_activado: '2026-03-01T10:00:00-03:00' },
  methods: { totp: { id: 't1', secret: null, url: null }, email: null },
  estado_email: 'validado',
  errors: null,
  obligatorio: false,
  codigos_de_recuperacion: 10,
} as const;
const client = {
  name: 'Trámites',
  website_url: null,
  url: 'https://tramites.uy',
  terms_url: null,
  priv_url: null,
  logo: null,
  scopes: [{ scope: 'email', name: 'Correo', description: '', value: '' }],
  citizen: 'Ana',
  state: 's',
};
const list = {
  idps: [{ identificador: 'abitab', nombre: 'Abitab', descripcion: '', nivel_seguridad: 'avanzado', logo: '' }],
  ci_allowed: false,
  gub_uy_allowed: true,
};

function open(consentClient = client) {
  const done = (result: unknown) => ({ ok: true, result }) as const;
  const answers = {
    getCitizen: done(citizen),
    getMfaStatus: done(status),
    deleteTotp: done({}),
    verifyTotp: done({ activado: true }),
    getConsentClient: done(consentClient),
    getIdentityProviders: done(list),
    createTotp: done({ id: 't', secret: 'JBSWY3DP', url: 'otpauth://totp/x?secret=JBSWY3DP' }),
  };
  const storage = memoryStorage({ portal: JSON.stringify({ token: createToken(), flows: {} }) });
  return { store: createPortalStore({ client: fakeClient(answers).client, clock: () => now, storage }), storage };
}

describe('effect of a call on the store', () => {
  test('[MFA-01] getMfaStatus sets the status, and a changed factor clears it and marks the record for reload', async () => {
    const { store } = open();
    await store.loadUser();
    for (const call of ['deleteTotp', 'verifyTotp']) {
      await store.perform('getMfaStatus', { params: { id: '17' } });
      expect(store.mfa?.estado.activado).toBe(true);
      await store.loadUser();
      await store.perform(call);
      expect([store.mfa, store.userState]).toEqual([null, 'Pendiente']);
    }
  });

  test('[SES-02] createTotp stores no secret', async () => {
    const { store, storage } = open();
    await store.perform('createTotp', { body: {} });
    expect(JSON.stringify([store, [...storage.content]])).not.toContain('JBSWY3DP');
  });

  test('[CONS-01] getConsentClient sets the application, [LOG-02] getIdentityProviders the providers', async () => {
    const { store } = open();
    await store.perform('getConsentClient');
    await store.perform('getIdentityProviders');
    expect([store.consentClient?.address, store.providers]).toEqual(['https://tramites.uy', list]);
    store.resetStore();
    expect([store.mfa, store.consentClient]).toEqual([null, null]);
  });
});

test.each([
  ['is its website', { website_url: 'https://web.uy' }, 'https://web.uy'],
  ['is its url if it has no website', {}, 'https://tramites.uy'],
  ['is null if it has neither', { url: null }, null],
])('[CONS-01] address of an application %s', async (_, change, address) => {
  const { store } = open({ ...client, ...(change as object) });
  await store.perform('getConsentClient');
  expect(store.consentClient?.address).toBe(address);
});
