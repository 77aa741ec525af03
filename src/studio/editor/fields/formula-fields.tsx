import { Button } from '@fluentui/react-components';
import { t } from '../../texts.ts';
import { ChoiceField, TextField } from '../form-controls.tsx';
import { describeJsonLogic } from '../tasks/describe-json-logic.ts';
import { listLabelledFields } from '../titles.ts';
import type { SelectOptions } from '../definition-set.ts';
import { useStudio } from '../use-studio.ts';
import {
  isFormula,
  buildFormulaLogic,
  getMaxOperandCount,
  listFormulaOperands,
  listNestableOperations,
  createInitialFormula,
  createInitialFormulaOperand,
  type Formula,
  type FormulaOperand,
  type FormulaOperation,
} from './formulas.ts';

interface FormulaFieldsProps {
  readonly screen: string;
  readonly field: string;
  readonly value: Formula;
  readonly onChange: (formula: Formula) => void;
}

/** Option values for operands that are not a field: a constant, and a nested formula. */
const constantOption = '=';
const formulaOption = '()';

export function FormulaFields(props: FormulaFieldsProps) {
  const { set } = useStudio();
  const { screen, value } = props;
  const logic = buildFormulaLogic(value);
  return (
    <fieldset className="studio-fields">
      <legend>{t('formula')}</legend>
      <OperationFields {...props} number="" outer={null} />
      <p role="status">
        {logic === undefined
          ? ''
          : t('computedAs', { rule: describeJsonLogic(logic, { fields: listLabelledFields(set, screen) }) })}
      </p>
    </fieldset>
  );
}

interface OperationFieldsProps extends FormulaFieldsProps {
  /** Number of a nested formula, for example `2.1`. Empty for the outermost formula. */
  readonly number: string;
  readonly outer: FormulaOperation | null;
}

function OperationFields({ number, outer, ...props }: OperationFieldsProps) {
  const { set } = useStudio();
  const { screen, field, value, onChange } = props;
  const { operation, operands } = value;
  const choices = listFormulaOperands(set, screen, { operation, own: field });
  const setOperands = (next: readonly FormulaOperand[]): void => onChange({ operation, operands: next });
  const formatOperandNumber = (index: number): string => (number === '' ? String(index + 1) : `${number}.${index + 1}`);
  const add = t('addOperand');
  return (
    <>
      <ChoiceField
        label={number === '' ? t('operation') : t('operationOf', { number })}
        value={operation}
        options={listNestableOperations(outer).map((own) => [own, t(`operation${own}`)])}
        onChange={(chosen) => {
          const isOther = (chosen === 'cat') !== (operation === 'cat'); // resets the operands if only one of the two operations concatenates texts, because arithmetic operations do not accept texts
          onChange(
            isOther
              ? createInitialFormula(set, screen, { operation: chosen, own: field })
              : { operation: chosen, operands: operands.slice(0, getMaxOperandCount(chosen)) },
          );
        }}
      />
      {operands.map((operand, index) => {
        const change = (next: FormulaOperand): void =>
          setOperands(operands.map((one, place) => (place === index ? next : one)));
        const own = formatOperandNumber(index);
        return (
          <fieldset key={index} className={isFormula(operand) ? 'studio-group' : 'studio-fields'}>
            <legend>{own}</legend>
            <OperandFields
              number={own}
              operand={operand}
              choices={choices}
              isText={operation === 'cat'}
              onOperation={() => change(createInitialFormula(set, screen, { operation: '+', own: field }))}
              onChange={change}
            />
            {isFormula(operand) && (
              <OperationFields {...props} number={own} outer={operation} value={operand} onChange={change} />
            )}
          </fieldset>
        );
      })}
      <p className="studio-buttons">
        {operands.length < getMaxOperandCount(operation) && (
          <Button
            onClick={() =>
              setOperands([...operands, createInitialFormulaOperand(set, screen, { operation, own: field })])
            }
          >
            {number === '' ? add : t('inGroup', { action: add, number })}
          </Button>
        )}
        {operands.length > 1 && (
          <Button onClick={() => setOperands(operands.slice(0, -1))}>
            {t('removeOperand', { number: formatOperandNumber(operands.length - 1) })}
          </Button>
        )}
      </p>
    </>
  );
}

interface OperandFieldsProps {
  readonly number: string;
  readonly operand: FormulaOperand;
  readonly choices: SelectOptions;
  readonly isText: boolean;
  readonly onOperation: () => void;
  readonly onChange: (operand: FormulaOperand) => void;
}

function OperandFields({ number, operand, choices, isText, onOperation, onChange }: OperandFieldsProps) {
  const isFixed = 'value' in operand;
  return (
    <>
      <ChoiceField
        label={t('operand', { number })}
        value={isFormula(operand) ? formulaOption : isFixed ? constantOption : operand.field}
        options={[
          ...choices,
          [constantOption, t(isText ? 'fixedText' : 'fixedNumber')],
          [formulaOption, t('innerFormula')],
        ]}
        onChange={(next) => {
          if (next === formulaOption) onOperation();
          else onChange(next === constantOption ? { value: isText ? '' : 0 } : { field: next });
        }}
      />
      {isFixed && (
        <TextField
          label={t('operandValue', { number })}
          value={String(operand.value)}
          onChange={(typed) => onChange({ value: isText || String(Number(typed)) !== typed ? typed : Number(typed) })}
        />
      )}
    </>
  );
}
