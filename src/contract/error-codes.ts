import type { OperationName } from './contract.ts';
import { mergeModuleExports } from './operations/merge-module-exports.ts';
import { operationModules } from './operations/operation-modules.ts';

/** Error codes that guards may test for, by operation. They are separate from `apiContract`, because the browser does not need them. */
export const operationErrorCodes = mergeModuleExports('errorCodes', operationModules) satisfies Readonly<
  Partial<Record<OperationName, readonly string[]>>
>;

/** Error codes that any operation may return. The client reports `invalid_token` if the response has a field of this name. */
export const commonErrorCodes = [
  'no_autenticado',
  'no_encontrado',
  'demasiados_intentos',
  'captcha_invalido',
  'verificacion_requerida',
  'cuerpo_mal_formado',
  'datos_invalidos',
  'formulario_cambiado',
  'error_interno',
  'servicio_no_disponible',
  'invalid_token',
] as const;
