import { computed } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useContext, useId, useMemo, type ReactNode } from 'react';
import type { ScreenSection } from '../../core/flow-and-screen-types.ts';
import { isFieldWithin } from '../../core/field-path.ts';
import { preventLineBreaks } from '../../core/messages.ts';
import { findFieldUiText } from '../../core/screen-ui-queries.ts';
import { useEngine } from '../engine-context.ts';
import { FormContext, type FormContextValue } from './form-context.ts';
import { renderFieldHelp } from './field-template.tsx';
import { MatrixField } from './lazy-fields.ts';

export function isMatrixField({ form }: FormContextValue, name: string): boolean {
  return findFieldUiText(form.validator.screen.ui, name, 'ui:widget') === 'matrix';
}

interface SectionProps extends Pick<ScreenSection, 'title' | 'text' | 'fields'> {
  readonly optional?: boolean;
  readonly children: ReactNode;
}

/** Group of fields with a title, which screen readers announce with each field. Hidden if all of its fields are hidden. */
export const FormSection = observer(function FormSection({ title, text, fields, optional, children }: SectionProps) {
  const engine = useEngine();
  const parts = useContext(FormContext);
  const textId = useId();
  const shown = useMemo(() => computed(() => parts?.form.shows(fields)), [parts, fields]);
  if (!shown.get()) return null;
  return (
    <fieldset className="form-section" aria-describedby={text === undefined ? undefined : textId}>
      <legend>
        {preventLineBreaks(title)}
        {optional && <span className="form-optional"> {engine.t('optional')}</span>}
      </legend>
      {renderFieldHelp(textId, text)}
      <div className="form-fields">{children}</div>
    </fieldset>
  );
});

export function FieldGroup({ name, children }: { name: string; children: ReactNode }) {
  const parts = useContext(FormContext);
  const fields = useMemo(() => [name], [name]);
  const screen = parts?.form.validator.screen;
  if (parts && isMatrixField(parts, name)) return <MatrixField parts={parts} name={name} />;
  const inside = screen?.fields.filter((field) => isFieldWithin(field.name, name)) ?? [];
  return (
    <FormSection
      title={(screen && findFieldUiText(screen.ui, name, 'ui:title')) ?? name}
      text={screen && findFieldUiText(screen.ui, name, 'ui:help')}
      fields={fields}
      optional={inside.some(({ requiredWith }) => requiredWith === name)}
    >
      {children}
    </FormSection>
  );
}
