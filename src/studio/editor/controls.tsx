import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { t } from '../texts.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
  /** More than one line. */
  readonly long?: boolean;
}

/** A text under its label. */
export function TextField({ label, value, onChange, required = false, long = false }: TextFieldProps) {
  const Control = long ? 'textarea' : 'input';
  return (
    <label className="studio-field">
      {label}
      <Control value={value} required={required} onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice under its label. */
export function ChoiceField({ label, value, options, onChange }: ChoiceFieldProps) {
  return (
    <label className="studio-field">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/**
 * A part that opens in answer to a button: its first control has the focus, which goes back to the button with it. `opens`: false of a part
 * within another that does so.
 */
export function useOpened<Part extends HTMLElement>(opens = true): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (!opens) return undefined;
    const opener = document.activeElement;
    part.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opens]);
  return part;
}

interface TaskProps {
  readonly title: string;
  readonly files: readonly string[];
  readonly busy: boolean;
  readonly hint?: string;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The form of one task: what it asks for, the files that it is going to write, and its two buttons. */
export function Task({ title, files, busy, hint, onSubmit, onCancel, children }: TaskProps) {
  const form = useOpened<HTMLFormElement>();
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
      <h3>{title}</h3>
      <div className="studio-fields">{children}</div>
      <p>
        {t('willWrite', { files: files.join(', ') })} {hint}
      </p>
      <p className="studio-buttons">
        <button type="submit" className="button" disabled={busy}>
          {t('add')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {t('cancel')}
        </button>
      </p>
    </form>
  );
}
