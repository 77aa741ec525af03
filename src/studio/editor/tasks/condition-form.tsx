import { TableCell, TableRow } from '@fluentui/react-components';
import { useState } from 'react';
import type { Logic } from '../../../engine/core/definition.ts';
import { t } from '../../texts.ts';
import { Frame } from '../controls.tsx';
import { emptyCondition, GroupFields } from './condition-fields.tsx';
import { casesOf, leavesOf, logicOf, type Condition, type Group, type Subjects } from './conditions.ts';
import { logicSentence, subjectName, type Names } from './logic-sentence.ts';
import { PartsTable } from '../rows.tsx';

interface ConditionFormProps {
  /** What the rule decides on. */
  readonly what: string;
  /** `visible`: whether it is shown; `guard`: whether it is taken. */
  readonly kind: 'visible' | 'guard';
  readonly start: Group;
  readonly subjects: Subjects;
  readonly names: Names;
  /** False within a part that has opened with it. */
  readonly opens?: boolean;
  readonly onApply: (logic: Logic | undefined) => void;
  readonly onCancel: () => void;
}

/** Most conditions whose cases are listed. */
const mostListed = 3;

/** Builds a rule: conditions in groups, the sentence that they make, and every case of them. */
export function ConditionForm({
  what,
  kind,
  start,
  subjects: known,
  names,
  opens = true,
  onApply,
  onCancel,
}: ConditionFormProps) {
  const subjects = { ...known, list: withOthers(known.list, start, names) };
  const [group, setGroup] = useState<Group>(
    start.list.length > 0 ? start : { join: 'and', list: [emptyCondition(subjects)] },
  );
  const logic = logicOf(group);
  const leaves = leavesOf(group);
  return (
    <Frame
      title={t('condition', { field: what })}
      action={t('apply')}
      opens={opens}
      onSubmit={() => onApply(logic)}
      onCancel={onCancel}
    >
      <GroupFields group={group} number="" subjects={subjects} onChange={setGroup} />
      <p role="status">
        {t(kind)} {logic === undefined ? t('always_') : t('when', { rule: logicSentence(logic, names) })}
      </p>
      {leaves.length > 0 && leaves.length <= mostListed && (
        <PartsTable caption={t('tableOfCases')} titles={[...leaves.map((leaf) => sentenceOf(leaf, names)), what]}>
          {casesOf(group).map(({ holds, shown }) => (
            <TableRow key={holds.join()}>
              {holds.map((isHeld, index) => (
                <TableCell key={index}>{t(isHeld ? 'yes' : 'no')}</TableCell>
              ))}
              <TableCell>{t(shown ? `${kind}Yes` : `${kind}No`)}</TableCell>
            </TableRow>
          ))}
        </PartsTable>
      )}
    </Frame>
  );
}

function sentenceOf(leaf: Condition, names: Names): string {
  return logicSentence(logicOf({ join: 'and', list: [leaf] }) ?? true, names);
}

/** What a rule asks for that is no subject of its own, e.g. a variable, can go on being asked for. */
function withOthers(list: Subjects['list'], start: Group, names: Names): Subjects['list'] {
  const paths = leavesOf(start).flatMap(({ subject, value }) =>
    typeof value === 'object' && value !== null && 'var' in value ? [subject, value.var] : [subject],
  );
  const others = [...new Set(paths)].filter((path) => list.every(([own]) => own !== path));
  return [...list, ...others.map((path) => [path, subjectName({ var: path }, names)] as const)];
}
