import table from './quotations.json' with { type: 'json' };

/**
 * Extracts the texts that a specification quotes, by section, as written in the product. `quotations.json` lists quoted values that are not texts,
 * texts with placeholders or an ellipsis, and texts without quotation marks.
 */
export function extractQuotations(specification: string): { readonly es: Readonly<Record<string, readonly string[]>> } {
  const { values, unmarked } = table;
  const written: Readonly<Record<string, string>> = table.written;
  const es: Record<string, string[]> = {};
  const known = new Set<string>(values);
  const add = (section: string, text: string): void => {
    if (known.has(text)) return;
    known.add(text);
    (es[section] ??= []).push(text);
  };
  for (const [section, text] of specification
    .split(/^#{2,3} (?=\d)/m)
    .slice(1)
    .map(splitHeading))
    for (const [, quotation = ''] of text.matchAll(/(?<![\p{L}\d])'((?:[^'\n]|'(?=\p{L}))+)'(?!\p{L})/gu))
      add(section, written[quotation] ?? quotation);
  for (const [section, texts] of Object.entries(unmarked)) for (const text of texts) add(section, text);
  return { es };
}

function splitHeading(chapter: string): readonly [section: string, text: string] {
  return [/^\d+(\.\d+)?/.exec(chapter)?.[0] ?? '', chapter];
}
