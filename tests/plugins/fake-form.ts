import { observable, runInAction } from 'mobx';
import { vi } from 'vitest';
import type { ControlAttributes, Field, FormHandle, WidgetParts } from '../../src/engine/react/widget.ts';

/** A field for tests of widgets, with an observable value. */
export type FakeField = { -readonly [Key in keyof Field]: Field[Key] };

/** Creates a form for tests of widgets: fields by name, with a spy as `blur`. */
export function createFakeForm(values: Readonly<Record<string, unknown>>) {
  const fields = new Map(Object.entries(values).map(([name, value]) => [name, createFakeField(name, value)]));
  const form: { -readonly [Key in keyof FormHandle]: FormHandle[Key] } = observable({
    field: (name: string) => fields.get(name),
    failures: 0,
    busy: false,
    send: () => undefined,
  });
  const field = (name: string) => {
    const found = fields.get(name);
    if (!found) throw new Error(`No field ${name}.`);
    return found;
  };
  return { form, field };
}

export function createFakeControl(name: string, own: Partial<ControlAttributes> = {}): ControlAttributes {
  return {
    id: name,
    name,
    required: true,
    'aria-required': true,
    'aria-invalid': false,
    'aria-describedby': undefined,
    autoComplete: undefined,
    placeholder: undefined,
    readOnly: false,
    disabled: false,
    ...own,
  };
}

/** Creates the props of a widget, with only the options, rules and label of the test. */
export function createFakeParts(
  { form, field }: ReturnType<typeof createFakeForm>,
  name: string,
  own: Partial<WidgetParts> = {},
): WidgetParts {
  return {
    field: field(name),
    form,
    control: createFakeControl(name),
    options: {},
    schema: {},
    label: '',
    t: formatFakeText,
    load: async () => null,
    now: () => new Date(),
    ...own,
  };
}

/** Formats a text as its key, followed by its values. */
export function formatFakeText(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return Object.keys(values).length === 0 ? key : `${key} ${JSON.stringify(values)}`;
}

function createFakeField(name: string, value: unknown): FakeField {
  const field: FakeField = observable(
    {
      name,
      value,
      get typed() {
        return this.value;
      },
      error: null,
      invalid: false,
      set: (next: unknown) =>
        runInAction(() => {
          field.value = next;
        }),
      clean: (input: unknown) => input,
      blur: vi.fn(),
      beforeSubmit: () => () => undefined,
    },
    { set: false, clean: false, blur: false, beforeSubmit: false },
  );
  return field;
}
