import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  type KeyObject,
} from 'node:crypto';

/** Claims in an authenticator's response. Tests override individual claims. */
export interface Claims {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  /** Whether the authenticator has verified its user. */
  readonly verified?: boolean;
  readonly present?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  /** Whether to sign with a different key. */
  readonly forged?: boolean;
}

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id?: string };
  readonly user?: { readonly id: string };
}

/** Software authenticator with one ES256 credential and attestation `none`. */
export interface Authenticator {
  readonly id: string;
  /** Returns the response to creation options, in the encoding of the browser library. */
  create(options: unknown, claims?: Claims): string;
  /** Returns the response to request options, and increments the signature counter. */
  use(options: unknown, claims?: Claims): string;
  /** Returns a clone with the same key and the same counter. */
  copy(): Authenticator;
}

export function createAuthenticator(origin: string): Authenticator {
  return createFromState(origin, {
    id: randomBytes(32),
    key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    counter: 0,
    handle: undefined,
  });
}

interface State {
  readonly id: Buffer;
  readonly key: KeyObject;
  counter: number;
  handle: string | undefined;
}

function createFromState(origin: string, state: State): Authenticator {
  const id = state.id.toString('base64url');
  const client = (type: string, options: Options, claims: Claims) =>
    Buffer.from(
      JSON.stringify({
        type: claims.type ?? type,
        challenge: claims.challenge ?? options.challenge,
        origin: claims.origin ?? origin,
        crossOrigin: false,
      }),
    );
  return {
    id,
    create(given, claims = {}) {
      const options = given as Options; // the parameter is `unknown`, so that tests can pass response bodies
      state.handle = options.user?.id;
      const data = Buffer.concat([
        encodeAuthenticatorData(options.rp?.id ?? '', claims, 0, 0x40),
        encodeAttestedCredential(state),
      ]);
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: client('webauthn.create', options, claims).toString('base64url'),
          attestationObject: encodeAttestationObject(data).toString('base64url'),
          transports: ['internal', 'hybrid', 'unheard-of'],
        },
      });
    },
    use(given, claims = {}) {
      const options = given as Options; // the parameter is `unknown`, so that tests can pass response bodies
      state.counter += 1;
      const clientData = client('webauthn.get', options, claims);
      const data = encodeAuthenticatorData(options.rpId ?? '', claims, state.counter, 0);
      const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()]);
      const key = claims.forged ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : state.key;
      return JSON.stringify({
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', signed, key).toString('base64url'),
          userHandle: 'userHandle' in claims ? claims.userHandle : state.handle,
        },
      });
    },
    copy: () =>
      createFromState(origin, { ...state, key: createPrivateKey(state.key.export({ format: 'pem', type: 'pkcs8' })) }),
  };
}

/** Encodes authenticator data: hash of the relying party id, flags (1 present, 4 verified, 8 and 16 backed up), counter. */
function encodeAuthenticatorData(
  rpId: string,
  { rpId: claimed, verified = true, present = true, counter }: Claims,
  count: number,
  more: number,
): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8((present ? 1 : 0) | (verified ? 4 : 0) | 8 | 16 | more, 0);
  tail.writeUInt32BE(counter ?? count, 1);
  return Buffer.concat([
    createHash('sha256')
      .update(claimed ?? rpId)
      .digest(),
    tail,
  ]);
}

function encodeAttestedCredential({ id, key }: State): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  // COSE_Key (RFC 9052): {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  return Buffer.concat([Buffer.alloc(16), length, id, cose]);
}

/** Encodes {"fmt": "none", "attStmt": {}, "authData": data} as CBOR. */
function encodeAttestationObject(data: Buffer): Buffer {
  const head = Buffer.from([0x58, data.length]);
  return Buffer.concat([
    Buffer.from('a363666d74646e6f6e656761747453746d74a0', 'hex'),
    Buffer.from('686175746844617461', 'hex'),
    head,
    data,
  ]);
}
