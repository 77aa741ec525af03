import { TableCell, TableRow, Button } from '@fluentui/react-components';
import { useState } from 'react';
import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { t } from '../../texts.ts';
import { ChoiceField, EditTaskFrame, useFocusOnOpen } from '../form-controls.tsx';
import { useStudio } from '../use-studio.ts';
import {
  buildTruthTable,
  parseRuleConditions,
  flattenConditionGroup,
  buildConditionGroupLogic,
  type RuleCondition,
  type RuleConditionGroup,
  type ConditionSubjects,
  isRuleConditionGroup,
  conditionJoinOperators,
  listConditionOperators,
  createInitialConditionValue,
} from './rule-conditions.ts';
import { ConditionValueField } from './condition-value-field.tsx';
import { describeJsonLogic, describeConditionSubject, type LogicDescriptionNames } from './describe-json-logic.ts';
import { EditableTable } from '../sorted-table.tsx';
import type { EditableRule } from './editable-rules.ts';

export function RuleEditor({ rules, onDone }: { rules: readonly EditableRule[]; onDone: () => void }) {
  const [chosen, setChosen] = useState(rules[0]?.pointer ?? '');
  const rule = rules.find(({ pointer }) => pointer === chosen) ?? rules[0];
  const part = useFocusOnOpen<HTMLElement>();
  if (!rule) return null;
  return (
    <section ref={part} className="studio-task" aria-label={t('ruleTask')}>
      {rules.length > 1 && (
        <ChoiceField
          label={t('rulePlace')}
          value={rule.pointer}
          options={rules.map(({ pointer, place, logic, names }) => [
            pointer,
            `${place}: ${logic === undefined ? t('always_') : describeJsonLogic(logic, names)}`,
          ])}
          onChange={setChosen}
        />
      )}
      <RuleForm key={rule.pointer} rule={rule} opens={false} onDone={onDone} />
    </section>
  );
}

interface RuleFormProps {
  readonly rule: EditableRule;
  readonly opens?: boolean;
  readonly onDone: () => void;
}

export function RuleForm({ rule, opens = true, onDone }: RuleFormProps) {
  const studio = useStudio();
  const start = parseRuleConditions(rule.logic);
  if (!start)
    return (
      <p>
        {t('byHand')} <Button onClick={onDone}>{t('cancel')}</Button>
      </p>
    );
  const write = async (logic: JsonLogic | undefined): Promise<void> => {
    if (await studio.write([rule.change(logic)])) onDone();
  };
  return (
    <ConditionForm rule={rule} start={start} opens={opens} onApply={(logic) => void write(logic)} onDone={onDone} />
  );
}

const maxTableConditions = 3;

interface ConditionFormProps extends RuleFormProps {
  readonly start: RuleConditionGroup;
  readonly onApply: (logic: JsonLogic | undefined) => void;
}

export function ConditionForm({ rule, start, opens = true, onApply, onDone }: ConditionFormProps) {
  const { kind, place, names } = rule;
  const subjects = { ...rule.subjects, list: addOtherSubjects(rule.subjects.list, start, names) };
  const [group, setGroup] = useState<RuleConditionGroup>(
    start.list.length > 0 ? start : { join: 'and', list: [emptyCondition(subjects)] },
  );
  const logic = buildConditionGroupLogic(group);
  const leaves = flattenConditionGroup(group);
  return (
    <EditTaskFrame
      title={t(kind === 'requiredWhen' ? 'requiredCondition' : 'condition', { field: place })}
      action={t('apply')}
      opens={opens}
      onSubmit={() => onApply(logic)}
      onCancel={onDone}
    >
      <GroupFields group={group} number="" subjects={subjects} onChange={setGroup} />
      <p role="status">
        {t(kind)} {logic === undefined ? t('always_') : t('when', { rule: describeJsonLogic(logic, names) })}
      </p>
      {leaves.length > 0 && leaves.length <= maxTableConditions && (
        <EditableTable
          caption={t('tableOfCases')}
          titles={[
            ...leaves.map((leaf) =>
              describeJsonLogic(buildConditionGroupLogic({ join: 'and', list: [leaf] }) ?? true, names),
            ),
            place,
          ]}
        >
          {buildTruthTable(group).map(({ holds, shown }) => (
            <TableRow key={holds.join()}>
              {holds.map((isHeld, index) => (
                <TableCell key={index}>{t(isHeld ? 'yes' : 'no')}</TableCell>
              ))}
              <TableCell>{t(shown ? `${kind}Yes` : `${kind}No`)}</TableCell>
            </TableRow>
          ))}
        </EditableTable>
      )}
    </EditTaskFrame>
  );
}

function addOtherSubjects(
  list: ConditionSubjects['list'],
  start: RuleConditionGroup,
  names: LogicDescriptionNames,
): ConditionSubjects['list'] {
  const paths = flattenConditionGroup(start).flatMap(({ subject, value }) =>
    typeof value === 'object' && value !== null && 'var' in value ? [subject, value.var] : [subject],
  );
  const others = [...new Set(paths)].filter((path) => list.every(([own]) => own !== path));
  return [...list, ...others.map((path) => [path, describeConditionSubject({ var: path }, names)] as const)];
}

interface GroupFieldsProps {
  readonly group: RuleConditionGroup;
  readonly number: string;
  readonly subjects: ConditionSubjects;
  readonly onChange: (group: RuleConditionGroup) => void;
}

function GroupFields({ group, number, subjects, onChange }: GroupFieldsProps) {
  const { join, list } = group;
  const setList = (next: RuleConditionGroup['list']): void => onChange({ join, list: next });
  const named = (key: 'addCondition' | 'addGroup') =>
    number === '' ? t(key) : t('inGroup', { action: t(key), number });
  return (
    <>
      {list.map((part, index) => {
        const own = number === '' ? String(index + 1) : `${number}.${index + 1}`;
        const change = (next: RuleCondition | RuleConditionGroup): void =>
          setList(list.map((one) => (one === part ? next : one)));
        return (
          <fieldset key={index} className={isRuleConditionGroup(part) ? 'studio-group' : 'studio-fields'}>
            <legend>{own}</legend>
            {isRuleConditionGroup(part) ? (
              <GroupFields group={part} number={own} subjects={subjects} onChange={change} />
            ) : (
              <ConditionFields condition={part} subjects={subjects} onChange={change} />
            )}
            <Button onClick={() => setList(list.filter((one) => one !== part))}>
              {t('removeCondition', { number: own })}
            </Button>
          </fieldset>
        );
      })}
      {(list.length > 1 || join === 'nor' || join === 'nand') && (
        <ChoiceField
          label={t('join')}
          value={join}
          options={conditionJoinOperators.map((each) => [each, t(each)])}
          onChange={(next) => onChange({ join: next, list })}
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

function emptyCondition({ list }: ConditionSubjects): RuleCondition {
  return { subject: list[0]?.[0] ?? '', operator: 'set', value: '' };
}

interface ConditionFieldsProps {
  readonly condition: RuleCondition;
  readonly subjects: ConditionSubjects;
  readonly onChange: (condition: RuleCondition) => void;
}

function ConditionFields({ condition, subjects, onChange }: ConditionFieldsProps) {
  const { list, kinds, isConstant } = subjects;
  const { subject, operator } = condition;
  const set = (part: Partial<RuleCondition>): void => {
    const changed = { ...condition, ...part };
    const isOffered = listConditionOperators(subjects, changed.subject).includes(changed.operator);
    const next = isOffered ? changed : { ...changed, operator: 'set' as const };
    onChange({ ...next, value: createInitialConditionValue(next, condition, kinds[next.subject]) });
  };
  return (
    <>
      <ChoiceField label={t('subject')} value={subject} options={list} onChange={(next) => set({ subject: next })} />
      <ChoiceField
        label={t('test')}
        value={operator}
        options={listConditionOperators(subjects, subject).map((each) => [each, t(`test-${each}`)])}
        onChange={(next) => set({ operator: next })}
      />
      {operator !== 'set' && operator !== 'unset' && (
        <ConditionValueField
          condition={condition}
          kind={kinds[subject]}
          subjects={isConstant ? [] : list}
          onChange={(value) => onChange({ ...condition, value })}
        />
      )}
    </>
  );
}
