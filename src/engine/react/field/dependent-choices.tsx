import { reaction } from 'mobx';
import { useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react';
import { nested } from '../../core/field-path.ts';
import type { JsonObject } from '../../core/json.ts';
import { render, listVariables } from '../../core/logic.ts';
import { faultMessage, optionsGone, optionsNone } from '../../core/messages.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import { useEngine } from '../engine-context.ts';
import { SourceFailure } from '../source-failure.tsx';
import { widgetParts, type Source, type WidgetProps } from '../widget.ts';
import { FormContext } from './form-context.ts';

export interface DependentChoicesProps {
  readonly props: WidgetProps;
  readonly operation: string;
  /** Parameters of the operation: JSON-logic over the form and the facts. */
  readonly params: JsonObject;
  readonly listValues: (source: Source) => readonly unknown[];
  /** Draws the choices. `source` is `null` while a parameter is missing. */
  readonly draw: (source: Source | null) => ReactNode;
}

/**
 * A choice whose source is reloaded when a field in its parameters changes. Responses are stored by their parameters, so that a late one is never
 * used for other parameters. A chosen value that is no longer offered is cleared, which a status message announces. The form cannot be sent until the
 * response has arrived.
 */
export function DependentChoices({ props, operation, params, listValues, draw }: DependentChoicesProps) {
  const engine = useEngine();
  const form = useContext(FormContext);
  const { field } = widgetParts(props);
  const { value } = props;
  const asked = useAsked(form?.draft, params);
  const source = useAnswer(operation, asked);
  const values = source?.state === 'ready' ? listValues(source) : [];
  const settled = source === null || source.state === 'ready';
  const isGone = settled && value !== undefined && !values.includes(value);
  const [cleared, setCleared] = useState(false);
  if (cleared !== isGone && value !== undefined) setCleared(isGone);
  useEffect(() => {
    if (isGone) field.set(undefined);
  }, [field, isGone]);
  const waiting = value !== undefined && !settled;
  const why = source?.state === 'failed' ? engine.t('offline') : engine.t('loading');
  useEffect(
    () => (waiting ? field.beforeSubmit(() => Promise.resolve({ refused: why })) : undefined),
    [field, waiting, why],
  );
  const say = (keyword: string) => form && faultMessage(form.draft.validator.screen, field.name, { keyword });
  return (
    <>
      {draw(source)}
      <p role="status" className="form-help">
        {source?.state === 'loading' && engine.t('loading')}
        {cleared && value === undefined && <span>{say(optionsGone)} </span>}
        {source?.state === 'ready' && values.length === 0 && say(optionsNone)}
      </p>
      {source && <SourceFailure operation={operation} params={asked ?? {}} source={source} controlId={props.id} />}
    </>
  );
}

type OperationParams = Readonly<Record<string, string>>;

function useAsked(draft: FormModel | undefined, params: JsonObject): OperationParams | null {
  const read = useMemo(() => {
    const names = listVariables(params).flatMap((path) =>
      path.startsWith('form.') ? [path.slice('form.'.length)] : [],
    );
    return () => {
      const fields = names.flatMap((name) => draft?.field(name) ?? []);
      const form = nested(fields.map(({ name, visible, value }) => [name, visible ? value : undefined]));
      const given = Object.entries(params).map(([name, part]) => [name, render(part, { ...draft?.context, form })]);
      const whole = given.every(([, part]) => (typeof part === 'string' && part !== '') || typeof part === 'number');
      return whole ? JSON.stringify(given.map(([name, part]) => [name, String(part)])) : null;
    };
  }, [draft, params]);
  const subscribe = useCallback((listener: () => void) => reaction(read, listener), [read]);
  const key = useSyncExternalStore(subscribe, read);
  return useMemo(
    () => (key === null ? null : (Object.fromEntries(JSON.parse(key) as [string, string][]) as OperationParams)), // from JSON.stringify above
    [key],
  );
}

function useAnswer(operation: string, asked: OperationParams | null): Source | null {
  const engine = useEngine();
  const subscribe = useCallback(
    (listener: () => void) => (asked ? engine.subscribe(operation, listener, asked) : () => undefined),
    [engine, operation, asked],
  );
  return useSyncExternalStore(subscribe, () => asked && engine.source(operation, asked));
}
