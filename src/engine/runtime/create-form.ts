import type { Values } from '../core/json.ts';
import type { FormModel } from './form/form-model.ts';
import type { LoadedScreen } from './flow-services.ts';

/** An open form without a flow. `values`, `errors` and `ready` are observable by MobX. */
export interface Form {
  readonly draft: FormModel;
  /** Values of all fields, hidden ones included. */
  readonly values: Values;
  /** Visible messages, by field. */
  readonly errors: Readonly<Record<string, string>>;
  /** Whether every required value is there and nothing is refused. */
  readonly ready: boolean;
  set(field: string, value: unknown): void;
  /** Resolves to the values to send, or to null if they are refused, whose messages are then visible. Widgets do their work before. */
  submit(): Promise<Values | null>;
  /** Restores the values that it was opened with, and hides all messages. */
  reset(): void;
}

/** Opens the form of a screen; `context` holds what rules may read beside its values. Throws when the screen has no fields. */
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
