import { reaction } from 'mobx';
import { useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { nestFieldValues } from '../../core/field-path.ts';
import { isObject, type JsonObject, type ValuesByName } from '../../core/json.ts';
import { listFieldsReadByLogic, renderLogicTemplate } from '../../core/json-logic.ts';
import { formatFieldFault, optionGoneMessageKey, noOptionsMessageKey } from '../../core/messages.ts';
import type { OperationParams } from '../../core/operation-result.ts';
import { parseExactNumber } from '../../core/values/numbers.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import { useEngine, type EngineServices } from '../engine-context.ts';
import { ChoicesLoadFailure } from '../choices-load-failure.tsx';
import { useOperationResponse } from '../use-operation-response.ts';
import {
  toWidgetParts,
  type ChoicePropertyNames,
  type OperationResponseState,
  type Widget,
  type WidgetProps,
} from '../widget.ts';
import { FormContext } from './form-context.ts';

type Choices = NonNullable<WidgetProps['options']['enumOptions']>;

interface OperationChoicesWidgetProps {
  readonly Widget: Widget;
  readonly props: WidgetProps;
  readonly operation: string;
}

export function OperationChoicesWidget(sourced: OperationChoicesWidgetProps) {
  const { params } = sourced.props.options;
  return isObject(params) ? (
    <DependentSourceWidget {...sourced} params={params as JsonObject} /> // ui.json is JSON
  ) : (
    <StaticSourceWidget {...sourced} />
  );
}

function StaticSourceWidget({ Widget, props, operation }: OperationChoicesWidgetProps) {
  const source = useFieldSource<OperationParams>(operation, undefined, props);
  return (
    <>
      <WithChoices Widget={Widget} props={props} source={source} />
      <ChoicesLoadFailure operation={operation} source={source} controlId={props.id} />
    </>
  );
}

/** Reloads the choices when a parameter changes. Clears and announces a value that is no longer a choice. A submit waits for the response. */
function DependentSourceWidget({
  Widget,
  props,
  operation,
  params,
}: OperationChoicesWidgetProps & { readonly params: JsonObject }) {
  const engine = useEngine();
  const parts = useContext(FormContext);
  const { field } = toWidgetParts(props);
  const { value } = props;
  const operationParams = useOperationParams(parts?.form, params);
  const source = useFieldSource(operation, operationParams, props);
  const values =
    source?.state === 'ready'
      ? listChoicesOfResponse(source, engine.choiceKeys, props.schema).map((choice): unknown => choice.value)
      : [];
  const settled = source === null || source.state === 'ready';
  const isGone = settled && value !== undefined && !values.includes(value);
  const [cleared, setCleared] = useState(false);
  if (cleared !== isGone && value !== undefined) setCleared(isGone);
  useEffect(() => {
    if (isGone) field.set(undefined);
  }, [field, isGone]);
  const formatMessage = (keyword: string) =>
    parts && formatFieldFault(parts.form.validator.screen, field.name, { keyword });
  const waiting = value !== undefined && !settled;
  const goneMessage = formatMessage(optionGoneMessageKey) ?? '';
  useEffect(() => {
    if (!waiting || operationParams === null) return undefined;
    return field.beforeSubmit(async () => {
      const loaded = await waitForSource(engine, operation, operationParams);
      if (loaded.state === 'failed') return { refused: engine.t('offline') };
      const offered = listChoicesOfResponse(loaded, engine.choiceKeys, props.schema).map(
        (choice): unknown => choice.value,
      );
      return offered.includes(field.value) ? undefined : { refused: goneMessage };
    });
  }, [waiting, engine, operation, operationParams, field, props.schema, goneMessage]);
  return (
    <>
      <WithChoices Widget={Widget} props={props} source={source} />
      <p role="status" className="form-help">
        {source?.state === 'loading' && <span className="visually-hidden">{engine.t('loading')}</span>}
        {cleared && value === undefined && <span>{formatMessage(optionGoneMessageKey)} </span>}
        {source?.state === 'ready' && values.length === 0 && formatMessage(noOptionsMessageKey)}
      </p>
      {source && (
        <ChoicesLoadFailure operation={operation} params={operationParams ?? {}} source={source} controlId={props.id} />
      )}
    </>
  );
}

/** Resolves when the operation has responded or its request has failed. */
function waitForSource(
  engine: EngineServices,
  operation: string,
  params: OperationParams,
): Promise<OperationResponseState> {
  return new Promise((resolve) => {
    const resolveIfSettled = () => {
      const source = engine.source(operation, params);
      if (source.state === 'loading') return;
      unsubscribe();
      resolve(source);
    };
    const unsubscribe = engine.subscribe(operation, resolveIfSettled, params);
    resolveIfSettled();
  });
}

/** With the option `fresh`, discards the choices when the field is removed, because choices such as free appointments change. */
function useFieldSource<Params extends OperationParams | null = OperationParams>(
  operation: string,
  params: Params | undefined,
  { options }: WidgetProps,
) {
  const engine = useEngine();
  const source = useOperationResponse(operation, params);
  const isFresh = options['fresh'] === true && params !== null;
  // After `useOperationResponse`, so that this field no longer listens when the response is discarded.
  useEffect(() => (isFresh ? () => engine.retry(operation, params) : undefined), [engine, isFresh, operation, params]);
  return source;
}

function useOperationParams(form: FormModel | undefined, params: JsonObject): OperationParams | null {
  const read = useMemo(() => {
    const names = listFieldsReadByLogic(params);
    return () => {
      const fields = names.flatMap((name) => form?.field(name) ?? []);
      const values = nestFieldValues(fields.map(({ name, visible, value }) => [name, visible ? value : undefined]));
      const rendered = renderOperationParams(params, { ...form?.context, form: values });
      return rendered && JSON.stringify(rendered);
    };
  }, [form, params]);
  const subscribe = useCallback((listener: () => void) => reaction(read, listener), [read]);
  const key = useSyncExternalStore(subscribe, read);
  return useMemo(
    () => (key === null ? null : (JSON.parse(key) as OperationParams)), // cast: `JSON.parse` returns `any`, but `key` contains serialized parameters
    [key],
  );
}

export function renderOperationParams(params: JsonObject, data: ValuesByName): OperationParams | null {
  const rendered = Object.entries(params).map(([name, part]) => [name, renderLogicTemplate(part, data)] as const);
  const isComplete = rendered.every(
    ([, part]) => (typeof part === 'string' && part !== '') || typeof part === 'number',
  );
  return isComplete ? Object.fromEntries(rendered.map(([name, part]) => [name, String(part)])) : null;
}

function WithChoices({
  Widget,
  props,
  source,
}: Omit<OperationChoicesWidgetProps, 'operation'> & { readonly source: OperationResponseState | null }) {
  const { choiceKeys, t } = useEngine();
  const waiting = source !== null && source.state !== 'ready';
  return (
    <Widget
      {...props}
      options={{ ...props.options, enumOptions: source ? listChoicesOfResponse(source, choiceKeys, props.schema) : [] }}
      registry={{ ...props.registry, formContext: { ...props.registry.formContext, source } }}
      placeholder={waiting ? t(source.state) : props.placeholder}
    />
  );
}

export function listChoicesOfResponse(
  source: OperationResponseState,
  keys: ChoicePropertyNames,
  { type }: Pick<WidgetProps['schema'], 'type'>,
): Choices {
  const items = source.state === 'ready' && Array.isArray(source.data) ? source.data.filter(isObject) : [];
  // Codes are often texts of digits. In a number field, a code that is not a number stays a text, so that validation rejects it.
  const isNumeric = type === 'number' || type === 'integer';
  const parseValue = (text: string) => (isNumeric ? (parseExactNumber(text) ?? text) : text);
  return items.map((item) => ({
    value: parseValue(findFirstText(item, keys.value)),
    label: findFirstText(item, keys.label),
  }));
}

function findFirstText(item: ValuesByName, keys: readonly string[]): string {
  const value = keys.map((key) => item[key]).find((found) => found !== undefined);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
