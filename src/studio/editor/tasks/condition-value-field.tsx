import { t } from '../../texts.ts';
import { CheckboxGroupField, ChoiceField, TextField } from '../form-controls.tsx';
import {
  convertConditionValue,
  inferConditionValueKind,
  isConditionValueList,
  isVariableReference,
  type ConditionSubjectKind,
  type ConditionSubjects,
  type ConditionValue,
  type RuleCondition,
} from './rule-conditions.ts';

interface ConditionValueFieldProps {
  readonly condition: RuleCondition;
  readonly kind: ConditionSubjectKind | undefined;
  /** Subjects with which the value may be compared. Empty if only constants are allowed. */
  readonly subjects: ConditionSubjects['list'];
  readonly onChange: (value: RuleCondition['value']) => void;
}

/** Editor for the value of a condition. Converts the value to another type only when the user edits it. */
export function ConditionValueField({ condition, kind, subjects, onChange }: ConditionValueFieldProps) {
  const { operator, value, subject } = condition;
  if (isConditionValueList(value)) return <ListField list={value} kind={kind} onChange={onChange} />;
  const isOther = isVariableReference(value);
  return (
    <>
      {operator !== 'contains' && operator !== 'lacks' && subjects.length > 0 && (
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
        <SingleValueField value={value} kind={kind ?? { kind: inferConditionValueKind(value) }} onChange={onChange} />
      )}
    </>
  );
}

type SingleValueFieldProps = {
  readonly value: ConditionValue;
  readonly kind: ConditionSubjectKind;
  readonly onChange: (value: ConditionValue) => void;
};

function SingleValueField({ value, kind: { kind, choices = [] }, onChange }: SingleValueFieldProps) {
  const known: ConditionSubjectKind['choices'] =
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
        onChange={(next) => onChange(convertConditionValue(next, kind))}
      />
    );
  const options = addMissingChoices(known, [value]);
  return (
    <ChoiceField
      label={t('value')}
      value={JSON.stringify(value)}
      options={options.map(([own, label]) => [JSON.stringify(own), label])}
      onChange={(next) => onChange(JSON.parse(next) as ConditionValue)} // the cast is safe, because the value is one of the options
    />
  );
}

interface ListFieldProps {
  readonly list: readonly ConditionValue[];
  readonly kind: ConditionSubjectKind | undefined;
  readonly onChange: (list: readonly ConditionValue[]) => void;
}

function ListField({ list, kind, onChange }: ListFieldProps) {
  if (!kind?.choices) {
    const own = kind?.kind ?? inferConditionValueKind(list[0] ?? '');
    return (
      <TextField
        label={t('values')}
        value={list.map(String).join('\n')}
        long
        onChange={(text) =>
          onChange(text === '' ? [] : text.split('\n').map((line) => convertConditionValue(line, own)))
        }
      />
    );
  }
  return (
    <CheckboxGroupField
      label={t('value')}
      value={list}
      options={addMissingChoices(kind.choices, list)}
      onChange={onChange}
    />
  );
}

function addMissingChoices(choices: NonNullable<ConditionSubjectKind['choices']>, values: readonly ConditionValue[]) {
  const others = values.filter((value) => choices.every(([own]) => own !== value));
  return [...choices, ...others.map((value) => [value, String(value ?? t('sayNothing'))] as const)];
}
