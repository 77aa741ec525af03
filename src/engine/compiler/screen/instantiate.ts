import { fullFormats } from 'ajv-formats/dist/formats.js';
import { listValidator } from '../../core/lists.ts';
import { runtime } from '../../core/runtime.ts';
import type { ScreenModule } from '../../core/screen.ts';
import type { Validator } from '../../core/validate.ts';
import type { Plugins } from '../files/plugins.ts';

/** Runs a screen's module on the server: the same text that the browser loads. */
export async function instantiate(source: string, plugins: Plugins): Promise<Validator> {
  const address = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
  const module = (await import(/* @vite-ignore */ address)) as ScreenModule; // written by compile-screen.ts
  const formats = {
    ...fullFormats,
    ...Object.fromEntries([...plugins.formats].map(([name, { check }]) => [name, check])),
  };
  const rules = new Map([...plugins.rules].map(([keyword, { rule }]) => [keyword, rule]));
  return { screen: module.screen, values: module.validators(formats, runtime), rules, items: listValidator };
}
