import { fullFormats } from 'ajv-formats/dist/formats.js';
import { listValidator } from '../../core/lists.ts';
import { runtime } from '../../core/runtime.ts';
import type { ScreenModule } from '../../core/screen.ts';
import type { Validator } from '../../core/validate.ts';
import type { Plugins } from '../files/plugin-table.ts';

/** Creates the validator of a screen from its module and the plugins. The server runs the same module as browsers. */
export function instantiate(module: ScreenModule, plugins: Plugins): Validator {
  const formats = {
    ...fullFormats,
    ...Object.fromEntries([...plugins.formats].map(([name, { check }]) => [name, check])),
  };
  const rules = new Map([...plugins.rules].map(([keyword, { rule }]) => [keyword, rule]));
  return { screen: module.screen, values: module.validators(formats, runtime), rules, items: listValidator };
}
