import { Checkbox } from '@fluentui/react-components';
import type { EnumOptionsType } from '@rjsf/utils';
import { lazy, Suspense } from 'react';
import { isObject, type JsonObject, type Values } from '../core/json.ts';
import { useEngine } from '../react/engine-context.ts';
import { SourceFailure } from '../react/source-failure.tsx';
import { useSource } from '../react/sources.ts';
import { widgetParts, type ControlAttributes, type Source, type Widget, type WidgetProps } from '../react/widget.ts';
import { textOf } from './text-of.ts';

type Choices = readonly EnumOptionsType[];

const none: Choices = [];

/** A box to tick; it draws its label. */
export function CheckboxWidget(props: WidgetProps) {
  const { field, control, label } = widgetParts(props);
  const { readOnly: _readOnly, placeholder: _placeholder, autoComplete: _autoComplete, ...rest } = control;
  return (
    <Checkbox
      {...rest}
      checked={props.value === true}
      label={label}
      onChange={(_, { checked }) => field.set(checked === true ? true : undefined)}
      onBlur={() => field.blur()}
    />
  );
}

/** Where the answer of a source, a list of objects, keeps what is stored of a choice and what is read of it: the first key that an object has. */
export interface ChoiceKeys {
  readonly value: readonly string[];
  readonly label: readonly string[];
}

/** A native select, of the choices of the schema or of those that the call in `source` answers. */
export function selectWidget(keys: ChoiceKeys): Widget {
  return function SelectWidget(props) {
    const { source, params } = props.options;
    if (typeof source === 'string' && isObject(params))
      return <DependentSelect props={props} call={source} params={params as JsonObject} keys={keys} />; // of ui.json
    return typeof source === 'string' ? (
      <SourceSelect props={props} call={source} keys={keys} />
    ) : (
      <Select props={props} choices={props.options.enumOptions ?? none} />
    );
  };
}

function SourceSelect({ props, call, keys }: { props: WidgetProps; call: string; keys: ChoiceKeys }) {
  const engine = useEngine();
  const source = useSource(call);
  return (
    <>
      <Select
        props={props}
        choices={choicesIn(source, keys)}
        placeholder={source.state === 'ready' ? undefined : engine.t(source.state)}
      />
      <SourceFailure call={call} source={source} />
    </>
  );
}

const DependentChoices = lazy(async () => ({
  default: (await import('../react/field/dependent-choices.tsx')).DependentChoices,
}));

interface DependentSelectProps {
  readonly props: WidgetProps;
  readonly call: string;
  readonly params: JsonObject;
  readonly keys: ChoiceKeys;
}

function DependentSelect({ props, call, params, keys }: DependentSelectProps) {
  const engine = useEngine();
  const draw = (source: Source | null) => (
    <Select
      props={props}
      choices={source ? choicesIn(source, keys) : none}
      placeholder={source === null || source.state === 'ready' ? undefined : engine.t(source.state)}
    />
  );
  return (
    <Suspense fallback={draw({ state: 'loading' })}>
      <DependentChoices
        props={props}
        call={call}
        params={params}
        valuesOf={(source) => choicesIn(source, keys).map(({ value }): unknown => value)}
        draw={draw}
      />
    </Suspense>
  );
}

function choicesIn(source: Source, keys: ChoiceKeys): Choices {
  const items = source.state === 'ready' && Array.isArray(source.data) ? source.data.filter(isObject) : [];
  return items.map((item) => ({ value: firstText(item, keys.value), label: firstText(item, keys.label) }));
}

function firstText(item: Values, keys: readonly string[]): string {
  return textOf(keys.map((key) => item[key]).find((value) => value !== undefined));
}

function Select({
  props,
  choices,
  placeholder,
}: {
  props: WidgetProps;
  choices: Choices;
  placeholder?: string | undefined;
}) {
  const engine = useEngine();
  const { field, control } = widgetParts(props);
  const { readOnly: _readOnly, placeholder: own, ...rest } = control;
  return (
    <select
      {...rest}
      className="form-select"
      value={textOf(props.value)}
      onChange={({ target }) => field.set(choices.find(({ value }) => textOf(value) === target.value)?.value)}
      onBlur={() => field.blur()}
    >
      <option value="">{placeholder ?? own ?? engine.t('choose')}</option>
      {choices.map(({ value, label }) => (
        <option key={textOf(value)} value={textOf(value)}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** One of a list, all of which are seen. */
export function RadioWidget(props: WidgetProps) {
  const { field, control, label } = widgetParts(props);
  return (
    <ChoiceGroup
      control={control}
      label={label}
      choices={props.options.enumOptions ?? none}
      type="radio"
      isChosen={(value) => props.value === value}
      onChoose={(value) => field.set(value)}
      onBlur={() => field.blur()}
    />
  );
}

/** Several of a list: the value holds them in the order of the list. */
export function CheckboxesWidget(props: WidgetProps) {
  const { field, control, label } = widgetParts(props);
  const chosen: readonly unknown[] = Array.isArray(props.value) ? props.value : [];
  const choices = props.options.enumOptions ?? none;
  const toggle = (toggled: unknown) => {
    const values = choices.map(({ value }): unknown => value);
    const next = values.filter((value) => chosen.includes(value) !== (value === toggled));
    field.set(next.length > 0 ? next : undefined);
  };
  return (
    <ChoiceGroup
      control={control}
      label={label}
      choices={choices}
      type="checkbox"
      isChosen={(value) => chosen.includes(value)}
      onChoose={toggle}
      onBlur={() => field.blur()}
    />
  );
}

interface ChoiceGroupProps {
  readonly control: ControlAttributes;
  readonly label: string;
  readonly choices: Choices;
  readonly type: 'radio' | 'checkbox';
  readonly isChosen: (value: unknown) => boolean;
  readonly onChoose: (value: unknown) => void;
  readonly onBlur: () => void;
}

function ChoiceGroup({ control, label, choices, type, isChosen, onChoose, onBlur }: ChoiceGroupProps) {
  return (
    <fieldset className="form-radio" aria-describedby={control['aria-describedby']} id={control.id} tabIndex={-1}>
      <legend>{label}</legend>
      {choices.map(({ value, label: name }) => (
        <label key={textOf(value)}>
          <input
            type={type}
            name={control.name}
            disabled={control.disabled}
            checked={isChosen(value)}
            onChange={() => onChoose(value)}
            onBlur={onBlur}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
