import type { DefinitionProblem } from '../../engine/compiler/definitions.ts';
import { suggestName, selectLocalizedText } from '../../engine/compiler/sources/localized-text.ts';
import { say } from './localized-output.ts';

/** Returns the distinct placeholders of a mail: `{{name}}`, or `{{>name}}` for a quotation. */
export function listMailPlaceholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\{>?\w+\}\}/g))];
}

/** Reports the placeholders of a mail to which its code assigns no value. `known` has those with a value. */
export function reportUnknownPlaceholders(
  { file, text, used }: { readonly file: string; readonly text: string; readonly used: readonly string[] },
  known: readonly string[],
  language: string,
): readonly DefinitionProblem[] {
  return used
    .filter((placeholder) => !known.includes(placeholder))
    .map((placeholder) => {
      const before = text.slice(0, Math.max(0, text.indexOf(placeholder))).split('\n');
      return {
        rule: 'text/placeholder',
        severity: 'W',
        file,
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
        pointer: '',
        message: selectLocalizedText(
          say`This mail has no value for ${placeholder}: it is displayed as text.`,
          language,
        ),
        hint: selectLocalizedText(say`${suggestName(placeholder, known)}Its values: ${known.join(', ')}.`, language),
      };
    });
}
