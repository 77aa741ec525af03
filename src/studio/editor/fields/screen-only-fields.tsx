import type { LabelledField, JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { parseChoices } from '../edits/field-edits.ts';
import { describeJsonLogic } from '../tasks/describe-json-logic.ts';
import { listLabelledFields } from '../titles.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import {
  createChoiceDependencyEdits,
  findChoiceDependency,
  type ChoiceDependency,
  listChoiceDecidingFields,
} from './dependent-choices.ts';
import { FormulaFields } from './formula-fields.tsx';
import { createFormulaEdits, parseFormula, type Formula } from './formulas.ts';
import { Checkbox, TableCell, TableHeaderCell, TableRow } from '@fluentui/react-components';
import { ChoiceField } from '../form-controls.tsx';
import { EditableTable } from '../sorted-table.tsx';
import { useStudio } from '../use-studio.ts';
import { readScreenSchemaValue } from '../definition-set.ts';

/** Edits of the properties that a screen can define but a shared definition cannot. Absent properties are unchanged. */
export interface ScreenOnlyEdits {
  readonly formula?: Formula;
  readonly dependence?: ChoiceDependency | null;
}

interface ScreenEditsInput {
  readonly field: string;
  readonly type: string;
  /** Choices as entered, one per line. Empty if a shared definition lists the choices. */
  readonly lines: string;
  readonly own: ScreenOnlyEdits;
}

export function createScreenOnlyEdits(
  set: StudioDefinitions,
  screen: string,
  { field, type, lines, own }: ScreenEditsInput,
): readonly JsonEdit[] {
  const choices = listChoices(set, screen, field, lines).map(([choice]) => choice);
  const isSame =
    choices.join() ===
    listChoices(set, screen, field, '')
      .map(([choice]) => choice)
      .join();
  const { formula, dependence = isSame ? undefined : findChoiceDependency(set, screen, field) } = own;
  return [
    ...(formula ? createFormulaEdits(set, screen, field, formula) : []),
    ...(dependence === undefined
      ? []
      : createChoiceDependencyEdits(
          set,
          screen,
          field,
          dependence && { on: dependence, choices, isSeveral: type === 'array' },
        )),
  ];
}

interface ScreenOnlyFieldsProps extends ScreenEditsInput {
  readonly screen: string;
  readonly onChange: (part: ScreenOnlyEdits) => void;
}

export function ScreenOnlyFields({ screen, field, lines, own, onChange }: ScreenOnlyFieldsProps) {
  const { set } = useStudio();
  const logic = readScreenSchemaValue(set, screen, `/computed/${escapePointer(field)}`);
  const choices = listChoices(set, screen, field, lines);
  const dependency = findChoiceDependency(set, screen, field);
  const formula = own.formula ?? (logic === undefined ? null : parseFormula(logic));
  if (formula)
    return (
      <FormulaFields screen={screen} field={field} value={formula} onChange={(next) => onChange({ formula: next })} />
    );
  if (logic !== undefined)
    return <p>{t('formulaByHand', { rule: describeJsonLogic(logic, { fields: listLabelledFields(set, screen) }) })}</p>;
  if (choices.length === 0) return null;
  if (dependency === undefined) return <p>{t('choicesByHand')}</p>;
  return (
    <div className="studio-fields">
      <ChoiceDependencyFields
        screen={screen}
        field={field}
        choices={choices}
        value={own.dependence === undefined ? dependency : own.dependence}
        onChange={(dependence) => onChange({ dependence })}
      />
    </div>
  );
}

function listChoices(set: StudioDefinitions, screen: string, field: string, lines: string): LabelledField['choices'] {
  const drawnChoices = listLabelledFields(set, screen)[field]?.choices ?? [];
  if (lines === '') return drawnChoices;
  const isNumber = typeof drawnChoices[0]?.[0] === 'number';
  const known = drawnChoices.map(([value]) => value);
  return parseChoices(lines, known).map(({ value, es }) => [isNumber ? Number(value) : value, es] as const);
}

interface ChoiceDependencyFieldsProps {
  readonly screen: string;
  readonly field: string;
  readonly choices: LabelledField['choices'];
  readonly value: ChoiceDependency | null;
  readonly onChange: (dependence: ChoiceDependency | null) => void;
}

export function ChoiceDependencyFields({
  screen,
  field,
  choices,
  value: dependence,
  onChange,
}: ChoiceDependencyFieldsProps) {
  const { set } = useStudio();
  const deciding = listChoiceDecidingFields(set, screen, field);
  if (deciding.length === 0) return null;
  const { title, answers = [] } = deciding.find(({ name }) => name === dependence?.on) ?? {};
  return (
    <>
      <ChoiceField
        label={t('choicesFollow')}
        value={dependence?.on ?? ''}
        options={[['', t('followNothing')], ...deciding.map((own) => [own.name, own.title] as const)]}
        onChange={(on) => onChange(on === '' ? null : { on, left: {} })}
      />
      {dependence && choices.length > 0 && (
        <div className="studio-frame">
          <EditableTable
            caption={t('choicesLeft', { name: title ?? dependence.on })}
            titles={[t('oneChoice'), ...answers.map(([, label]) => label)]}
          >
            {choices.map(([choice, label]) => (
              <TableRow key={JSON.stringify(choice)}>
                <TableHeaderCell scope="row">{label}</TableHeaderCell>
                {answers.map(([answer, answerLabel]) => {
                  const key = JSON.stringify(answer);
                  const remainingChoices = listRemainingChoices(dependence, key, choices);
                  const isLeft = remainingChoices.includes(choice);
                  return (
                    <TableCell key={key}>
                      <Checkbox
                        aria-label={t('choiceIf', { choice: label, answer: answerLabel })}
                        checked={isLeft}
                        // At least one choice must remain, because an entry without choices would not restrict the
                        // field.
                        disabled={isLeft && remainingChoices.length === 1}
                        onChange={() =>
                          onChange({
                            ...dependence,
                            left: {
                              ...dependence.left,
                              [key]: choices.flatMap(([own]) =>
                                (own === choice ? !isLeft : remainingChoices.includes(own)) ? [own] : [],
                              ),
                            },
                          })
                        }
                      />
                    </TableCell>
                  );
                })}
              </TableRow>
            ))}
          </EditableTable>
        </div>
      )}
    </>
  );
}

function listRemainingChoices({ left }: ChoiceDependency, answer: string, choices: LabelledField['choices']) {
  const all = choices.map(([choice]) => choice);
  const own = all.filter((choice) => left[answer]?.includes(choice));
  return own.length === 0 ? all : own;
}
