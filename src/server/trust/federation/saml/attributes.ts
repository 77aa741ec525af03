import { fullName, type Citizen } from '../../identity/citizens.ts';
import { toLevel } from '../../identity/levels.ts';
import { formatUid } from '../../identity/uid.ts';
import type { AuthnRequest } from './authn-request.ts';
import { nameIdFormats } from './names.ts';

export const nameFormat = 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic';

/** Source of the attribute values. */
interface AttributeFacts {
  readonly citizen: Citizen;
  /** Level of the session, 0 to 3. */
  readonly nid: number;
  /** Identity provider of the sign-in. `null` for the portal's own account. */
  readonly idp: string | null;
}

const yes = (holds: boolean): string => (holds ? 'true' : 'false');

/** Attributes of ID Uruguay (section 6 of its profile), then ours, each with its scope. Some service providers read them by position. */
const attributes: Readonly<
  Record<string, { readonly scope: string; readonly value: (told: AttributeFacts) => string }>
> = {
  Certificado: { scope: 'auth_info', value: ({ citizen }) => yes(toLevel(citizen).code === 'CERTIFICADO') },
  Presencial: { scope: 'auth_info', value: ({ citizen }) => yes(toLevel(citizen).code === 'PRESENCIAL') },
  uid: { scope: 'personal_info', value: ({ citizen }) => formatUid(citizen) },
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
  rid: { scope: 'auth_info', value: ({ citizen }) => String(toLevel(citizen).nid) },
  nid: { scope: 'auth_info', value: ({ nid }) => String(nid) },
  idp: { scope: 'auth_info', value: ({ idp }) => idp ?? '' },
};

export const attributeNames: readonly string[] = Object.keys(attributes);

/** Attributes of the requested set (all if it is empty or missing) that are in the service provider's scopes and not empty. */
export function attributesFor(
  told: AttributeFacts,
  { names, scopes }: { names: readonly string[] | null; scopes: readonly string[] },
): readonly (readonly [name: string, value: string])[] {
  return Object.entries(attributes)
    .filter(
      ([name, { scope }]) => scopes.includes(scope) && (names === null || names.length === 0 || names.includes(name)),
    )
    .map(([name, { value }]) => [name, value(told)] as const)
    .filter(([, value]) => value !== '');
}

/** Scopes of the NameID formats that disclose personal data. */
const nameIdScopes: Readonly<Record<string, string>> = {
  [nameIdFormats.unspecified]: 'personal_info',
  [nameIdFormats.email]: 'email',
};

/** Returns `undefined` if the format discloses no personal data. */
export function scopeOfNameId(format: string): string | undefined {
  return Object.hasOwn(nameIdScopes, format) ? nameIdScopes[format] : undefined;
}

/** Scopes that a request needs for its attributes and its NameID. Only scopes that the service provider is registered for. */
export function selectScopes(
  { attributes: names, nameIdFormat }: Pick<AuthnRequest, 'attributes' | 'nameIdFormat'>,
  registered: readonly string[],
): readonly string[] {
  const wanted = Object.entries(attributes)
    .filter(([name]) => names === null || names.length === 0 || names.includes(name))
    .map(([, { scope }]) => scope);
  const all = new Set([...wanted, scopeOfNameId(nameIdFormat)]);
  return registered.filter((scope) => all.has(scope));
}
