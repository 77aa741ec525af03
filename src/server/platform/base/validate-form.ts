import type { ValidatedForm, ValidatingScreen } from '../../../contract/contract.ts';
import type { Values } from '../../../engine/core/json.ts';
import type { OperationRequest } from './operation-request.ts';

/**
 * Checks a part of a body by a screen that the row of its operation names in `validators`, with the facts of whoever calls; throws RefusedBody.
 */
export type ValidateForm = <Screen extends ValidatingScreen>(
  screen: Screen,
  values: Values,
  request: Pick<OperationRequest<'answerChallenge'>, 'caller' | 'origin'>,
) => Promise<ValidatedForm<Screen>>;
