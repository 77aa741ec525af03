/** Every feature flag of section 9 of the specification, with its effect and its state when nothing is configured. */
export const flagDefaults = {
  /** Single logout over SAML leads the browser from one service provider to the next; off: LogoutRequests go out in hidden frames, unanswered. */
  slo_saml: true,
  /** A pending video call can be entered from five minutes before its start; off: while it is pending. */
  videollamada_5_minutos_antes: true,
  /** The citizen may change the phone number at /seguridad. */
  telefono_autogestion: true,
  /** The registration form asks for a phone number. */
  telefono_en_registro: true,
  /** The elevation wizard asks for a phone number. */
  telefono_en_videollamada: true,
  /** The support agenda asks for the phone number in a step of its own; off: among the contact data of its first step. */
  telefono_en_agenda: false,
  /** The password field shows its strength meter and its show button. */
  campo_contrasena: true,
  /** The test service-provider page /saml-index exists. */
  saml_index: false,
  /** Users of foreign identity providers may manage their account. */
  idp_autogestion: false,
  /** The header is shown. */
  cabezal: true,
  /** Logging out is offered. */
  cierre_de_sesion: true,
  /** The password can be changed and reset by the citizen. */
  contrasena: true,
  /** Help links are shown. */
  ayuda: true,
  /** Signing in with the identity card's chip is offered. */
  ci_electronica: false,
  /** The current password is asked before password and e-mail change. */
  verificar_identidad: true,
} as const satisfies Record<string, boolean>;

export type FlagName = keyof typeof flagDefaults;
export type Flags = Readonly<Record<FlagName, boolean>>;
