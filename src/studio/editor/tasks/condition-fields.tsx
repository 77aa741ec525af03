import { Button } from '@fluentui/react-components';
import { t } from '../../texts.ts';
import { ChoiceField } from '../controls.tsx';
import { isGroup, joins, tests, type Condition, type Group, type Subjects } from './conditions.ts';
import { startValue, ValueField } from './value-field.tsx';

interface GroupFieldsProps {
  readonly group: Group;
  /** The number of the group in those around it, e.g. `2.1`; empty of the outermost. */
  readonly number: string;
  readonly subjects: Subjects;
  readonly onChange: (group: Group) => void;
}

/** The conditions of a group, those of its groups within, and how they are joined. */
export function GroupFields({ group, number, subjects, onChange }: GroupFieldsProps) {
  const { join, list } = group;
  const setList = (next: Group['list']): void => onChange({ join, list: next });
  const named = (key: 'addCondition' | 'addGroup') =>
    number === '' ? t(key) : t('inGroup', { action: t(key), number });
  return (
    <>
      {list.map((part, index) => {
        const own = number === '' ? String(index + 1) : `${number}.${index + 1}`;
        const change = (next: Condition | Group): void => setList(list.with(index, next));
        return (
          <fieldset key={index} className={isGroup(part) ? 'studio-group' : 'studio-fields'}>
            <legend>{own}</legend>
            {isGroup(part) ? (
              <GroupFields group={part} number={own} subjects={subjects} onChange={change} />
            ) : (
              <ConditionFields condition={part} subjects={subjects} onChange={change} />
            )}
            <Button onClick={() => setList(list.toSpliced(index, 1))}>{t('removeCondition', { number: own })}</Button>
          </fieldset>
        );
      })}
      {(list.length > 1 || join === 'nor' || join === 'nand') && (
        <ChoiceField
          label={t('join')}
          value={join}
          options={joins.map((each) => [each, t(each)])}
          onChange={(next) => onChange({ join: joins.find((each) => each === next) ?? 'and', list })}
        />
      )}
      <p className="studio-buttons">
        <Button onClick={() => setList([...list, emptyCondition(subjects)])}>{named('addCondition')}</Button>
        <Button
          onClick={() => setList([...list, { join: 'or', list: [emptyCondition(subjects), emptyCondition(subjects)] }])}
        >
          {named('addGroup')}
        </Button>
      </p>
    </>
  );
}

/** A condition that is to be chosen. */
export function emptyCondition({ list }: Subjects): Condition {
  return { subject: list[0]?.[0] ?? '', test: 'set', value: '' };
}

interface ConditionFieldsProps {
  readonly condition: Condition;
  readonly subjects: Subjects;
  readonly onChange: (condition: Condition) => void;
}

function ConditionFields({ condition, subjects: { list, kinds }, onChange }: ConditionFieldsProps) {
  const { subject, test } = condition;
  const set = (part: Partial<Condition>): void => {
    const next = { ...condition, ...part };
    onChange({ ...next, value: startValue(next, condition, kinds[next.subject]) });
  };
  return (
    <>
      <ChoiceField label={t('subject')} value={subject} options={list} onChange={(next) => set({ subject: next })} />
      <ChoiceField
        label={t('test')}
        value={test}
        options={tests.map((each) => [each, t(`test-${each}`)])}
        onChange={(next) => set({ test: tests.find((each) => each === next) ?? 'set' })}
      />
      {test !== 'set' && test !== 'unset' && (
        <ValueField
          condition={condition}
          kind={kinds[subject]}
          subjects={list}
          onChange={(value) => onChange({ ...condition, value })}
        />
      )}
    </>
  );
}
