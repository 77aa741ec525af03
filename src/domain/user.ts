import { types } from 'mobx-state-tree';
import { isRestrictedCitizenRecord } from '../contract/operation-access.ts';
import { ProofingVideoCall, SupportVideoCall } from './video-calls.ts';

const Named = types.model('Named', { codigo: types.string, nombre: types.string });

export const User = types
  .model('User', {
    id: types.string,
    user: types.model('Account', {
      id: types.string,
      email: types.maybeNull(types.string),
      permisos: types.frozen<Readonly<Record<string, readonly string[]>>>(),
    }),
    nombre_completo: types.string,
    primer_nombre: types.string,
    segundo_nombre: types.string,
    primer_apellido: types.string,
    segundo_apellido: types.string,
    numero_documento: types.string,
    numero_telefono: types.maybeNull(types.string),
    documento: types.model('Document', { tipo_documento: Named, pais_emisor: Named }),
    nivel: types.string,
    nivel_de_confianza: types.model('Confidence', { value: types.string }),
    rid: types.string,
    acr: types.string,
    origen_registro: types.model('Origin', { nombre: types.string }),
    firma_validada: types.maybeNull(types.string),
    email_validado: types.boolean,
    email_por_validar: types.maybeNull(types.model('PendingEmail', { email: types.string })),
    cuenta_activa: types.boolean,
    bloqueado: types.boolean,
    acceso_funcionalidades: types.boolean,
    ultimo_login: types.maybeNull(types.string),
    ultimo_cambio_contrasena: types.maybeNull(types.string),
    info_tramite_videollamada_pendiente: types.maybeNull(ProofingVideoCall),
    info_videollamada_consulta: types.maybeNull(SupportVideoCall),
    /** Whether this session may change the password and e-mail address. */
    identidad_verificada: types.optional(types.boolean, false),
    /** Whether the assurance level requires a second factor that is not set up. False if the backend omits it. */
    segundo_factor_pendiente: types.optional(types.boolean, false),
  })
  .views((self) => ({
    /** Text key of the assurance level ('Básico' or 'Intermedio'), from the raw values of section 4.1 of the specification. */
    get level(): 'basic' | 'intermediate' {
      const levels = [self.nivel, self.nivel_de_confianza.value];
      return levels.some((level) => ['Verificado', 'Certificado', 'CERTIFICADO', 'PRESENCIAL'].includes(level))
        ? 'intermediate'
        : 'basic';
    },
    /** Text key of the method with which the account reached Intermedio (section 4.1 of the specification). */
    get levelSource(): 'signature' | 'call' | 'agent' {
      if (self.firma_validada) return 'signature';
      return self.info_tramite_videollamada_pendiente?.successful ? 'call' : 'agent';
    },
    get raisesByCall(): boolean {
      return self.info_tramite_videollamada_pendiente?.pending === true;
    },
    /** Whether the security buttons are disabled (section 6 of the specification). */
    get restricted(): boolean {
      return isRestrictedCitizenRecord(self);
    },
  }));

export const LoadState = types.enumeration('LoadState', ['Pendiente', 'Exito', 'Error']);
