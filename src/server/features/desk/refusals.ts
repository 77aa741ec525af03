import { OperationError } from '../../platform/base/errors.ts';

/** Nobody is known by what the agent gave. */
export function unknown(): OperationError {
  return new OperationError(409, 'cuenta_desconocida');
}

/** It is about the agent's own account. */
export function own(): OperationError {
  return new OperationError(409, 'cuenta_propia');
}

/** Nobody has activated the account, or it is blocked. */
export function inactive(): OperationError {
  return new OperationError(409, 'cuenta_inactiva');
}

/** This agent did the other act that decides who the account belongs to, within the last seven days. */
export function otherAgent(): OperationError {
  return new OperationError(409, 'nivel_y_correo');
}
