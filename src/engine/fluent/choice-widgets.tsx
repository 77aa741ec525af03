import type { EnumOptionsType } from '@rjsf/utils';
import { isObject } from '../core/json.ts';
import { validatorRuntime } from '../core/validator-runtime.ts';
import { useEngine } from '../react/engine-context.ts';
import { toWidgetParts, type WidgetProps } from '../react/widget.ts';
import { Checkbox } from './checkbox.tsx';

// Choices of a widget. A read-only widget disables them, because HTML has no `readonly` for selects, radio buttons and checkboxes.
type Choices = readonly EnumOptionsType[];

const noChoices: Choices = [];

const createChoiceKey = (choice: unknown) => (isObject(choice) ? JSON.stringify(choice) : String(choice ?? ''));

export function CheckboxWidget(props: WidgetProps) {
  const { field, control, label } = toWidgetParts(props);
  const { readOnly, placeholder: _placeholder, autoComplete: _autoComplete, ...rest } = control;
  return (
    <Checkbox
      {...rest}
      disabled={rest.disabled || readOnly}
      checked={props.value === true}
      label={label}
      onChange={({ target }) => field.set(target.checked ? true : undefined)}
      onBlur={() => field.blur()}
    />
  );
}

interface SelectProps extends WidgetProps {
  readonly onChoose?: (value: unknown) => void;
}

export function SelectWidget(props: SelectProps) {
  const engine = useEngine();
  const { field, control } = toWidgetParts(props);
  const { onChoose = (value: unknown) => field.set(value) } = props;
  const choices = props.options.enumOptions ?? noChoices;
  const { readOnly, placeholder, ...rest } = control;
  return (
    <select
      {...rest}
      disabled={rest.disabled || readOnly}
      className="form-select"
      value={createChoiceKey(choices.find(({ value }) => validatorRuntime.equal(value, props.value))?.value)}
      onChange={({ target }) => onChoose(choices.find(({ value }) => createChoiceKey(value) === target.value)?.value)}
      onBlur={() => field.blur()}
    >
      <option value="">{placeholder ?? engine.t('choose')}</option>
      {choices.map(({ value, label }) => (
        <option key={createChoiceKey(value)} value={createChoiceKey(value)}>
          {label}
        </option>
      ))}
    </select>
  );
}

export function RadioWidget(props: WidgetProps) {
  return (
    <ChoiceGroup
      of={props}
      type="radio"
      isChosen={(value) => validatorRuntime.equal(props.value, value)}
      onChoose={(value) => toWidgetParts(props).field.set(value)}
    />
  );
}

export function CheckboxesWidget(props: WidgetProps) {
  const chosen: readonly unknown[] = Array.isArray(props.value) ? props.value : [];
  const toggle = (toggled: unknown, choices: Choices) => {
    const values = choices.map(({ value }): unknown => value);
    const next = values.filter((value) => chosen.includes(value) !== (value === toggled));
    toWidgetParts(props).field.set(next.length > 0 ? next : undefined);
  };
  return <ChoiceGroup of={props} type="checkbox" isChosen={(value) => chosen.includes(value)} onChoose={toggle} />;
}

interface ChoiceGroupProps {
  readonly of: WidgetProps;
  readonly type: 'radio' | 'checkbox';
  readonly isChosen: (value: unknown) => boolean;
  readonly onChoose: (value: unknown, choices: Choices) => void;
}

function ChoiceGroup({ of, type, isChosen, onChoose }: ChoiceGroupProps) {
  const { field, control, label } = toWidgetParts(of);
  const choices = of.options.enumOptions ?? noChoices;
  return (
    <fieldset className="form-radio" aria-describedby={control['aria-describedby']} id={control.id} tabIndex={-1}>
      <legend>{label}</legend>
      {choices.map(({ value, label: name }) => (
        <label key={createChoiceKey(value)}>
          <input
            type={type}
            name={control.name}
            disabled={control.disabled || control.readOnly}
            checked={isChosen(value)}
            onChange={() => onChoose(value, choices)}
            onBlur={() => field.blur()}
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
