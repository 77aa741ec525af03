import type { OperationName } from './contract.ts';
import { collectPart } from './topics/collect.ts';
import { topics } from './topics/topics.ts';

/**
 * The codes of errors that a flow may decide by: those that an operation raises of its own accord. The checker warns of a guard on any other. They
 * stand beside the table of operations, since no browser needs them.
 */
export const operationErrors = collectPart('errors', topics) satisfies Readonly<
  Partial<Record<OperationName, readonly string[]>>
>;

/** The codes that any operation may answer, by the guard, its limits and the body's check; `invalid_token` is the client's own word for a link. */
export const commonErrors = [
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
