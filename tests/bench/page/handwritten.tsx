import { Button, Checkbox, Field, FluentProvider, Input, Select, webLightTheme } from '@fluentui/react-components';
import { memo, useEffect, useRef, useState, useSyncExternalStore, type FormEvent } from 'react';
import { createRoot } from 'react-dom/client';
import { isValidCi } from './is-valid-ci.ts';
import { exposeHooks, recordSubmit } from './expose.ts';
import type { BenchField, BenchForm } from '../bench-forms.ts';

/**
 * State of the hand-written form. It follows good practice with Fluent: one listener per field, validation functions,
 * and an error summary with links that gets the focus after a failed submit.
 */
class Store {
  readonly #form: BenchForm;
  readonly #values: Record<string, unknown>;
  readonly #errors = new Map<string, string>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #rules = new Map<string, RegExp>();

  constructor(form: BenchForm) {
    this.#form = form;
    this.#values = Object.fromEntries(form.fields.map(({ name, default: value }) => [name, value]));
    for (const { name, pattern } of form.fields) if (pattern) this.#rules.set(name, new RegExp(pattern, 'u'));
  }

  get = (name: string): unknown => this.#values[name];
  error = (name: string): string => this.#errors.get(name) ?? '';
  shown = ({ showIf }: BenchField): boolean => !showIf || this.#values[showIf.field] === showIf.equals;
  subscribe = (name: string, listener: () => void): (() => void) => {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener));
    return () => void listeners.delete(listener);
  };

  set(name: string, value: unknown): void {
    this.#values[name] = value;
    for (const field of this.#form.fields) {
      if (field.name !== name && field.sameAs !== name && field.showIf?.field !== name) continue;
      this.#check(field);
      this.#notify(field.name);
    }
  }

  /** Validates the form. Returns its invalid fields in order. */
  submit(): readonly BenchField[] {
    for (const field of this.#form.fields) {
      this.#check(field);
      this.#notify(field.name);
    }
    return this.#form.fields.filter(({ name }) => this.#errors.has(name));
  }

  #check(field: BenchField): void {
    const value = this.#values[field.name];
    const fault = this.shown(field) ? this.#fault(field, value) : null;
    if (fault === null) this.#errors.delete(field.name);
    else this.#errors.set(field.name, fault);
  }

  #fault(field: BenchField, value: unknown): string | null {
    if (value === undefined || value === '' || value === false)
      return field.required ? 'Este es un dato requerido' : null;
    const text = String(value);
    if (field.sameAs !== undefined && value !== this.#values[field.sameAs]) return field.message ?? '';
    if (field.rule === 'documento' && !isValidCi(text)) return field.message ?? '';
    return this.#rules.get(field.name)?.test(text) === false ? (field.message ?? '') : null;
  }

  #notify(name: string): void {
    for (const listener of this.#listeners.get(name) ?? []) listener();
  }
}

const Row = memo(function Row({ store, field }: { store: Store; field: BenchField }) {
  const { name, label, type, options } = field;
  const [, redraw] = useState(0);
  useEffect(() => store.subscribe(name, () => redraw((count) => count + 1)), [store, name]);
  const shown = useSyncExternalStore(
    (listener) => store.subscribe(name, listener),
    () => store.shown(field),
  );
  if (!shown) return null;
  const error = store.error(name);
  const value = store.get(name);
  if (type === 'checkbox') {
    return (
      <Field validationMessage={error}>
        <Checkbox
          id={name}
          name={name}
          label={label}
          checked={value === true}
          onChange={(_, data) => store.set(name, data.checked === true)}
        />
      </Field>
    );
  }
  return (
    <Field label={label} validationMessage={error}>
      {options ? (
        <Select id={name} name={name} value={String(value ?? '')} onChange={(_, data) => store.set(name, data.value)}>
          <option value="">Seleccione</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      ) : (
        <Input
          id={name}
          name={name}
          type={type === 'select' ? 'text' : type}
          value={String(value ?? '')}
          onChange={(_, data) => store.set(name, data.value)}
        />
      )}
    </Field>
  );
});

function Summary({ store, refused }: { store: Store; refused: readonly BenchField[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [refused]);
  return (
    <div ref={box} role="alert" tabIndex={-1} aria-labelledby="summary">
      <h2 id="summary">Hay {refused.length} datos para corregir</h2>
      <ul>
        {refused.map(({ name, label }) => (
          <SummaryItem key={name} store={store} name={name} label={label} />
        ))}
      </ul>
    </div>
  );
}

const SummaryItem = memo(function SummaryItem({ store, name, label }: { store: Store; name: string; label: string }) {
  const error = useSyncExternalStore(
    (listener) => store.subscribe(name, listener),
    () => store.error(name),
  );
  return (
    error !== '' && (
      <li>
        <a href={`#${name}`}>
          {label}: {error}
        </a>
      </li>
    )
  );
});

function Page({ form, store }: { form: BenchForm; store: Store }) {
  useEffect(
    () =>
      exposeHooks({
        field: (name) => document.getElementById(name),
        errorSelector: '.fui-Field__validationMessage',
        submitSelector: 'button[type=submit]',
      }),
    [],
  );
  const [refused, refuse] = useState<readonly BenchField[]>([]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wrong = store.submit();
    refuse(wrong);
    if (wrong.length === 0) recordSubmit({});
  };
  return (
    <FluentProvider theme={webLightTheme}>
      <form noValidate onSubmit={submit}>
        <h1>{form.title}</h1>
        {refused.length > 0 && <Summary store={store} refused={refused} />}
        {form.fields.map((field) => (
          <Row key={field.name} store={store} field={field} />
        ))}
        <Button type="submit" appearance="primary">
          Enviar
        </Button>
      </form>
    </FluentProvider>
  );
}

const carried = document.getElementById('form')?.textContent;
const id = new URLSearchParams(window.location.search).get('form') ?? 'A';
const form = (carried ? JSON.parse(carried) : await (await fetch(`form-${id}.json`)).json()) as BenchForm;
const root = document.getElementById('root');
if (root) createRoot(root).render(<Page form={form} store={new Store(form)} />);
