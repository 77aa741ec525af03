import type { PluginValidationRule } from '../core/plugin-rule.ts';
import { validatorRuntime } from '../core/validator-runtime.ts';
import type { FormatValidators, ScreenModule } from '../core/compiled-screen.ts';
import { deriveSelectedAlternatives } from '../core/validate-screen-form.ts';
import { FormModel } from './form/form-model.ts';
import type { LoadedScreen } from './flow-services.ts';
import type { ValuesByName } from '../core/json.ts';

export interface ScreenPlugins {
  readonly rules?: ReadonlyMap<string, PluginValidationRule>;
  readonly formats?: FormatValidators;
  readonly widgets?: Readonly<Record<string, unknown>>;
}

/** Loads standard formats and lists only if the screen needs them. Rejects if a plugin rule is missing, because invalid values would be accepted. */
export async function openScreen<Sent = ValuesByName>(
  { screen, validators }: ScreenModule<Sent>,
  plugins: ScreenPlugins | Promise<ScreenPlugins> = {},
): Promise<LoadedScreen<Sent>> {
  const [lists, standard, provided] = await Promise.all([
    screen.fields.some(({ item }) => item) ? import('./form/list-model.ts') : null,
    screen.standardFormats ? standardFormats() : {},
    plugins,
  ]);
  if (screen.rulePlugins.length > 0 && !provided.rules && !provided.formats) {
    const folders = screen.rulePlugins.map((name) => `plugins/${name}`).join(', ');
    throw new Error(`The screen "${screen.id}" needs the rules of ${folders}: openScreen(module, { rules }).`);
  }
  const { rules = new Map(), formats = {}, widgets = {} } = provided;
  const values = validators({ ...standard, ...formats }, validatorRuntime);
  const validator = { screen, rules, values, ...(lists ? { items: lists.listValidator } : {}) };
  const options = lists ? { openList: lists.createListModel } : {};
  return {
    validator,
    widgets,
    open: (own, context) => {
      const initialValues = { ...screen.defaults, ...own };
      return screen.fields.length > 0
        ? new FormModel(
            validator,
            { ...initialValues, ...deriveSelectedAlternatives(screen, initialValues, context) },
            context,
            options,
          )
        : null;
    },
  };
}

async function standardFormats(): Promise<FormatValidators> {
  const { fullFormats } = await import('ajv-formats/dist/formats.js');
  return fullFormats;
}

/** An open form without a flow. `values`, `errors` and `ready` are observable by MobX. */
export interface Form<Sent = ValuesByName> {
  readonly model: FormModel;
  readonly values: ValuesByName;
  readonly errors: Readonly<Record<string, string>>;
  readonly ready: boolean;
  /** Sets the value of a field. Throws if the form has no such field. */
  set(field: string, value: unknown): void;
  /** Validates the form and runs the `beforeSubmit` tasks. If the form is invalid, shows its messages and resolves to `null`. */
  submit(): Promise<Sent | null>;
  reset(): void;
}

/** Opens the form of a screen. `context` contains the facts for its rules. Throws if the screen has no fields. */
export function createForm<Sent = ValuesByName>(
  screen: LoadedScreen<Sent>,
  values: ValuesByName = {},
  context: ValuesByName = {},
): Form<Sent> {
  const model = screen.open(values, context);
  if (!model) throw new Error(`The screen ${screen.validator.screen.id} has no fields.`);
  return {
    model,
    get values() {
      return model.values;
    },
    get errors() {
      return Object.fromEntries(model.errors);
    },
    get ready() {
      return model.ready;
    },
    set: (name, value) => {
      const field = model.field(name);
      if (!field) throw new Error(`The form has no field ${name}.`);
      field.set(value);
    },
    submit: async () => ((await model.submitPrepared())?.data as Sent | undefined) ?? null, // `Sent` is a type that the compiler declares for the validated values
    reset: () => model.reset(),
  };
}
