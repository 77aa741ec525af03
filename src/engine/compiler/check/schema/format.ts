import type { Plugins } from '../../files/plugin-table.ts';
import { instead, nearest } from '../../sources/suggest-name.ts';
import type { Localized } from '../../localized.ts';
import type { Report } from '../../sources/report.ts';
import { explain, say } from '../../sources/say.ts';
import { standardFormats } from '../../sources/ajv-words.ts';
import { formatsOfNumbers } from '../../json-schema/normalize-schema.ts';

const write = (format: string) => say`Write "${format}".`;
const asPattern = say`Remove it, or write a "pattern".`;
const asFile = say`Write "format": "file" with the widget and the rule "file" of a plugin; of a short text remove it.`;

/** Formats without a control, with an alternative. */
const undrawnFormats: Readonly<Record<string, Localized>> = {
  duration: asPattern,
  'iso-date-time': write('date-time'),
  'iso-time': write('time'),
};

/** Formats of JSON Schema and of OpenAPI's registry that fields do not support, with an alternative. */
const uncheckedFormats: Readonly<Record<string, Localized>> = {
  'idn-email': say`Write "email", or a "pattern" where an address may have other letters than a to z.`,
  'idn-hostname': say`Write "hostname", or a "pattern" where a name may have other letters than a to z.`,
  iri: say`Write "uri", or a "pattern" where an address may have other letters than a to z.`,
  'iri-reference': say`Write "uri-reference", or a "pattern" where an address may have other letters than a to z.`,
  byte: asFile,
  base64url: asFile,
  binary: asFile,
  'data-url': asFile,
  decimal: asPattern,
  decimal128: asPattern,
  char: say`Remove it, and write "maxLength": 1.`,
  commonmark: say`Remove it: "ui:widget": "textarea" takes a long text.`,
  html: say`Remove it: "ui:widget": "textarea" takes a long text.`,
};

function hintForUnknown(format: string, known: readonly string[]): Localized {
  const meant = nearest(format, known);
  return meant === undefined ? instead(format, known) : say`Did you mean "${meant}"?`;
}

/** Checks that a format exists, is supported, and fits the type of the field. */
export function checkFormatName(
  report: Report,
  at: string,
  { format, type }: { readonly format: string; readonly type: string | undefined },
  plugins: Plugins,
): void {
  if (plugins.formats.has(format)) return;
  const hint = Object.hasOwn(uncheckedFormats, format) ? uncheckedFormats[format] : undefined;
  const isOfNumbers = formatsOfNumbers.includes(format);
  const undrawn = Object.hasOwn(undrawnFormats, format) ? undrawnFormats[format] : undefined;
  const others = [...Object.keys({ ...undrawnFormats, ...uncheckedFormats }), ...formatsOfNumbers];
  const known = standardFormats.filter((name) => !others.includes(name));
  if (isOfNumbers && type !== undefined)
    report(at)(explain`The format "${format}" is for numbers, and the field is of type ${type}.
      Write "type": "integer" or "number", or remove the format.`);
  else if (hint)
    report(at)(explain`The format "${format}" is a known one, but is not checked here.
      ${hint}`);
  else if (undrawn)
    report(at)(explain`The format "${format}" cannot be drawn.
      ${undrawn}`);
  else if (!isOfNumbers && !known.includes(format))
    report(at)(explain`Unknown format "${format}".
      ${hintForUnknown(format, [...known, ...plugins.formats.keys()])}`);
  else if (type !== undefined && type !== 'string')
    report(at)(explain`The format "${format}" is for texts, and the field is of type ${type}.
      Write "type": "string", or remove the format.`);
}
