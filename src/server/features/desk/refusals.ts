import { OperationError } from '../../platform/base/errors.ts';

/** No account or record matches. */
export function unknown(): OperationError {
  return new OperationError(409, 'cuenta_desconocida');
}

export function own(): OperationError {
  return new OperationError(409, 'cuenta_propia');
}

/** The account is not activated, or is blocked. */
export function inactive(): OperationError {
  return new OperationError(409, 'cuenta_inactiva');
}

/** Within seven days, this agent made another change that decides who owns the account. */
export function otherAgent(): OperationError {
  return new OperationError(409, 'nivel_y_correo');
}
