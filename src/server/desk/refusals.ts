import { CallError } from '../base/errors.ts';

/** Nobody is known by what the agent gave. */
export function unknown(): CallError {
  return new CallError(409, 'cuenta_desconocida');
}

/** It is about the agent's own account. */
export function own(): CallError {
  return new CallError(409, 'cuenta_propia');
}
