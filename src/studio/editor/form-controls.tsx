import { Button, Checkbox, Field, Input, Select, Textarea, Toolbar, ToolbarButton } from '@fluentui/react-components';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { languages } from '../../contract/portal-config.ts';
import type { FileChange, DefinitionWriteChecks } from '../studio-api-types.ts';
import { t } from '../texts.ts';
import type { BilingualText, SelectOptions } from './definition-set.ts';
import { useStudio } from './use-studio.ts';

export function useFormFields<Fields extends object>(initial: Fields) {
  const [fields, setFields] = useState(initial);
  const change = (part: Partial<Fields>): void => setFields((before) => ({ ...before, ...part }));
  return [fields, change, createFieldBinder(fields, change)] as const;
}

export function createFieldBinder<Fields extends object>(fields: Fields, change: (part: Partial<Fields>) => void) {
  return <Key extends keyof Fields>(key: Key) => ({
    value: fields[key],
    onChange: (value: Fields[Key]) => change({ [key]: value } as unknown as Partial<Fields>), // TypeScript widens a computed key to `string`
  });
}

interface FieldProps<Value> {
  readonly label: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

interface TextFieldProps extends FieldProps<string> {
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

interface ChoiceFieldProps<Value extends string> extends FieldProps<Value> {
  readonly options: SelectOptions<Value>;
  /** Whether the empty option makes the field invalid. */
  readonly required?: boolean;
}

export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, value, options, onChange, required = false } = props;
  return (
    <Field label={label}>
      <Select
        value={value}
        required={required}
        onChange={(_, { value: chosen }) => onChange(chosen as Value)} // the cast is safe, because the value is one of the options
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  );
}

export function IndexSelectField({
  value,
  options,
  onChange,
  ...props
}: FieldProps<number> & { options: readonly string[] }) {
  const numbered = options.map((text, index) => [String(index), text] as const);
  return (
    <ChoiceField {...props} value={String(value)} options={numbered} onChange={(next) => onChange(Number(next))} />
  );
}

export function CheckboxField({ label, value, onChange }: FieldProps<boolean>) {
  return <Checkbox label={label} checked={value} onChange={(_, { checked }) => onChange(checked === true)} />;
}

type ChecksFieldProps<Value> = FieldProps<readonly Value[]> & { readonly options: SelectOptions<Value> };

export function CheckboxGroupField<Value>({ label, value, options, onChange }: ChecksFieldProps<Value>) {
  return (
    <fieldset className="studio-group">
      <legend>{label}</legend>
      {options.map(([option, text]) => (
        <CheckboxField
          key={JSON.stringify(option)}
          label={text}
          value={value.includes(option)}
          onChange={(checked) => onChange(checked ? [...value, option] : value.filter((one) => one !== option))}
        />
      ))}
    </fieldset>
  );
}

interface BilingualFieldsProps extends Omit<TextFieldProps, keyof FieldProps<string>>, FieldProps<BilingualText> {
  readonly inherited?: BilingualText | undefined;
}

export function BilingualFields({ label, value, inherited, onChange, ...props }: BilingualFieldsProps) {
  return languages.map((language) => (
    <TextField
      {...props}
      key={language}
      label={t('labelInLanguage', { label, language: t(language).toLowerCase() })}
      value={value[language]}
      placeholder={inherited?.[language]}
      onChange={(text) => onChange({ ...value, [language]: text })}
    />
  ));
}

/** Focuses the first control, or the heading if there is none. Restores the focus when the panel closes. */
export function useFocusOnOpen<Part extends HTMLElement>(opens = true): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useEffect(() => {
    if (!opens) return undefined;
    const opener = document.activeElement;
    const find = (selector: string) => part.current?.querySelector<HTMLElement>(selector);
    (find('input, select, textarea') ?? find('h3'))?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [opens]);
  return part;
}

interface SubmitFormProps {
  readonly label?: string;
  readonly className?: string;
  readonly ref?: RefObject<HTMLFormElement | null>;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

export function SubmitForm({ label, onSubmit, ...props }: SubmitFormProps) {
  return (
    <form
      {...props}
      aria-label={label}
      // Runs before the browser validates the form: a custom message would keep a corrected control invalid.
      onClickCapture={({ currentTarget }) => setValidityMessage(currentTarget.elements, '')}
      // Replaces the message of the browser, which is in the language of the browser.
      onInvalidCapture={({ target }) => setValidityMessage([target], t('valueMissing'))}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}

function setValidityMessage(controls: Iterable<EventTarget>, message: string): void {
  for (const control of controls)
    if ('setCustomValidity' in control) (control as HTMLInputElement).setCustomValidity(message); // every control with this method has the same one
}

interface TaskBarProps<Task> {
  /** Tasks with their button texts. The text `false` hides a task that has nothing to change. */
  readonly tasks: readonly (readonly [task: Task, text: string | false, isDisabled?: boolean])[];
  readonly onTask: (task: Task) => void;
}

export function TaskBar<Task extends string>({ tasks, onTask }: TaskBarProps<Task>) {
  return (
    <Toolbar aria-label={t('tasksBar')} size="small">
      {tasks.map(
        ([task, text, isDisabled]) =>
          text && (
            <ToolbarButton key={task} disabled={isDisabled} onClick={() => onTask(task)}>
              {text}
            </ToolbarButton>
          ),
      )}
    </Toolbar>
  );
}

interface TaskFrameProps {
  readonly title: string;
  readonly action: string;
  readonly disabled?: boolean;
  readonly other?: string;
  /** Whether the frame moves the focus when it opens. False if an enclosing panel already moves it. */
  readonly opens?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Frame of an edit task. Not a dialog, so that the rest of the page stays usable. */
export function EditTaskFrame({
  title,
  action,
  disabled = false,
  other = t('cancel'),
  opens = true,
  onSubmit,
  onCancel,
  children,
}: TaskFrameProps) {
  const form = useFocusOnOpen<HTMLFormElement>(opens);
  return (
    <SubmitForm ref={form} className="studio-task" label={title} onSubmit={onSubmit}>
      {opens && <h3 tabIndex={-1}>{title}</h3>}
      {children}
      <p className="studio-buttons">
        <Button type="submit" appearance="primary" disabled={disabled}>
          {action}
        </Button>
        <Button onClick={onCancel}>{other}</Button>
      </p>
    </SubmitForm>
  );
}

interface TaskProps extends Pick<TaskFrameProps, 'title' | 'children'> {
  readonly changes: readonly FileChange[];
  /** Name of the field, state or flow that this edit adds, if any. Passed to `onDone`. */
  readonly added?: string | undefined;
  readonly checks?: DefinitionWriteChecks;
  readonly hint?: string;
  readonly action?: string;
  readonly onSubmit?: (() => void) | undefined;
  readonly onDone: EditTaskEndCallback;
}

export function EditTaskForm({ title, changes, added, checks, hint, action, onSubmit, onDone, children }: TaskProps) {
  const studio = useStudio();
  const write = async (): Promise<void> => {
    if (await studio.write(changes, checks)) onDone(added);
  };
  return (
    <EditTaskFrame
      title={title}
      action={action ?? t('add')}
      disabled={studio.busy}
      onSubmit={onSubmit ?? (() => void write())}
      onCancel={() => onDone()}
    >
      <div className="studio-fields">{children}</div>
      <p>
        {changes.length > 0 && t('willWrite', { files: changes.map(({ file }) => file).join(', ') })} {hint}
      </p>
    </EditTaskFrame>
  );
}

/** Callback at the end of a task. `added` is the name of the added element. Absent if the task was cancelled. */
export type EditTaskEndCallback = (added?: string) => void;

/**
 * The task that a panel shows. `close` closes it, unless a newer task has replaced it. `finish` also scrolls to the added element once it is rendered,
 * and focuses it or its first control. `createId` returns the id of that element.
 */
export function usePanelTask<Task>(createId: (added: string) => string) {
  const { set } = useStudio(); // re-renders this hook when the definitions have reloaded after a write
  const [task, setTask] = useState<Task>();
  const awaited = useRef<string | null>(null);
  const [additions, setAdditions] = useState(0);
  const close = (): void => setTask((now) => (now === task ? undefined : now));
  useEffect(() => {
    const part = awaited.current === null ? null : document.getElementById(awaited.current);
    if (!part) return;
    awaited.current = null;
    part.scrollIntoView({ block: 'center' });
    (part.querySelector<HTMLElement>('button, a') ?? part).focus({ preventScroll: true });
  }, [additions, set]);
  const finish: EditTaskEndCallback = (added) => {
    close();
    if (added === undefined) return;
    awaited.current = createId(added);
    setAdditions((before) => before + 1);
  };
  return { task, setTask, close, finish };
}
