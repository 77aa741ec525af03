import { fullFormats } from 'ajv-formats/dist/formats.js';
import { listValidator } from '../../core/lists.ts';
import { runtime } from '../../core/runtime.ts';
import type { ScreenModule } from '../../core/screen.ts';
import type { Validator } from '../../core/validate.ts';
import type { Plugins } from '../files/plugin-table.ts';

/** The validator of a screen's module, with all that plugins bring: on the server it is the same text that the browser loads. */
export function instantiate(module: ScreenModule, plugins: Plugins): Validator {
  const formats = {
    ...fullFormats,
    ...Object.fromEntries([...plugins.formats].map(([name, { check }]) => [name, check])),
  };
  const rules = new Map([...plugins.rules].map(([keyword, { rule }]) => [keyword, rule]));
  return { screen: module.screen, values: module.validators(formats, runtime), rules, items: listValidator };
}
