import { observer } from 'mobx-react-lite';
import { useEffect, useMemo } from 'react';
import { isObject } from '../../core/json.ts';
import { AsyncFieldCheck } from '../../runtime/form/async-field-check.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import { useEngine } from '../engine-context.ts';

interface AsyncCheckedFieldProps {
  readonly field: Pick<FieldModel, 'checkWith'>;
  readonly operation: string;
}

/** Validates a field with an operation (`check` in its options), which responds with a `message` to reject the value. Renders the status. */
export const AsyncCheckedField = observer(function AsyncCheckedField({ field, operation }: AsyncCheckedFieldProps) {
  const engine = useEngine();
  const check = useMemo(
    () =>
      new AsyncFieldCheck(async (value, signal) => {
        const response = await engine.load(operation, { value: String(value) }, signal);
        return isObject(response) && typeof response.message === 'string' ? response.message : null;
      }),
    [engine, operation],
  );
  useEffect(() => field.checkWith(check), [field, check]);
  return (
    <p role="status" className="form-help">
      {check.isPending && engine.t('busy')}
    </p>
  );
});
