import { fullName, type Citizen } from '../../identity/citizens.ts';
import { levelOf } from '../../identity/levels.ts';
import { uidOf } from '../../identity/uid.ts';
import type { AuthnRequest } from './authn-request.ts';
import { nameIdFormats } from './names.ts';

export const nameFormat = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';

/** What service providers read of a citizen and of the sign-in. */
interface Told {
  readonly citizen: Citizen;
  /** Level of the session, 0 to 3. */
  readonly nid: number;
  /** The identity provider that the citizen came by; null: the portal's own account. */
  readonly idp: string | null;
}

const yes = (holds: boolean): string => (holds ? 'true' : 'false');

/**
 * The attributes of ID Uruguay (section 6 of its profile), in the order in which service providers that count them expect them, and after these our own.
 * Each says by which scope a citizen allows it.
 */
const attributes: Readonly<Record<string, { readonly scope: string; readonly value: (told: Told) => string }>> = {
  Certificado: { scope: 'auth_info', value: ({ citizen }) => yes(levelOf(citizen).code === 'CERTIFICADO') },
  Presencial: { scope: 'auth_info', value: ({ citizen }) => yes(levelOf(citizen).code === 'PRESENCIAL') },
  uid: { scope: 'personal_info', value: ({ citizen }) => uidOf(citizen) },
  PrimerNombre: { scope: 'personal_info', value: ({ citizen }) => citizen.first_name },
  SegundoNombre: { scope: 'personal_info', value: ({ citizen }) => citizen.second_name },
  PrimerApellido: { scope: 'personal_info', value: ({ citizen }) => citizen.first_surname },
  SegundoApellido: { scope: 'personal_info', value: ({ citizen }) => citizen.second_surname },
  NombreCompleto: { scope: 'personal_info', value: ({ citizen }) => fullName(citizen) },
  PaisDocumento: { scope: 'document', value: ({ citizen }) => citizen.country },
  TipoDocumento: { scope: 'document', value: ({ citizen }) => citizen.type },
  NumeroDocumento: { scope: 'document', value: ({ citizen }) => citizen.number },
  CorreoElectronico: {
    scope: 'email',
    value: ({ citizen }) => (citizen.email_verified_at === null ? '' : (citizen.email ?? '')),
  },
  rid: { scope: 'auth_info', value: ({ citizen }) => String(levelOf(citizen).nid) },
  nid: { scope: 'auth_info', value: ({ nid }) => String(nid) },
  idp: { scope: 'auth_info', value: ({ idp }) => idp ?? '' },
};

/** Every attribute, in order. */
export const attributeNames: readonly string[] = Object.keys(attributes);

/** The attributes that a service provider gets: those that its set names (all without one), as far as its scopes reach. */
export function attributesFor(
  told: Told,
  { names, scopes }: { names: readonly string[] | null; scopes: readonly string[] },
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(attributes)
    .filter(
      ([name, { scope }]) => scopes.includes(scope) && (names === null || names.length === 0 || names.includes(name)),
    )
    .map(([name, { value }]) => [name, value(told)] as const)
    .filter(([, value]) => value !== '');
}

/** The scope whose data each way to name a citizen tells; others tell nothing. */
const nameIdScopes: Readonly<Record<string, string>> = {
  [nameIdFormats.unspecified]: 'personal_info',
  [nameIdFormats.email]: 'email',
};

/** The scope that a format of NameID needs, if it tells anything of the citizen. */
export function scopeOfNameId(format: string): string | undefined {
  return Object.hasOwn(nameIdScopes, format) ? nameIdScopes[format] : undefined;
}

/** The scopes whose data a request asks for, by its attributes and by its NameID, as far as the service provider is registered for them. */
export function scopesOf(
  { attributes: names, nameIdFormat }: Pick<AuthnRequest, 'attributes' | 'nameIdFormat'>,
  registered: readonly string[],
): readonly string[] {
  const wanted = Object.entries(attributes)
    .filter(([name]) => names === null || names.length === 0 || names.includes(name))
    .map(([, { scope }]) => scope);
  const all = new Set([...wanted, scopeOfNameId(nameIdFormat)]);
  return registered.filter((scope) => all.has(scope));
}
