import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { JWK } from 'jose';
import type * as pkcs11js from 'pkcs11js';
import type { Handle, Mechanism, PKCS11, RsaPSS } from 'pkcs11js';
import { describeError, StartError } from '../base/errors.ts';
import type { JwsSigner, SigningAlgorithm } from './jws-signer.ts';

type Library = typeof pkcs11js;

/** The parts of a PKCS#11 URI (RFC 7512) that select a key. */
interface Pkcs11KeyUri {
  readonly token: string;
  readonly object: string;
  readonly modulePath: string;
  readonly pinSource: string;
}

/** A PKCS#11 token, whose user is logged in while `session` is open. */
interface Token {
  readonly slot: Handle;
  readonly session: Handle;
}

type ModuleSigners = Readonly<Record<SigningAlgorithm, JwsSigner>>;

/** Loaded modules by path. A process can initialize each module only once. */
const loadedModules = new Map<string, Promise<PKCS11>>();

/** Signers by URI. They are cached, because servers reread their keys every few seconds, and each login uses a session of the module. */
const cachedSigners = new Map<string, Promise<ModuleSigners>>();

/**
 * Opens the RSA and the P-256 key pair of a URI such as
 * `pkcs11:token=portal;object=signing?module-path=/usr/lib/softhsm/libsofthsm2.so&pin-source=/run/secrets/pin`. Throws a `StartError` if one is missing
 * or the token cannot be used.
 */
export function openPkcs11Signers(uri: string): Promise<ModuleSigners> {
  return getOrCreate(cachedSigners, uri, async () => {
    const address = parsePkcs11Uri(uri);
    const library = await loadLibrary();
    return openSigners(library, address).catch((cause: unknown) => {
      if (cause instanceof StartError) throw cause;
      const failure = `The signing key ${address.object} cannot be used in ${address.modulePath}`;
      throw new StartError(`${failure}: ${describeError(cause)}`, { cause });
    });
  });
}

async function openSigners(library: Library, address: Pkcs11KeyUri): Promise<ModuleSigners> {
  const module = await openModule(library, address.modulePath);
  const pin = (await readFile(address.pinSource, 'utf8')).trim();
  const connect = () => {
    const token = logIn(library, module, address.token, pin);
    const findPrivateKey = (type: number) =>
      findObject(library, { module, ...token }, { class: library.CKO_PRIVATE_KEY, type, label: address.object });
    return { token, pairs: { rsa: findPrivateKey(library.CKK_RSA), ec: findPrivateKey(library.CKK_EC) } };
  };
  let connection = connect();
  const signNow = async (kind: 'rsa' | 'ec', mechanism: Mechanism, data: Buffer): Promise<Buffer> => {
    const { token, pairs } = connection;
    const session = module.C_OpenSession(token.slot, library.CKF_SERIAL_SESSION); // a session for each signature, because a session allows one operation at a time
    try {
      module.C_SignInit(session, mechanism, pairs[kind]);
      return await module.C_SignAsync(session, data, Buffer.alloc(1_024));
    } finally {
      module.C_CloseSession(session);
    }
  };
  /** After a failure, logs in again and retries, because a restarted module loses its sessions. */
  const sign = async (...parts: Parameters<typeof signNow>): Promise<Buffer> => {
    try {
      return await signNow(...parts);
    } catch {
      const { session } = connection.token;
      connection = connect();
      ignorePkcs11Error(null, () => module.C_CloseSession(session));
      return signNow(...parts);
    }
  };
  const { CKM_SHA256_RSA_PKCS, CKM_SHA256_RSA_PKCS_PSS, CKM_SHA256, CKM_ECDSA, CK_PARAMS_RSA_PSS, CKG_MGF1_SHA256 } =
    library;
  const parameter: RsaPSS = { type: CK_PARAMS_RSA_PSS, hashAlg: CKM_SHA256, mgf: CKG_MGF1_SHA256, saltLen: 32 };
  const pss = { mechanism: CKM_SHA256_RSA_PKCS_PSS, parameter };
  const logged = { module, ...connection.token };
  const rsa = readRsaPublicKey(library, logged, connection.pairs.rsa);
  return {
    RS256: {
      algorithm: 'RS256',
      publicJwk: rsa,
      sign: (data) => sign('rsa', { mechanism: CKM_SHA256_RSA_PKCS }, Buffer.from(data)),
    },
    PS256: { algorithm: 'PS256', publicJwk: rsa, sign: (data) => sign('rsa', pss, Buffer.from(data)) },
    ES256: {
      algorithm: 'ES256',
      publicJwk: readEcPublicKey(library, logged, address),
      sign: (data) => sign('ec', { mechanism: CKM_ECDSA }, createHash('sha256').update(data).digest()),
    },
  };
}

function parsePkcs11Uri(uri: string): Pkcs11KeyUri {
  const [path = '', query = ''] = uri.replace(/^pkcs11:/, '').split('?');
  const attributes = new Map(
    [...path.split(';'), ...query.split('&')].map((pair) => {
      const [name = '', value = ''] = pair.split('=');
      return [name, decodeURIComponent(value)];
    }),
  );
  const read = (name: string): string => {
    const value = attributes.get(name);
    if (!value) throw new StartError(`${uri} needs ${name} (RFC 7512): token, object, module-path and pin-source`);
    return value;
  };
  const pinSource = read('pin-source');
  return {
    token: read('token'),
    object: read('object'),
    modulePath: read('module-path'),
    pinSource: pinSource.startsWith('file://') ? fileURLToPath(pinSource) : pinSource.replace(/^file:/, ''),
  };
}

async function loadLibrary(): Promise<Library> {
  try {
    return (await import('pkcs11js')).default as unknown as Library; // the cast is needed because the types of this CommonJS module declare no default export
  } catch (cause) {
    throw new StartError('A signing key is in a PKCS#11 module, and the package pkcs11js is missing: npm install', {
      cause,
    });
  }
}

function openModule(library: Library, path: string): Promise<PKCS11> {
  return getOrCreate(loadedModules, path, async () => {
    const module = new library.PKCS11();
    module.load(path);
    ignorePkcs11Error(
      library.CKR_CRYPTOKI_ALREADY_INITIALIZED,
      () => module.C_Initialize({ flags: library.CKF_OS_LOCKING_OK }), // signatures run in several threads
    );
    return module;
  });
}

/** Returns the value of a key, or creates it. A value whose creation failed is created again at the next call. */
function getOrCreate<Value>(made: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const known = made.get(key);
  if (known !== undefined) return known;
  const value = make();
  made.set(key, value);
  value.catch(() => made.delete(key));
  return value;
}

function logIn(library: Library, module: PKCS11, label: string, pin: string): Token {
  const slot = module.C_GetSlotList(true).find((one) => module.C_GetTokenInfo(one).label.trim() === label);
  if (slot === undefined) throw new StartError(`The PKCS#11 module has no token ${label}.`);
  const session = module.C_OpenSession(slot, library.CKF_SERIAL_SESSION);
  ignorePkcs11Error(library.CKR_USER_ALREADY_LOGGED_IN, () => module.C_Login(session, library.CKU_USER, pin));
  return { slot, session };
}

type OpenToken = Token & { readonly module: PKCS11 };

/** Finds the object with these attributes. Throws a `StartError` unless exactly one object has them. */
function findObject(
  library: Library,
  { module, session }: OpenToken,
  wanted: { readonly class: number; readonly type: number; readonly label: string },
): Handle {
  module.C_FindObjectsInit(session, [
    { type: library.CKA_CLASS, value: wanted.class },
    { type: library.CKA_KEY_TYPE, value: wanted.type },
    { type: library.CKA_LABEL, value: wanted.label },
  ]);
  const [found, second] = module.C_FindObjects(session, 2);
  module.C_FindObjectsFinal(session);
  if (found === undefined || second !== undefined)
    throw new StartError(
      `The token needs one RSA and one P-256 key pair with the label ${wanted.label}, and has ${found === undefined ? 'none' : 'several'} of a kind.`,
    );
  return found;
}

function readRsaPublicKey(library: Library, { module, session }: OpenToken, key: Handle): JWK {
  const [modulus, exponent] = module.C_GetAttributeValue(session, key, [
    { type: library.CKA_MODULUS },
    { type: library.CKA_PUBLIC_EXPONENT },
  ]);
  const [n, e] = [modulus, exponent].map((attribute) => {
    const bytes = attribute?.value as Buffer; // the cast is safe: PKCS#11 returns integers as bytes
    return bytes.subarray(bytes.findIndex((byte) => byte !== 0)).toString('base64url'); // without leading zeros (RFC 7518, section 6.3.1)
  });
  return { kty: 'RSA', n, e };
}

function readEcPublicKey(library: Library, opened: OpenToken, { object: label }: Pkcs11KeyUri): JWK {
  const key = findObject(library, opened, { class: library.CKO_PUBLIC_KEY, type: library.CKK_EC, label });
  const [point] = opened.module.C_GetAttributeValue(opened.session, key, [{ type: library.CKA_EC_POINT }]);
  const bytes = Buffer.from(point?.value as Buffer); // the cast is safe: the value is an OCTET STRING of an uncompressed point
  if (bytes.length !== 67) throw new StartError(`The EC key ${label} is not on P-256.`);
  const [x, y] = [bytes.subarray(3, 35), bytes.subarray(35)].map((half) => half.toString('base64url'));
  return { kty: 'EC', crv: 'P-256', x, y };
}

/** Runs `work` and ignores its PKCS#11 error with this code. If `code` is `null`, ignores every error. */
function ignorePkcs11Error(code: number | null, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (code !== null && !(error instanceof Error && 'code' in error && error.code === code)) throw error;
  }
}
