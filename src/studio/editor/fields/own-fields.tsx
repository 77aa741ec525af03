import type { DrawnField, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { partsOf } from '../edits/field-edits.ts';
import { valueIn } from '../pending.ts';
import { logicSentence } from '../tasks/logic-sentence.ts';
import { filesOf } from '../tasks/screen-tasks.ts';
import { drawnFields } from '../titles.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { DependenceFields } from './dependence-fields.tsx';
import { dependenceEdits, dependenceOf, type Dependence } from './dependent-choices.ts';
import { FormulaFields } from './formula-fields.tsx';
import { formulaEdits, formulaOf, type Formula } from './formulas.ts';

/** Edits of properties that only the screen can define. Absent properties are unchanged. */
export interface OwnEdits {
  readonly formula?: Formula;
  readonly dependence?: Dependence | null;
}

interface OwnProps {
  readonly field: string;
  readonly type: string;
  /** Choices as typed. Empty if a shared definition lists them. */
  readonly lines: string;
  readonly own: OwnEdits;
}

export function editsOfOwn(
  set: StudioSet,
  screen: string,
  { field, type, lines, own }: OwnProps,
): readonly StudioEdit[] {
  const choices = choicesOf(set, screen, field, lines).map(([choice]) => choice);
  const isSame =
    choices.join() ===
    choicesOf(set, screen, field, '')
      .map(([choice]) => choice)
      .join();
  const { formula, dependence = isSame ? undefined : dependenceOf(set, screen, field) } = own;
  return [
    ...(formula ? formulaEdits(set, screen, field, formula) : []),
    ...(dependence === undefined
      ? []
      : dependenceEdits(set, screen, field, dependence && { on: dependence, choices, isSeveral: type === 'array' })),
  ];
}

interface OwnFieldsProps extends OwnProps {
  readonly set: StudioSet;
  readonly screen: string;
  readonly onChange: (part: OwnEdits) => void;
}

export function OwnFields({ set, screen, field, lines, own, onChange }: OwnFieldsProps) {
  const logic = valueIn(set, filesOf(screen).schema, `/computed/${escapePointer(field)}`);
  const choices = choicesOf(set, screen, field, lines);
  const written = dependenceOf(set, screen, field);
  const formula = own.formula ?? (logic === undefined ? null : formulaOf(logic));
  if (formula)
    return (
      <FormulaFields
        set={set}
        screen={screen}
        field={field}
        formula={formula}
        onChange={(next) => onChange({ formula: next })}
      />
    );
  if (logic !== undefined)
    return <p>{t('formulaByHand', { rule: logicSentence(logic, { fields: drawnFields(set, screen) }) })}</p>;
  if (choices.length === 0) return null;
  if (written === undefined) return <p>{t('choicesByHand')}</p>;
  return (
    <div className="studio-fields">
      <DependenceFields
        set={set}
        screen={screen}
        field={field}
        choices={choices}
        dependence={own.dependence === undefined ? written : own.dependence}
        onChange={(dependence) => onChange({ dependence })}
      />
    </div>
  );
}

function choicesOf(set: StudioSet, screen: string, field: string, lines: string): DrawnField['choices'] {
  const drawn = drawnFields(set, screen)[field]?.choices ?? [];
  if (lines === '') return drawn;
  const isNumber = typeof drawn[0]?.[0] === 'number';
  return partsOf(lines).map(([value = '', label = value]) => [isNumber ? Number(value) : value, label] as const);
}
