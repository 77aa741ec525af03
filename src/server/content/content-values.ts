import { constants } from '../../api/constants.ts';
import { challengeLifeS } from '../broker/challenges/challenge-record.ts';
import type { Config } from '../config.ts';
import { codeLifeS } from '../store/mailed-codes.ts';

/** What `{placeholders}` of the content may name: facts that settings and code decide, so that no text tells an old one. */
const values = {
  producto: ({ brand }: Config) => brand.product,
  pais: ({ brand }: Config) => brand.country,
  correo_soporte: ({ supportMailbox }: Config) => supportMailbox,
  horas_activacion: ({ activationLifeH }: Config) => activationLifeH,
  horas_sesion: ({ sessionLifeS }: Config) => Math.round(sessionLifeS / 3600),
  minutos_inactividad: ({ sessionIdleS }: Config) => Math.round(sessionIdleS / 60),
  minutos_codigo: () => codeLifeS / 60,
  minutos_ingreso: () => challengeLifeS / 60,
  anios_mensajes: () => constants.messageRetentionYears,
  dias_cierre: () => constants.closureGraceDays,
  minimo_contrasena: () => constants.passwordMinLength,
  maximo_contrasena: () => constants.passwordMaxLength,
} as const satisfies Readonly<Record<string, (config: Config) => string | number>>;

/** The names of the placeholders. */
export const contentValueNames: readonly string[] = Object.keys(values);

/** The values of the placeholders under a configuration. */
export function contentValues(config: Config): Readonly<Record<string, string | number>> {
  return Object.fromEntries(Object.entries(values).map(([name, read]) => [name, read(config)]));
}
