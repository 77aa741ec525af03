import { post, remove, signedIn, type Operation, type ErrorsOf } from '../operation.ts';
import { object, text } from '../shapes.ts';

/** Passkeys of a citizen. The status of the second factors lists them. */
export const operations = {
  createPasskeyOptions: post('/rest/ciudadanos/authenticators/llaves/opciones/', {
    body: 'empty',
    answer: 'passkeyOptions',
    roles: signedIn,
    manages: true,
    proof: 'password',
    unrestricted: true,
    limit: 'passkey',
    beforeFactor: true,
    summary: 'What the browser needs to make a passkey.',
  }),
  createPasskey: post('/rest/ciudadanos/authenticators/llaves/', {
    screen: 'llaves-agregar',
    reads: { nombre: 'string', credential: 'string' },
    answer: 'mfaVerified',
    roles: signedIn,
    manages: true,
    unrestricted: true,
    limit: 'passkey',
    beforeFactor: true,
    summary: 'Adds the passkey that the browser made.',
  }),
  renamePasskey: post('/rest/ciudadanos/authenticators/llaves/:llave/', {
    screen: 'llaves-renombrar',
    reads: { nombre: 'string' },
    roles: signedIn,
    manages: true,
    proof: 'password',
    unrestricted: true,
    limit: 'accountAct',
    summary: 'Gives a passkey another name.',
  }),
  deletePasskey: remove('/rest/ciudadanos/authenticators/llaves/:llave/', {
    roles: signedIn,
    manages: true,
    proof: 'password',
    unrestricted: true,
    limit: 'accountAct',
    summary: 'Removes a passkey.',
  }),
} as const satisfies Readonly<Record<string, Operation>>;

export const answers = {
  /** `options`: WebAuthn creation options in JSON. */
  passkeyOptions: object({
    options: { type: 'object', additionalProperties: true },
    /** Suggested name of the passkey, derived from the device. */
    nombre: text,
  }),
} as const;

export const errors = {
  createPasskeyOptions: ['factor_insuficiente'],
  createPasskey: ['llave_invalida', 'factor_insuficiente'],
  deletePasskey: ['factor_insuficiente'],
} as const satisfies ErrorsOf<typeof operations>;
