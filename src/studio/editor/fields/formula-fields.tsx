import type { StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { ChoiceField, TextField } from '../controls.tsx';
import { logicSentence } from '../tasks/logic-sentence.ts';
import { drawnFields } from '../titles.ts';
import {
  logicOfFormula,
  mostOperands,
  operandsOf,
  operations,
  startFormula,
  type Formula,
  type Operand,
} from './formulas.ts';

interface FormulaFieldsProps {
  readonly set: StudioSet;
  readonly screen: string;
  /** The computed field itself, which is no part of its formula. */
  readonly field: string;
  readonly formula: Formula;
  readonly onChange: (formula: Formula) => void;
}

/** The choice of an operand that stands for a value which stays. */
const fixed = '=';

/** What a field is computed from: an operation, and what it is done with, of which a sentence says the whole. */
export function FormulaFields({ set, screen, field, formula, onChange }: FormulaFieldsProps) {
  const { operation, operands } = formula;
  const choices = operandsOf(set, screen, { operation, own: field });
  const setOperands = (next: readonly Operand[]): void => onChange({ operation, operands: next });
  const logic = logicOfFormula(formula);
  return (
    <fieldset className="studio-fields">
      <legend>{t('formula')}</legend>
      <ChoiceField
        label={t('operation')}
        value={operation}
        options={operations.map((own) => [own, t(`operation${own}`)])}
        onChange={(next) => {
          const chosen = operations.find((own) => own === next) ?? '+';
          const isOther = (chosen === 'cat') !== (operation === 'cat'); // texts are no operands of sums
          onChange(
            isOther
              ? startFormula(set, screen, { operation: chosen, own: field })
              : { operation: chosen, operands: operands.slice(0, mostOperands(chosen)) },
          );
        }}
      />
      {operands.map((operand, index) => {
        const number = index + 1;
        return (
          <OperandFields
            key={index}
            number={number}
            operand={operand}
            choices={choices}
            isText={operation === 'cat'}
            onChange={(next) => setOperands(operands.with(index, next))}
          />
        );
      })}
      <p className="studio-buttons">
        {operands.length < mostOperands(operation) && (
          <button type="button" className="button" onClick={() => setOperands([...operands, ...operands.slice(-1)])}>
            {t('addOperand')}
          </button>
        )}
        {operands.length > 1 && (
          <button type="button" className="button" onClick={() => setOperands(operands.slice(0, -1))}>
            {t('removeOperand', { number: operands.length })}
          </button>
        )}
      </p>
      <p role="status">
        {logic === undefined
          ? ''
          : t('computedAs', { rule: logicSentence(logic, { fields: drawnFields(set, screen) }) })}
      </p>
    </fieldset>
  );
}

interface OperandFieldsProps {
  readonly number: number;
  readonly operand: Operand;
  readonly choices: readonly (readonly [field: string, label: string])[];
  readonly isText: boolean;
  readonly onChange: (operand: Operand) => void;
}

function OperandFields({ number, operand, choices, isText, onChange }: OperandFieldsProps) {
  const isFixed = 'value' in operand;
  return (
    <div className="studio-fields">
      <ChoiceField
        label={t('operand', { number })}
        value={isFixed ? fixed : operand.field}
        options={[...choices, [fixed, t(isText ? 'fixedText' : 'fixedNumber')]]}
        onChange={(next) => onChange(next === fixed ? { value: isText ? '' : 0 } : { field: next })}
      />
      {isFixed && (
        <TextField
          label={t('operandValue', { number })}
          value={String(operand.value)}
          onChange={(typed) => onChange({ value: isText || String(Number(typed)) !== typed ? typed : Number(typed) })}
        />
      )}
    </div>
  );
}
