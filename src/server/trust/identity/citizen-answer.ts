import { needsProofing, type Permisos } from '../../../contract/access.ts';
import type { Answer } from '../../../contract/contract.ts';
import { acrOf, levelOf, restrictedCitizen } from './levels.ts';
import { fullName, type Citizen } from './citizens.ts';

/** What is known of a citizen beside the record. */
interface Known {
  /** The address that waits for its validation. */
  readonly pendingEmail: string | null;
  /** Changes that ask for the current password are open to the session. */
  readonly proven: boolean;
  /** The level demands a second factor that is not set up yet. */
  readonly factorDue: boolean;
  /** Level of the session that asks. */
  readonly sessionNid: number;
  /** What the citizen may do. */
  readonly permissions: Permisos;
  /** The newest call that raises the level, or was to. */
  readonly call: Answer<'getCitizen'>['info_tramite_videollamada_pendiente'];
  /** The support call that is to come. */
  readonly supportCall: Answer<'getCitizen'>['info_videollamada_consulta'];
}

/** What the portal is told of a citizen (section 3): never a hash, a token or another secret. */
export function citizenAnswer(
  citizen: Citizen,
  { pendingEmail, proven, factorDue, sessionNid, permissions, call, supportCall }: Known,
): Answer<'getCitizen'> {
  const level = levelOf(citizen);
  const answer = {
    id: citizen.id,
    user: { id: citizen.id, email: citizen.email, permisos: mutable(permissions) },
    nombre_completo: fullName(citizen),
    primer_nombre: citizen.first_name,
    segundo_nombre: citizen.second_name,
    primer_apellido: citizen.first_surname,
    segundo_apellido: citizen.second_surname,
    numero_documento: citizen.number,
    numero_telefono: citizen.phone,
    documento: {
      tipo_documento: { codigo: citizen.type, nombre: citizen.type_name },
      pais_emisor: { codigo: citizen.country, nombre: citizen.country_name },
    },
    nivel: level.code,
    nivel_de_confianza: { value: level.trust },
    rid: level.rid,
    acr: acrOf(sessionNid),
    origen_registro: { nombre: citizen.origin },
    firma_validada: citizen.signature,
    email_validado: citizen.email_verified_at !== null,
    email_por_validar: pendingEmail === null ? null : { email: pendingEmail },
    cuenta_activa: citizen.active_at !== null,
    bloqueado: citizen.blocked_at !== null,
    acceso_funcionalidades: citizen.features,
    ultimo_login: citizen.last_login_at?.toISOString() ?? null,
    ultimo_cambio_contrasena: citizen.password_changed_at?.toISOString() ?? null,
    info_tramite_videollamada_pendiente: call,
    info_videollamada_consulta: supportCall,
    identidad_verificada: proven,
    segundo_factor_pendiente: factorDue,
  };
  return needsProofing({ restricted: restrictedCitizen(citizen), factorDue })
    ? { ...answer, ...withheld(citizen) }
    : answer;
}

/** What replaces the parts of a record that neither the mails to its citizen nor the sign-in contain. */
function withheld({ first_name: firstName }: Citizen) {
  return {
    nombre_completo: firstName,
    segundo_nombre: '',
    primer_apellido: '',
    segundo_apellido: '',
    numero_telefono: null,
    firma_validada: null,
    ultimo_login: null,
    ultimo_cambio_contrasena: null,
    info_tramite_videollamada_pendiente: null,
  };
}

function mutable(permissions: Permisos): Record<string, string[]> {
  return Object.fromEntries(Object.entries(permissions).map(([resource, actions]) => [resource, [...actions]]));
}
