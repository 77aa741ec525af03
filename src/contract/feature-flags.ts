/** The feature flags of section 9 of the specification and their defaults. */
export const featureFlagDefaults = {
  /** SAML single logout redirects the browser from one service provider to the next. If off, hidden frames send the LogoutRequests. */
  slo_saml: true,
  /** A pending video call can be entered from five minutes before its start. If off, it can be entered at any time. */
  videollamada_5_minutos_antes: true,
  /** The citizen may change the phone number at /seguridad. */
  telefono_autogestion: true,
  telefono_en_registro: true,
  telefono_en_videollamada: true,
  /** The support agenda has a separate step for the phone number. If off, the first step contains the number. */
  telefono_en_agenda: false,
  /** The password field has a strength meter and a show button. */
  campo_contrasena: true,
  /** Whether the test service provider at /saml-index exists. */
  saml_index: false,
  /** Users of foreign identity providers may manage their account. */
  idp_autogestion: false,
  cabezal: true,
  /** The portal has a sign-out button. */
  cierre_de_sesion: true,
  /** Citizens may change and reset their password. */
  contrasena: true,
  ayuda: true,
  /** Citizens may sign in with the chip of the identity card. */
  ci_electronica: false,
  /** Changes of password and e-mail address require the current password. */
  verificar_identidad: true,
} as const satisfies Record<string, boolean>;

export type FeatureFlagName = keyof typeof featureFlagDefaults;
export type FeatureFlags = Readonly<Record<FeatureFlagName, boolean>>;
