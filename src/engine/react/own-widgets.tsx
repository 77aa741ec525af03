import { Checkbox, Input, Textarea } from '@fluentui/react-components';
import { observer } from 'mobx-react-lite';
import { useState, type ChangeEvent, type ComponentType } from 'react';
import { isObject, type Values } from '../core/json.ts';
import { runtime } from '../core/runtime.ts';
import type { OwnWidget } from '../core/widgets.ts';
import { useEngine } from './engine-context.ts';
import { Remaining } from './remaining.tsx';
import { SourceFailure } from './source-failure.tsx';
import { useSource } from './sources.ts';
import type { WidgetProps } from './widget.ts';

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

// An e-mail is no type="email": of such an input the browser tells no caret, which a change of case must keep.
const TextInput = observer(function TextInput({
  field,
  control,
  options,
  schema,
  kind,
}: WidgetProps & { kind: 'text' | 'email' | 'tel' }) {
  const inputMode = options.inputMode === 'numeric' ? 'numeric' : kind === 'email' ? kind : undefined;
  const maxLength = typeof schema.maxLength === 'number' && options.limitTyping === true ? schema.maxLength : undefined;
  const plain = kind === 'email' ? { autoCapitalize: 'none', spellCheck: false } : {};
  return (
    <Input
      {...control}
      {...plain}
      type={kind === 'tel' ? kind : 'text'}
      inputMode={inputMode}
      maxLength={maxLength}
      value={text(field.value)}
      onChange={({ target }, { value }) => {
        field.set(kind === 'email' ? value.trim() : value);
        keepCaret(target, text(field.value));
      }}
      onBlur={() => field.blur()}
    />
  );
});

// What a field changes of the typed text is written by hand: React would put the caret at its end.
function keepCaret(input: HTMLInputElement, value: string): void {
  if (input.value === value) return;
  const caret = input.selectionStart;
  input.value = value;
  input.setSelectionRange(caret, caret);
}

// What was typed stands as long as it means the value: "19," on the way to "19,5" is 19 already.
const NumberInput = observer(function NumberInput({ field, control, schema }: WidgetProps) {
  const [typed, setTyped] = useState(text(field.value));
  return (
    <Input
      {...control}
      inputMode={schema.type === 'integer' ? 'numeric' : 'decimal'}
      value={numberOf(typed) === field.value ? typed : text(field.value)}
      onChange={(_, { value }) => {
        setTyped(value);
        field.set(numberOf(value));
      }}
      onBlur={() => field.blur()}
    />
  );
});

// A comma or a point parts the decimals; what is no number stays as typed, for the rules to refuse.
function numberOf(typed: string): string | number | undefined {
  const number = Number(typed.replace(',', '.'));
  return typed.trim() === '' ? undefined : Number.isFinite(number) ? number : typed;
}

const DateInput = observer(function DateInput({ field, control }: WidgetProps) {
  return (
    <Input
      {...control}
      type="date"
      value={text(field.value)}
      onChange={(_, { value }) => field.set(value)}
      onBlur={() => field.blur()}
    />
  );
});

// With `counter` it tells how much may still be typed; it never cuts what is typed.
const TextArea = observer(function TextArea({ field, control, options, schema }: WidgetProps) {
  const { rows, counter } = options;
  const value = text(field.value);
  return (
    <>
      <Textarea
        {...control}
        rows={typeof rows === 'number' ? rows : 4}
        value={value}
        onChange={(_, { value: typed }) => field.set(typed)}
        onBlur={() => field.blur()}
      />
      {counter === true && typeof schema.maxLength === 'number' && (
        <Remaining left={schema.maxLength - runtime.ucs2length(value)} />
      )}
    </>
  );
});

const CheckBox = observer(function CheckBox({ field, control, label }: WidgetProps) {
  const { readOnly: _readOnly, placeholder: _placeholder, autoComplete: _autoComplete, ...rest } = control;
  return (
    <Checkbox
      {...rest}
      checked={field.value === true}
      label={label}
      onChange={(_, { checked }) => field.set(checked === true ? true : undefined)}
      onBlur={() => field.blur()}
    />
  );
});

const Select = observer(function Select({ field, control, schema, options }: WidgetProps) {
  const engine = useEngine();
  const { readOnly: _readOnly, placeholder, ...rest } = control;
  const choices = choicesOf(schema.enum, options.labels);
  return (
    <select
      {...rest}
      className="form-select"
      value={text(field.value)}
      onChange={({ target }: ChangeEvent<HTMLSelectElement>) =>
        field.set(choices.find(({ value }) => text(value) === target.value)?.value)
      }
      onBlur={() => field.blur()}
    >
      <option value="">{placeholder ?? engine.text('choose')}</option>
      {choices.map(({ value, label }) => (
        <option key={text(value)} value={text(value)}>
          {label}
        </option>
      ))}
    </select>
  );
});

// A select whose choices a call answers.
const SourceSelect = observer(function SourceSelect(props: WidgetProps) {
  const engine = useEngine();
  const source = useSource(String(props.options.source));
  const items = source.state === 'ready' && Array.isArray(source.data) ? source.data.filter(isObject) : [];
  const { value: valueKeys, label: labelKeys } = engine.choiceKeys;
  const values = items.map((item) => firstText(item, valueKeys));
  const placeholder = source.state === 'ready' ? props.control.placeholder : engine.text(source.state);
  return (
    <>
      <Select
        {...props}
        control={{ ...props.control, placeholder }}
        schema={{ ...props.schema, enum: values }}
        options={{ ...props.options, labels: items.map((item) => firstText(item, labelKeys)) }}
      />
      <SourceFailure call={String(props.options.source)} source={source} />
    </>
  );
});

function firstText(item: Values, keys: readonly string[]): string {
  return text(keys.map((key) => item[key]).find((value) => value !== undefined));
}

const Radio = observer(function Radio({ field, control, schema, options, label }: WidgetProps) {
  return (
    <Choices
      control={control}
      label={label}
      choices={choicesOf(schema.enum, options.labels)}
      type="radio"
      isChosen={(value) => field.value === value}
      onChoose={(value) => field.set(value)}
      onBlur={() => field.blur()}
    />
  );
});

// Several of a list: the value holds them in the order of the list.
const Checkboxes = observer(function Checkboxes({ field, control, schema, options, label }: WidgetProps) {
  const chosen: readonly unknown[] = Array.isArray(field.value) ? field.value : [];
  const choices = choicesOf(isObject(schema.items) ? schema.items.enum : undefined, options.labels);
  const toggle = (toggled: unknown) => {
    const next = choices.map(({ value }) => value).filter((value) => chosen.includes(value) !== (value === toggled));
    field.set(next.length > 0 ? next : undefined);
  };
  return (
    <Choices
      control={control}
      label={label}
      choices={choices}
      type="checkbox"
      isChosen={(value) => chosen.includes(value)}
      onChoose={toggle}
      onBlur={() => field.blur()}
    />
  );
});

interface ChoicesProps extends Pick<WidgetProps, 'control' | 'label'> {
  readonly choices: readonly Choice[];
  readonly type: 'radio' | 'checkbox';
  readonly isChosen: (value: unknown) => boolean;
  readonly onChoose: (value: unknown) => void;
  readonly onBlur: () => void;
}

// It asks what is chosen where it is drawn: it is what has to watch the value.
const Choices = observer(function Choices({ control, label, choices, type, isChosen, onChoose, onBlur }: ChoicesProps) {
  return (
    <fieldset className="form-radio" aria-describedby={control['aria-describedby']} id={control.id} tabIndex={-1}>
      <legend>{label}</legend>
      {choices.map(({ value, label: name }) => (
        <label key={text(value)}>
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
});

interface Choice {
  readonly value: unknown;
  readonly label: string;
}

function choicesOf(values: unknown, labels: unknown): readonly Choice[] {
  const names: unknown[] = Array.isArray(labels) ? labels : [];
  return Array.isArray(values)
    ? values.map((value: unknown, index) => ({ value, label: text(names[index] ?? value) }))
    : [];
}

function Text(props: WidgetProps) {
  return <TextInput {...props} kind="text" />;
}

function Email(props: WidgetProps) {
  return <TextInput {...props} kind="email" />;
}

function Tel(props: WidgetProps) {
  return <TextInput {...props} kind="tel" />;
}

function Selection(props: WidgetProps) {
  return typeof props.options.source === 'string' ? <SourceSelect {...props} /> : <Select {...props} />;
}

// One that names its autocomplete is for password managers, which look for the name of the account beside the password.
const Hidden = observer(function Hidden({ field, control }: WidgetProps) {
  if (control.autoComplete === undefined) return null;
  return (
    <input
      hidden
      readOnly
      type="text"
      id={control.id}
      name={control.name}
      autoComplete={control.autoComplete}
      value={text(field.value)}
    />
  );
});

/** The widgets of the engine by their name in `ui:widget`. */
export const widgetsByName: Readonly<Record<string, ComponentType<WidgetProps>>> = {
  text: Text,
  email: Email,
  tel: Tel,
  textarea: TextArea,
  number: NumberInput,
  checkbox: CheckBox,
  select: Selection,
  radio: Radio,
  checkboxes: Checkboxes,
  date: DateInput,
  hidden: Hidden,
} satisfies Record<OwnWidget, ComponentType<WidgetProps>>;

/** Widgets that draw the field's label themselves. */
export const selfLabelled: ReadonlySet<string> = new Set<OwnWidget>(['checkbox', 'radio', 'checkboxes', 'hidden']);

/** The widget of a field without `ui:widget`. */
export function defaultWidget(schema: {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly format?: unknown;
}): OwnWidget {
  if (schema.type === 'array') return 'checkboxes';
  if (Array.isArray(schema.enum)) return 'select';
  if (schema.type === 'boolean') return 'checkbox';
  if (schema.type === 'number' || schema.type === 'integer') return 'number';
  return schema.format === 'date' ? 'date' : 'text';
}
