import { t } from '../../texts.ts';
import { ChecksField, ChoiceField, TextField } from '../controls.tsx';
import { convertValue, type Condition, type SubjectKind, type Subjects, type Value } from './conditions.ts';

interface ValueFieldProps {
  readonly condition: Condition;
  readonly kind: SubjectKind | undefined;
  readonly subjects: Subjects['list'];
  readonly onChange: (value: Condition['value']) => void;
}

/** Editor of the value of a condition. A value keeps its type until it is edited. */
export function ValueField({ condition, kind, subjects, onChange }: ValueFieldProps) {
  const { test, value, subject } = condition;
  if (isList(value)) return <ListField list={value} kind={kind} onChange={onChange} />;
  const isOther = isVariable(value);
  return (
    <>
      {test !== 'contains' && test !== 'lacks' && (
        <ChoiceField
          label={t('against')}
          value={isOther ? 'other' : 'value'}
          options={[
            ['value', t('againstValue')],
            ['other', t('againstOther')],
          ]}
          onChange={(next) =>
            onChange(next === 'other' ? { var: subjects.find(([path]) => path !== subject)?.[0] ?? '' } : '')
          }
        />
      )}
      {isOther ? (
        <ChoiceField
          label={t('value')}
          value={value.var}
          options={subjects}
          onChange={(next) => onChange({ var: next })}
        />
      ) : (
        <OneField value={value} kind={kind ?? { kind: inferKind(value) }} onChange={onChange} />
      )}
    </>
  );
}

type OneFieldProps = { readonly value: Value; readonly kind: SubjectKind; readonly onChange: (value: Value) => void };

function OneField({ value, kind: { kind, choices = [] }, onChange }: OneFieldProps) {
  const known: SubjectKind['choices'] =
    kind === 'boolean'
      ? [
          [true, t('yes')],
          [false, t('no')],
        ]
      : choices;
  if (known.length === 0)
    return (
      <TextField
        label={t('value')}
        value={String(value ?? '')}
        onChange={(next) => onChange(convertValue(next, kind))}
      />
    );
  const options = withValues(known, [value]);
  return (
    <ChoiceField
      label={t('value')}
      value={JSON.stringify(value)}
      options={options.map(([own, label]) => [JSON.stringify(own), label])}
      onChange={(next) => onChange(JSON.parse(next) as Value)} // one of the options
    />
  );
}

interface ListFieldProps {
  readonly list: readonly Value[];
  readonly kind: SubjectKind | undefined;
  readonly onChange: (list: readonly Value[]) => void;
}

function ListField({ list, kind, onChange }: ListFieldProps) {
  if (!kind?.choices) {
    const own = kind?.kind ?? inferKind(list[0] ?? '');
    return (
      <TextField
        label={t('values')}
        value={list.map(String).join('\n')}
        long
        onChange={(text) => onChange(text === '' ? [] : text.split('\n').map((line) => convertValue(line, own)))}
      />
    );
  }
  return <ChecksField label={t('value')} value={list} options={withValues(kind.choices, list)} onChange={onChange} />;
}

/** Returns the initial value after a change of subject or operator. It has the type of the subject, and is a list if the operator needs one. */
export function startValue(next: Condition, before: Condition, kind: SubjectKind | undefined): Condition['value'] {
  const { test, value, subject } = next;
  const [first = ''] = isList(value) ? value : [value];
  const needsList = test === 'in' || test === 'notIn';
  const isSame = subject === before.subject && needsList === isList(value) && value !== '';
  if (isSame || (isVariable(first) && !needsList)) return value;
  const one = isVariable(first) ? '' : first;
  const known = kind?.choices?.some(([own]) => own === one) ? one : kind?.choices?.[0]?.[0];
  const own = known ?? convertValue(one, kind?.kind ?? inferKind(one));
  if (!needsList) return own;
  return one === '' && known === undefined ? [] : [own];
}

function withValues(choices: NonNullable<SubjectKind['choices']>, values: readonly Value[]) {
  const others = values.filter((value) => choices.every(([own]) => own !== value));
  return [...choices, ...others.map((value) => [value, String(value ?? t('sayNothing'))] as const)];
}

function isList(value: Condition['value']): value is readonly Value[] {
  return Array.isArray(value);
}

function isVariable(value: Condition['value']): value is { readonly var: string } {
  return typeof value === 'object' && value !== null && !isList(value);
}

function inferKind(value: Value): SubjectKind['kind'] {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
}
