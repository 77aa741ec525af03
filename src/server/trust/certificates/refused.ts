import { OperationError } from '../../platform/base/errors.ts';

/** Each is a key of `texts.json`. */
export const refusals = [
  'firma_ilegible',
  'firma_ausente',
  'firma_multiple',
  'firma_de_otro_documento',
  'firma_parcial',
  'firma_con_agregados',
  'firma_sobre_el_texto',
  'firma_invalida',
  'firma_insegura',
  'certificado_no_vigente',
  'certificado_desconocido',
  'certificado_uso',
  'certificado_revocado',
  'certificado_sin_documento',
  'certificado_ajeno',
] as const;
export type Refusal = (typeof refusals)[number];

export function refused(reason: Refusal, cause?: unknown): OperationError {
  return new OperationError(400, reason, { field: 'archivo', cause });
}
