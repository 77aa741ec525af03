import { describe, expect, test } from 'vitest';
import { brokerPages, callNames, contract, type Call } from '../../src/contract/contract.ts';

/** Sections 7.1 and 7.2 of the specification, written out: method and path as they stand there. SAML is still to come. */
const specified = [
  'GET /rest/ciudadanos/:id/',
  'GET /federated-identity/obtener-mis-datos-idp/:id/',
  'GET /rest/ciudadanos/:id/email_por_validar/',
  'GET /rest/ciudadanos/:id/email/',
  'POST /rest/ciudadanos/:id/create_inside/',
  'POST /rest/ciudadanos/:id/verify_password/',
  'POST /rest/ciudadanos/:id/update_password/',
  'POST /rest/ciudadanos/:id/update_numero_telefono/',
  'POST /rest/ciudadanos/:id/update_email/',
  'POST /rest/ciudadanos/:id/resend_activation/',
  'POST /account/approve_email_change/',
  'GET /rest/ciudadanos/:id/obtener_acciones/',
  'GET /rest/ciudadanos/:id/mfa_status/',
  'POST /rest/ciudadanos/authenticators/totp/',
  'POST /rest/ciudadanos/authenticators/totp/:id/verify/',
  'DELETE /rest/ciudadanos/authenticators/totp/:id/',
  'POST /rest/ciudadanos/authenticators/email/email_activate/',
  'POST /rest/ciudadanos/authenticators/email/:id/verify/',
  'DELETE /rest/ciudadanos/authenticators/email/:id/',
  'GET /rest/aplicaciones/',
  'DELETE /rest/aplicaciones/:id/',
  'GET /rest/clients/:id/',
  'GET /rest/idps/',
  'GET /rest/paginas-estaticas/:id/',
  'GET /rest/faqs/',
  'GET /rest/paises/',
  'POST /rest/feedback-form/',
  'GET /rest/contacto/asuntos/',
  'POST /contacto/enviar/',
  'POST /account/activate_account/',
  'POST /account/resend_activation/',
  'POST /account/reset-password/',
  'POST /account/reset-password/confirm',
  'POST /account/resend-recovery-code-email/',
  'POST /rest/ciudadanos/elevarse_a_intermedio_con_videollamada/',
  'GET /rest/info-dnic/',
  'GET /rest/configuracion-turno/lista-fechas-configuradas/',
  'GET /rest/configuracion-turno-consulta/lista-fechas-configuradas/',
  'GET /rest/disponibilidad/',
  'GET /rest/disponibilidad-consulta/',
  'POST /rest/tramite-videollamada/',
  'DELETE /rest/tramite-videollamada/:id/',
  'POST /rest/videollamada-soporte/:id/confirmar',
  'POST /rest/videollamada-soporte/:id/cancelar-tramite-con-uuid/',
  'GET /rest/videollamada-soporte/:id',
  'GET /acceso/dss/request',
  'POST /jwt/refresh/',
  'GET /jwt/obtain/',
] as const;

const known = new Set(
  callNames.map((name) => {
    const { method, path }: Call = contract[name];
    return `${method} ${path.replace(/:\w+/g, ':id')}`;
  }),
);

describe('[CFG-03] the contract holds the calls of the specification', () => {
  test.each(specified)('%s', (call) => expect([...known]).toContain(call));
});

test('[SES-10] the pages of the broker stand at the addresses of the specification', () => {
  expect(brokerPages).toMatchObject({
    login: '/auth/login',
    cardLogin: '/auth/login-con-ci',
    logout: '/auth/logout',
    consent: '/oidc/v1/consent',
  });
});
