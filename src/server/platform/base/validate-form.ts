import type { ValidatedForm, ValidatingScreen } from '../../../contract/contract.ts';
import type { Values } from '../../../engine/core/json.ts';
import type { OperationRequest } from './operation-request.ts';

/** Validates values of a body with a screen that the operation lists in `validators`, using the caller's facts. Throws a `RefusedBody`. */
export type ValidateForm = <Screen extends ValidatingScreen>(
  screen: Screen,
  values: Values,
  request: Pick<OperationRequest<'answerChallenge'>, 'caller' | 'origin'>,
) => Promise<ValidatedForm<Screen>>;
