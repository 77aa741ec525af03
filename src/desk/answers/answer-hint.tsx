import type { OperationFailure } from '../../engine/core/operation.ts';
import { LoadError } from '../../engine/react/flow/failed.tsx';
import { Waiting } from '../../engine/react/flow/waiting.tsx';
import { usePortal } from '../../portal/portal-context.ts';
import type { Asked } from './use-answer.ts';
import { Nothing } from './nothing.tsx';

export function AnswerHint({ answer, failure }: Pick<Asked<unknown>, 'answer' | 'failure'>) {
  const { t } = usePortal();
  if (failure !== null) return <Refused failure={failure} />;
  return answer === null ? <Waiting text={t('loading')} /> : null;
}

function Refused({ failure }: { failure: OperationFailure }) {
  return failure.status === 404 ? <Nothing /> : <LoadError text={failure.error} />;
}
