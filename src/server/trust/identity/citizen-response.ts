import { needsIdentityProofing, type ActionsByResource } from '../../../contract/operation-access.ts';
import type { OperationResponse } from '../../../contract/contract.ts';
import { formatAcr, getIdentityLevel, isRestrictedCitizen } from './assurance-levels.ts';
import { formatFullName, type Citizen } from './citizens.ts';

interface CitizenContext {
  readonly pendingEmail: string | null;
  readonly proven: boolean;
  readonly factorDue: boolean;
  readonly sessionNid: number;
  readonly permissions: ActionsByResource;
  readonly call: OperationResponse<'getCitizen'>['info_tramite_videollamada_pendiente'];
  readonly supportCall: OperationResponse<'getCitizen'>['info_videollamada_consulta'];
}

/** Builds the response of `getCitizen` (section 3 of the specification). The response must not contain a hash, a token or another secret. */
export function buildCitizenResponse(
  citizen: Citizen,
  { pendingEmail, proven, factorDue, sessionNid, permissions, call, supportCall }: CitizenContext,
): OperationResponse<'getCitizen'> {
  const level = getIdentityLevel(citizen);
  const answer = {
    id: citizen.id,
    user: {
      id: citizen.id,
      email: citizen.email,
      permisos: Object.fromEntries(Object.entries(permissions).map(([name, actions]) => [name, [...actions]])),
    },
    nombre_completo: formatFullName(citizen),
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
    acr: formatAcr(sessionNid),
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
  if (!needsIdentityProofing({ restricted: isRestrictedCitizen(citizen), factorDue })) return answer;
  return {
    ...answer, // hides personal data until an agent has verified the identity, except for the first name, which mails and the sign-in page show
    nombre_completo: citizen.first_name,
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
