import { observer } from 'mobx-react-lite';
import { memo, useEffect, useMemo, useRef, type MouseEvent, type ReactNode } from 'react';
import { preventLineBreaks, preventLineBreaksInProse } from '../../core/messages.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import { useEngine } from '../engine-context.ts';
import { createFieldId } from '../field/form-context.ts';

interface ErrorSummaryProps {
  readonly form: FormModel;
  readonly children?: ReactNode;
}

/** Titles of the error summary by number of invalid fields. The number is 0 if, for example, the server is unreachable. */
const titles = ['summary.none', 'summary.one'] as const;

/** Takes the focus after each submit. If the form has a single visible field, that field shows the error and takes the focus instead. */
export const ErrorSummary = observer(function ErrorSummary({ form, children }: ErrorSummaryProps) {
  const engine = useEngine();
  const box = useRef<HTMLDivElement>(null);
  const { refusedAtSubmit, formError, failures } = form;
  const refused = useMemo(() => refusedAtSubmit.flatMap((name) => form.field(name) ?? []), [refusedAtSubmit, form]);
  const invalidFields = refused.flatMap((field) => {
    const name = field.error === null ? undefined : form.findFieldName(field); // `undefined` if the list item of the field was removed
    return name === undefined ? [] : [{ name, field }];
  });
  const onlyField =
    formError === null && !children && invalidFields.length === 1 && invalidFields[0]?.field === form.onlyVisibleField
      ? invalidFields[0].name
      : null;
  useEffect(() => {
    if (onlyField === null) box.current?.focus();
    else focusField(onlyField);
  }, [refusedAtSubmit, formError, failures, onlyField]);
  if (onlyField !== null || (invalidFields.length === 0 && formError === null)) return null;
  return (
    <div
      ref={box}
      className="form-summary"
      role="group" // not an alert, because the focus already announces the summary
      tabIndex={-1}
      aria-labelledby="form-summary-title"
      aria-describedby={formError === null ? undefined : 'form-summary-text'}
    >
      <h2 id="form-summary-title">{engine.t(titles[invalidFields.length] ?? 'summary.title')}</h2>
      {formError !== null && <p id="form-summary-text">{preventLineBreaksInProse(formError)}</p>}
      {invalidFields.length > 0 && (
        <ul>
          {invalidFields.map(({ name, field }) => (
            <SummaryItem key={name} name={name} text={`${form.findFieldLabel(name)}: ${field.error}`} />
          ))}
        </ul>
      )}
      {children}
    </div>
  );
});

// Entry of the summary. Its text is a prop, because the summary reads every message anyway to remove corrected fields.
const SummaryItem = memo(function SummaryItem({ name, text }: { name: string; text: string }) {
  return (
    <li>
      <a href={`#${createFieldId(name)}`} onClick={(event) => followErrorLink(event, name)}>
        {preventLineBreaks(text)}
      </a>
    </li>
  );
});

function followErrorLink(event: MouseEvent, name: string): void {
  event.preventDefault();
  focusField(name);
  document.activeElement?.scrollIntoView({ block: 'center' });
}

/** Focuses the control of a field, or its first focusable element, because some themes set the control's id on another element. */
function focusField(name: string): void {
  const within = `[data-field="${CSS.escape(name)}"] :is(input, select, textarea, button, [tabindex="0"])`;
  for (const one of [document.getElementById(createFieldId(name)), ...document.querySelectorAll<HTMLElement>(within)]) {
    one?.focus();
    if (one === document.activeElement) return;
  }
}
