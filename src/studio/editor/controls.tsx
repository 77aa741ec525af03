import { Button, Checkbox, Field, Input, Select, Textarea } from '@fluentui/react-components';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { t } from '../texts.ts';
import type { Both } from './tasks/screen-tasks.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
  readonly long?: boolean;
}

export function TextField({ label, value, onChange, required = false, placeholder, long = false }: TextFieldProps) {
  const Control = long ? Textarea : Input;
  return (
    <Field label={label}>
      <Control
        value={value}
        required={required}
        placeholder={placeholder}
        onChange={(_, { value: text }) => onChange(text)}
      />
    </Field>
  );
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
  /** Whether the empty option is invalid. */
  readonly required?: boolean;
}

export function ChoiceField({ label, value, options, onChange, required = false }: ChoiceFieldProps) {
  return (
    <Field label={label}>
      <Select value={value} required={required} onChange={(_, { value: chosen }) => onChange(chosen)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function CheckField({ label, checked, onChange }: CheckFieldProps) {
  return <Checkbox label={label} checked={checked} onChange={(_, { checked: isNow }) => onChange(isNow === true)} />;
}

interface ChecksFieldProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (values: readonly Value[]) => void;
}

/** Group of checkboxes under a label. */
export function ChecksField<Value>({ label, values, options, onChange }: ChecksFieldProps<Value>) {
  return (
    <fieldset className="studio-group">
      <legend>{label}</legend>
      {options.map(([value, text]) => (
        <CheckField
          key={JSON.stringify(value)}
          label={text}
          checked={values.includes(value)}
          onChange={(checked) => onChange(checked ? [...values, value] : values.filter((one) => one !== value))}
        />
      ))}
    </fieldset>
  );
}

interface BothFieldsProps {
  readonly label: string;
  readonly value: Both;
  /** Placeholders while it is empty. */
  readonly inherited?: Both | undefined;
  readonly onChange: (value: Both) => void;
}

export function BothFields({ label, value, inherited, onChange }: BothFieldsProps) {
  return (['es', 'pt'] as const).map((language) => (
    <TextField
      key={language}
      label={`${label}, ${t(language)}`}
      value={value[language]}
      placeholder={inherited?.[language]}
      onChange={(text) => onChange({ ...value, [language]: text })}
    />
  ));
}

/**
 * Moves the focus to the first control of a part that has just opened, or to its heading if it has no controls. When the part closes, the focus
 * returns. `opens`: false inside another part that does this.
 */
export function useOpened<Part extends HTMLElement>(opens = true): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (!opens) return undefined;
    const opener = document.activeElement;
    const parts = ['input, select, textarea', 'h3'].map((selector) =>
      part.current?.querySelector<HTMLElement>(selector),
    );
    parts.find((own) => own)?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opens]);
  return part;
}

interface FrameProps {
  readonly title: string;
  readonly action: string;
  readonly disabled?: boolean;
  readonly other?: string;
  /** False inside another part that moves the focus. */
  readonly opens?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Form of a task, with two buttons. Not a dialog, so that the analyst can look at the rest of the page meanwhile. */
export function Frame({
  title,
  action,
  disabled = false,
  other = t('cancel'),
  opens = true,
  onSubmit,
  onCancel,
  children,
}: FrameProps) {
  const form = useOpened<HTMLFormElement>(opens);
  return (
    <form
      ref={form}
      className="studio-task"
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {opens && <h3 tabIndex={-1}>{title}</h3>}
      {children}
      <p className="studio-buttons">
        <Button type="submit" appearance="primary" disabled={disabled}>
          {action}
        </Button>
        <Button onClick={onCancel}>{other}</Button>
      </p>
    </form>
  );
}

interface TaskProps extends Pick<FrameProps, 'title' | 'onSubmit' | 'onCancel' | 'children'> {
  /** Files that it changes. Empty until something is filled in. */
  readonly files: readonly string[];
  readonly busy: boolean;
  readonly hint?: string;
  readonly action?: string;
}

export function Task({ title, files, busy, hint, action = t('add'), onSubmit, onCancel, children }: TaskProps) {
  return (
    <Frame title={title} action={action} disabled={busy} onSubmit={onSubmit} onCancel={onCancel}>
      <div className="studio-fields">{children}</div>
      <p>
        {files.length > 0 && t('willWrite', { files: files.join(', ') })} {hint}
      </p>
    </Frame>
  );
}
