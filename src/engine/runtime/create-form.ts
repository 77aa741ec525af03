import type { Values } from '../core/json.ts';
import type { FormModel } from './form/form-model.ts';
import type { LoadedScreen } from './flow-services.ts';

/** An open form without a flow. MobX can observe `values`, `errors` and `ready`. */
export interface Form {
  readonly draft: FormModel;
  /** Values of all fields, hidden ones included. */
  readonly values: Values;
  /** Visible messages, by field. */
  readonly errors: Readonly<Record<string, string>>;
  /** Whether every required field is filled in and no value is refused. */
  readonly ready: boolean;
  set(field: string, value: unknown): void;
  /**
   * Validates the form and runs the `beforeSubmit` tasks of its widgets. Resolves to the values to send. Resolves to `null` if the form is refused,
   * and shows its messages.
   */
  submit(): Promise<Values | null>;
  /** Restores the initial values and hides all messages. */
  reset(): void;
}

/** Opens the form of a screen. `context` contains the facts that its rules may read. Throws if the screen has no fields. */
export function createForm(screen: LoadedScreen, values: Values = {}, context: Values = {}): Form {
  const draft = screen.open(values, context);
  if (!draft) throw new Error(`The screen ${screen.validator.screen.id} has no fields.`);
  return {
    draft,
    get values() {
      return draft.values;
    },
    get errors() {
      return Object.fromEntries(draft.errors);
    },
    get ready() {
      return draft.ready;
    },
    set: (field, value) => draft.field(field)?.set(value),
    submit: async () => (await draft.submitPrepared())?.data ?? null,
    reset: () => draft.reset(),
  };
}
