import type { JudgedForm, JudgingScreen } from '../../../contract/contract.ts';
import type { Values } from '../../../engine/core/json.ts';
import type { OperationRequest } from './operation-request.ts';

/**
 * Checks a part of a body by a screen that the row of its operation names in `judges`, with the facts of whoever calls; throws RefusedBody.
 */
export type Judge = <Screen extends JudgingScreen>(
  screen: Screen,
  values: Values,
  request: Pick<OperationRequest<'answerChallenge'>, 'caller' | 'origin'>,
) => Promise<JudgedForm<Screen>>;
