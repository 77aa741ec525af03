/** Non-default settings. Test files that need any of them use all, so that they share one server. */
export const nonDefaultSettings: Readonly<Record<string, string>> = {
  BRAND_DOMAIN: 'cuenta.gub.uy',
  BRAND_INSTITUTION: 'Agencia de la Cuenta',
  BRAND_INSTITUTION_URL: 'https://agencia.gub.uy/',
  FLAGS: 'telefono_en_registro=off',
  JITSI_URL: 'https://meet.example.uy',
  REGISTRY_URL: 'http://127.0.0.1:9/', // an unreachable address
  SESSION_IDLE_S: '300',
};
