import type { ErrorBody } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/portal-config.ts';
import { asObject } from '../../../engine/core/json.ts';
import { OperationError, InvalidBodyError } from '../base/errors.ts';
import { databaseRetryAfterS, DatabaseUnavailableError } from '../database/database-unavailable-error.ts';
import type { TextLookup } from '../base/texts.ts';

/**
 * Converts an error to a response. A database failure becomes a 503, and an unexpected error a 500, both without details. `retryAfter` is in seconds.
 */
export function toErrorResponse(
  thrown: unknown,
  language: Language,
  texts: TextLookup,
): { status: number; body: ErrorBody; retryAfter: number | undefined } {
  if (thrown instanceof InvalidBodyError) {
    const { errors } = thrown;
    const [field = '', first = ''] = Object.entries(errors)[0] ?? []; // the first error is also at the top level, for clients that read a single error
    const body = { ...(field !== '' && { field }), error: first, errors, code: 'datos_invalidos' };
    return { status: 400, body, retryAfter: undefined };
  }
  const known = thrown instanceof OperationError ? thrown : toOperationError(thrown);
  const { status, code, field, retryAfter, next, location, publicKey } = known;
  const error = known.sendsCodeAsMessage ? code : texts(code, language, known.values);
  const errors = field === undefined ? undefined : { [field]: error };
  const invalid_token = known.invalidToken ? true : undefined;
  return { status, body: { field, error, errors, code, invalid_token, next, location, publicKey }, retryAfter };
}

const frameworkErrors: Readonly<Record<string, readonly [status: number, code: string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'tipo_de_contenido'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'cuerpo_demasiado_grande'],
  FST_ERR_BAD_URL: [400, 'direccion_mal_formada'],
  FST_ERR_ASYNC_CONSTRAINT: [400, 'direccion_mal_formada'],
};

function toOperationError(error: unknown): OperationError {
  if (error instanceof DatabaseUnavailableError)
    return new OperationError(503, 'servicio_no_disponible', { retryAfter: databaseRetryAfterS, cause: error });
  const { code, statusCode: status } = asObject(error);
  const known = typeof code === 'string' ? frameworkErrors[code] : undefined;
  if (known) return new OperationError(...known);
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new OperationError(status, 'cuerpo_mal_formado');
  return new OperationError(500, 'error_interno');
}
