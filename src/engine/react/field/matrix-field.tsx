import { errorId, helpId } from '@rjsf/utils';
import { computed } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useId, useMemo } from 'react';
import { isFieldWithin } from '../../core/field-path.ts';
import { readFieldUi, findFieldUiText } from '../../core/screen-ui-queries.ts';
import type { FieldModel } from '../../runtime/form/field-model.ts';
import { useEngine } from '../engine-context.ts';
import { resolveFieldFrame, renderFieldError, renderFieldHelp } from './field-template.tsx';
import { createFieldId, type FormContextValue } from './form-context.ts';

export interface MatrixFieldProps {
  readonly parts: FormContextValue;
  readonly name: string;
}

/** One row per field, one column per choice. The roles are explicit, because browsers drop implicit ones if CSS changes a table's layout. */
export const MatrixField = observer(function MatrixField({ parts, name }: MatrixFieldProps) {
  const ids = useId();
  const { form } = parts;
  const { ui } = form.validator.screen;
  const rows = useMemo(
    () => [...form.fields.values()].filter((field) => isFieldWithin(field.name, name)),
    [form, name],
  );
  const shown = useMemo(() => computed(() => form.shows([name])), [form, name]);
  if (!shown.get()) return null;
  const [first] = rows;
  const columns = (first && (readFieldUi(ui, first.name)['ui:enumNames'] as readonly string[] | undefined)) ?? []; // ui.json has no static type; the compiler checks the number of names
  const help = findFieldUiText(ui, name, 'ui:help');
  return (
    <fieldset className="form-section form-matrix" aria-describedby={help === undefined ? undefined : `${ids}help`}>
      <legend id={`${ids}title`}>{findFieldUiText(ui, name, 'ui:title') ?? name}</legend>
      {renderFieldHelp(`${ids}help`, help)}
      <table role="table" aria-labelledby={`${ids}title`}>
        <thead role="rowgroup">
          <tr role="row">
            <td role="cell" />
            {columns.map((text) => (
              <th key={text} role="columnheader" scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((field) => (
            <Row key={field.name} parts={parts} field={field} columns={columns} />
          ))}
        </tbody>
      </table>
    </fieldset>
  );
});

interface RowProps {
  readonly parts: FormContextValue;
  readonly field: FieldModel;
  readonly columns: readonly string[];
}

const Row = observer(function Row({ parts, field, columns }: RowProps) {
  const engine = useEngine();
  const { label, help, optional } = useMemo(() => resolveFieldFrame(parts, field), [parts, field]);
  if (!field.visible) return null;
  const { error, value, name, choices: offered } = field;
  const id = createFieldId(name);
  const { 'ui:readonly': readonly, 'ui:disabled': disabled } = readFieldUi(parts.form.validator.screen.ui, name);
  const choices = field.spec.schema.enum as readonly unknown[]; // the schema has no static type; the compiler ensures that a row has choices
  const chosen = Math.max(0, choices.indexOf(value));
  const described = [help === undefined ? '' : helpId(id), error === null ? '' : errorId(id)].filter(Boolean).join(' ');
  return (
    <tr role="row" data-field={name} data-invalid={error !== null || undefined}>
      <th role="rowheader" scope="row" aria-labelledby={`${id}-label`}>
        <span id={`${id}-label`}>
          {label}
          {optional && <span className="form-optional"> {engine.t('optional')}</span>}
        </span>
        {renderFieldHelp(helpId(id), help)}
        {renderFieldError(errorId(id), field)}
      </th>
      {choices.map((choice, index) => (
        <td key={index} role="cell">
          <label>
            <input
              id={index === chosen ? id : undefined}
              type="radio"
              name={name}
              checked={choice === value}
              disabled={readonly === true || disabled === true || offered?.includes(choice) === false}
              aria-labelledby={`${id}-label ${id}-${index}`}
              aria-describedby={described || undefined}
              onChange={() => field.set(choice)}
              onBlur={() => field.blur()}
            />
            <span id={`${id}-${index}`} className="form-matrix-choice">
              {columns[index]}
            </span>
          </label>
        </td>
      ))}
    </tr>
  );
});
