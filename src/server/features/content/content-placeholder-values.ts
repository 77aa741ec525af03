import type { LocalizedContent } from './localized-content.ts';
import { hasAnyPermission } from '../../../contract/operation-access.ts';
import { portalConstants } from '../../../contract/constants.ts';
import { apiContract } from '../../../contract/contract.ts';
import { fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import {
  offersAdvancedLevel,
  offersCardSignIn,
  offersProviderSignIn,
  offersWalletSignIn,
} from '../../platform/config/advanced-sign-in-methods.ts';
import { mapValues } from '../../../engine/core/json.ts';
import type { Config } from '../../platform/config/config.ts';
import { pendingRegistrationLifeFactor } from '../registration/activation-mail.ts';
import { mailedCodeLifeS } from '../../trust/credentials/mailed-codes.ts';
import { webAuthnCeremonyLifeS } from '../../trust/credentials/webauthn-ceremonies.ts';
import { cardSignInTicketLifeS } from '../../trust/federation/card/identity-card-sign-in.ts';
import { maxSamlMessageAgeMs } from '../../trust/federation/saml/authenticate-saml-message.ts';
import { samlLogoutLifeS } from '../../trust/federation/saml/logout-chain.ts';
import { providerSignInLifeS } from '../../trust/federation/upstream/provider-sign-ins.ts';
import { walletPresentationLifeS } from '../../trust/federation/wallet/wallet-verifier.ts';
import { signInLifeS } from '../../trust/sessions/sign-in-record.ts';

/** Matches `{si x}` or `{si no x}` at the end of a line that is shown only if the portal offers feature x, or does not. */
export const contentConditionPattern = / *\{si (no )?(\w+)\}$/;

export function selectOfferedContent({ categories, pages }: LocalizedContent, config: Config): LocalizedContent {
  const offers = new Set(Object.keys(featureConditions).filter((name) => featureConditions[name]?.(config)));
  const offeredCategories = categories.map((category) => ({
    ...category,
    questions: category.questions
      .filter(({ requiredFeature: only }) => only === null || offers.has(only))
      .map((question) => ({ ...question, answer: selectOfferedLines(question.answer, offers) })),
  }));
  return {
    categories: offeredCategories.filter(({ questions }) => questions.length > 0),
    pages: pages.map((page) => ({ ...page, body: selectOfferedLines(page.body, offers) })),
  };
}

function selectOfferedLines(text: string, offers: ReadonlySet<string>): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [, not, name = ''] = contentConditionPattern.exec(line) ?? [];
      if (name === '') return [line];
      return offers.has(name) === (not === undefined) ? [line.replace(contentConditionPattern, '')] : [];
    })
    .join('\n');
}

/** Longest lifetime in seconds among the data that a step of a sign-in, a sign-out or a change stores. */
const maxStepLifeS = Math.max(
  signInLifeS,
  mailedCodeLifeS,
  webAuthnCeremonyLifeS,
  cardSignInTicketLifeS,
  walletPresentationLifeS,
  providerSignInLifeS,
  maxSamlMessageAgeMs / 1000,
  samlLogoutLifeS,
);

/** Values of the `{placeholders}` in the content. They are derived from settings and code, so that the content never becomes outdated. */
const valuesByName = {
  producto: ({ brand }: Config) => brand.product,
  pais: ({ brand }: Config) => brand.country,
  sitio: ({ brand, baseUrl }: Config) => (brand.domain === new URL(baseUrl).host ? baseUrl : `https://${brand.domain}`),
  /** The e-mail address without its display name, because a display name is easily forged. */
  remitente: ({ mailFrom }: Config) => /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom,
  correo_soporte: ({ supportMailbox }: Config) => supportMailbox,
  horas_activacion: ({ activationLifeH }: Config) => activationLifeH,
  horas_registro: ({ activationLifeH }: Config) => pendingRegistrationLifeFactor * activationLifeH,
  horas_sesion: ({ sessionLifeS }: Config) => Math.round(sessionLifeS / 3600),
  minutos_inactividad: ({ sessionIdleS }: Config) => Math.round(sessionIdleS / 60),
  minutos_codigo: () => mailedCodeLifeS / 60,
  minutos_ingreso: () => signInLifeS / 60,
  anios_mensajes: ({ retention }: Config) => retention.MESSAGES_YEARS,
  anios_videollamadas: ({ retention }: Config) => retention.CALLS_YEARS,
  dias_cierre: () => portalConstants.closureGraceDays,
  dias_vinculos: ({ retention }: Config) => retention.LINKS_DAYS,
  dias_correos: ({ retention }: Config) => retention.MAILS_DAYS,
  dias_cambio_correo: ({ retention }: Config) => retention.EMAIL_CHANGES_DAYS,
  dias_cambios: ({ retention }: Config) => retention.CHANGES_DAYS,
  dias_no_fui_yo: () => fixedRetentionPeriods.disavowDays,
  horas_sesion_terminada: ({ retention }: Config) => retention.SESSIONS_DAYS * 24,
  horas_declaraciones: () => fixedRetentionPeriods.signatureRecordDays * 24,
  horas_intentos: () => fixedRetentionPeriods.throttleDays * 24,
  dias_dispositivos: ({ retention }: Config) => retention.DEVICES_DAYS,
  dias_idioma: () => fixedRetentionPeriods.languageDays,
  dias_otro_pais: ({ retention }: Config) => retention.FOREIGN_DAYS,
  dias_pedidos: () => fixedRetentionPeriods.grantDays,
  dias_a_medias: () => fixedRetentionPeriods.savedFlowDays,
  dias_fotos: ({ retention }: Config) => retention.STILLS_DAYS,
  minutos_sala: () => fixedRetentionPeriods.roomSignalMin,
  minutos_paso: () => Math.ceil(maxStepLifeS / 60),
  minutos_restablecer: () => fixedRetentionPeriods.resetLinkMin,
  minutos_firma: () => fixedRetentionPeriods.signatureMin,
  minutos_espera: () => fixedRetentionPeriods.longestDelayMin,
  minimo_contrasena: () => portalConstants.passwordMinLength,
  maximo_contrasena: () => portalConstants.passwordMaxLength,
} as const satisfies Readonly<Record<string, (config: Config) => string | number>>;

/** Features that a portal may offer, by the names that content uses in `{si …}` and in the `si` of a question's front matter. */
const featureConditions: Readonly<Record<string, (config: Config) => boolean>> = {
  contrasena: ({ flags }: Config) => flags.contrasena,
  telefono_autogestion: ({ flags }: Config) => flags.telefono_autogestion,
  ayuda: ({ flags }: Config) => flags.ayuda,
  videollamada: ({ citizenPermissions }: Config) =>
    hasAnyPermission(citizenPermissions, apiContract.bookElevation.permissions),
  firma_digital: ({ signature }: Config) => signature.roots !== null,
  cedula: offersCardSignIn,
  proveedores: offersProviderSignIn,
  billetera: offersWalletSignIn,
  avanzado: offersAdvancedLevel,
};

export const contentFeatureNames: readonly string[] = Object.keys(featureConditions);

export type ContentPlaceholderName = keyof typeof valuesByName;

export const contentPlaceholderNames: readonly string[] = Object.keys(valuesByName);

/** Returns the expressions of the values, such as `retention.LINKS_DAYS`, to tell which settings and constants they use. */
export function listContentPlaceholderExpressions(): Readonly<Record<string, string>> {
  return mapValues(valuesByName, (read) => String(read).replace(/^[^]*?=>\s*/, ''));
}

export function computeContentPlaceholderValues(config: Config): Readonly<Record<string, string | number>> {
  return mapValues(valuesByName, (read) => read(config));
}
