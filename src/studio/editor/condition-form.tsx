import { useState } from 'react';
import type { Logic } from '../../engine/core/definition.ts';
import { t } from '../texts.ts';
import { casesOf, logicOf, type Condition, type Conditions } from './conditions.ts';
import { ChoiceField, useOpenedForm } from './controls.tsx';
import { logicSentence } from './logic-sentence.ts';

interface ConditionFormProps {
  readonly field: string;
  readonly start: Conditions;
  /** What conditions may ask for, with its name for people. */
  readonly subjects: readonly (readonly [path: string, text: string])[];
  /** Fields whose values are yes and no, and those of numbers. */
  readonly types: Readonly<Record<string, 'boolean' | 'number' | 'text'>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly onApply: (logic: Logic | undefined) => void;
  readonly onCancel: () => void;
}

/** Most conditions whose cases are listed. */
const mostListed = 3;

/** Builds the rule of when a field is shown: conditions, the sentence that they make, and every case of them. */
export function ConditionForm({ field, start, subjects, types, labels, onApply, onCancel }: ConditionFormProps) {
  const [{ join, list }, setConditions] = useState<Conditions>(
    start.list.length > 0 ? start : { join: 'and', list: [emptyCondition(subjects)] },
  );
  const setList = (next: readonly Condition[]): void => setConditions({ join, list: next });
  const change = (index: number, part: Partial<Condition>): void =>
    setList(list.map((one, place) => (place === index ? { ...one, ...part } : one)));
  const typedList = list.map((one) => ({ ...one, value: typedValue(one, types) }));
  const logic = logicOf({ join, list: typedList });
  const sentences = typedList.map((one) => logicSentence(logicOf({ join, list: [one] }) ?? true, labels));
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
            onChange={(next) => change(index, { subject: next })}
          />
          <ChoiceField
            label={t('test')}
            value={test}
            options={tests.map((each) => [each, t(each)])}
            onChange={(next) => change(index, { test: tests.find((each) => each === next) ?? 'set' })}
          />
          {(test === 'is' || test === 'isNot') && (
            <label className="studio-field">
              {t('value')}
              <input value={String(value)} onChange={({ target }) => change(index, { value: target.value })} />
            </label>
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

function typedValue({ subject, value }: Condition, types: ConditionFormProps['types']): Condition['value'] {
  const type = types[subject];
  if (type === 'boolean') return value === true || value === 'true' || value === t('yes');
  return type === 'number' ? Number(value) : String(value);
}
