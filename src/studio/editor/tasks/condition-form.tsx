import { useState } from 'react';
import type { Logic } from '../../../engine/core/definition.ts';
import { t } from '../../texts.ts';
import { casesOf, logicOf, valueOfKind, type Condition, type Conditions, type ValueKind } from './conditions.ts';
import { ChoiceField, TextField, useOpenedForm } from '../controls.tsx';
import { logicSentence, subjectName } from './logic-sentence.ts';

interface ConditionFormProps {
  readonly field: string;
  readonly start: Conditions;
  /** What conditions may ask for, with its name for people. */
  readonly subjects: readonly (readonly [path: string, text: string])[];
  /** What values they have, where that is known. */
  readonly kinds: Readonly<Record<string, ValueKind>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly onApply: (logic: Logic | undefined) => void;
  readonly onCancel: () => void;
}

/** Most conditions whose cases are listed. */
const mostListed = 3;

/** Builds the rule of when a field is shown: conditions, the sentence that they make, and every case of them. */
export function ConditionForm({ field, start, subjects: known, kinds, labels, onApply, onCancel }: ConditionFormProps) {
  // What a rule asks for that is no field or option, e.g. a variable, can go on being asked for.
  const others = start.list.map(({ subject }) => subject).filter((path) => known.every(([own]) => own !== path));
  const subjects = [
    ...known,
    ...[...new Set(others)].map((path) => [path, subjectName({ var: path }, labels)] as const),
  ];
  const [{ join, list }, setConditions] = useState<Conditions>(
    start.list.length > 0 ? start : { join: 'and', list: [emptyCondition(subjects)] },
  );
  const setList = (next: readonly Condition[]): void => setConditions({ join, list: next });
  const change = (index: number, part: Partial<Condition>): void =>
    setList(list.map((one, place) => (place === index ? { ...one, ...part } : one)));
  const logic = logicOf({ join, list });
  const sentences = list.map((one) => logicSentence(logicOf({ join, list: [one] }) ?? true, labels));
  const form = useOpenedForm();
  return (
    <form
      ref={form}
      className="studio-task"
      aria-label={t('condition', { field })}
      onSubmit={(event) => {
        event.preventDefault();
        onApply(logic);
      }}
    >
      {list.map(({ subject, test, value }, index) => (
        <fieldset key={index} className="studio-fields">
          <legend>{index + 1}</legend>
          <ChoiceField
            label={t('subject')}
            value={subject}
            options={subjects}
            onChange={(next) =>
              change(index, { subject: next, value: valueOfKind(value, kinds[next] ?? kindOf(value)) })
            }
          />
          <ChoiceField
            label={t('test')}
            value={test}
            options={tests.map((each) => [each, t(each)])}
            onChange={(next) =>
              change(index, {
                test: tests.find((each) => each === next) ?? 'set',
                ...(value === '' && { value: valueOfKind(value, kinds[subject] ?? 'text') }),
              })
            }
          />
          {(test === 'is' || test === 'isNot') && (
            <ValueField
              value={value}
              kind={kinds[subject] ?? kindOf(value)}
              onChange={(next) => change(index, { value: next })}
            />
          )}
          <button type="button" className="button" onClick={() => setList(list.filter((_, place) => place !== index))}>
            {t('removeCondition', { number: index + 1 })}
          </button>
        </fieldset>
      ))}
      {list.length > 1 && (
        <ChoiceField
          label={t('join')}
          value={join}
          options={[
            ['and', t('and')],
            ['or', t('or')],
          ]}
          onChange={(next) => setConditions({ join: next === 'or' ? 'or' : 'and', list })}
        />
      )}
      <p role="status">
        {t('visible')} {logic === undefined ? t('always_') : t('when', { rule: logicSentence(logic, labels) })}
      </p>
      {list.length > 0 && list.length <= mostListed && (
        <table className="studio-table">
          <caption>{t('tableOfCases')}</caption>
          <thead>
            <tr>
              {sentences.map((sentence, index) => (
                <th key={index} scope="col">
                  {sentence}
                </th>
              ))}
              <th scope="col">{field}</th>
            </tr>
          </thead>
          <tbody>
            {casesOf({ join, list }).map(({ holds, shown }) => (
              <tr key={holds.join()}>
                {holds.map((isHeld, index) => (
                  <td key={index}>{t(isHeld ? 'yes' : 'no')}</td>
                ))}
                <td>{t(shown ? 'shown' : 'hidden')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="studio-buttons">
        <button type="button" className="button" onClick={() => setList([...list, emptyCondition(subjects)])}>
          {t('addCondition')}
        </button>
        <button type="submit" className="button">
          {t('apply')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('cancel')}
        </button>
      </p>
    </form>
  );
}

const tests = ['set', 'unset', 'is', 'isNot'] as const;

function emptyCondition(subjects: ConditionFormProps['subjects']): Condition {
  return { subject: subjects[0]?.[0] ?? '', test: 'set', value: '' };
}

interface ValueFieldProps {
  readonly value: Condition['value'];
  readonly kind: ValueKind;
  readonly onChange: (value: Condition['value']) => void;
}

/** The value that a condition compares with: as it was read until it is edited, then of its subject's kind. */
function ValueField({ value, kind, onChange }: ValueFieldProps) {
  if (kind === 'boolean')
    return (
      <ChoiceField
        label={t('value')}
        value={String(value)}
        options={[
          ['true', t('yes')],
          ['false', t('no')],
        ]}
        onChange={(next) => onChange(next === 'true')}
      />
    );
  return <TextField label={t('value')} value={String(value)} onChange={(next) => onChange(valueOfKind(next, kind))} />;
}

function kindOf(value: Condition['value']): ValueKind {
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean';
}
