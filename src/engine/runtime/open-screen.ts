import type { Rule } from '../core/plugin.ts';
import { runtime } from '../core/runtime.ts';
import type { Formats, ScreenModule } from '../core/screen.ts';
import { deriveChoices } from '../core/validate.ts';
import { FormModel } from './form/form-model.ts';
import type { LoadedScreen } from './flow-services.ts';

export interface ScreenPlugins {
  readonly rules?: ReadonlyMap<string, Rule>;
  readonly formats?: Formats;
  /** Widgets of the view, by plugin name. */
  readonly widgets?: Readonly<Record<string, unknown>>;
}

/** Creates a screen from a compiled module. Loads the standard formats and the code of lists only if the screen needs them. */
export async function openScreen(
  { screen, validators }: ScreenModule,
  plugins: ScreenPlugins | Promise<ScreenPlugins> = {},
): Promise<LoadedScreen> {
  const [lists, standard, { rules = new Map(), formats = {}, widgets = {} }] = await Promise.all([
    screen.fields.some(({ item }) => item) ? import('./form/list-model.ts') : null,
    screen.standardFormats ? standardFormats() : {},
    plugins,
  ]);
  const values = validators({ ...standard, ...formats }, runtime);
  const validator = { screen, rules, values, ...(lists ? { items: lists.listValidator } : {}) };
  const options = lists ? { openList: lists.openList } : {};
  return {
    validator,
    widgets,
    open: (own, context) => {
      const given = { ...screen.defaults, ...own };
      return screen.fields.length > 0
        ? new FormModel(validator, { ...given, ...deriveChoices(screen, given, context) }, context, options)
        : null;
    },
  };
}

async function standardFormats(): Promise<Formats> {
  const { fullFormats } = await import('ajv-formats/dist/formats.js');
  return fullFormats;
}
