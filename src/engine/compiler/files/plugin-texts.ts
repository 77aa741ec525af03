import { isObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { placeholders } from '../../core/messages.ts';
import { guess } from '../sources/near.ts';
import { reportOf } from '../sources/report.ts';
import { say } from '../sources/say.ts';
import type { Problems } from '../sources/source-file.ts';
import type { Plugin } from './plugin-table.ts';
import { textTable } from './text-table.ts';

/** Checks that plugins say the same in every language that one of them speaks, and nothing of rules that they do not bring. */
export function checkPluginTexts(plugins: readonly Plugin[], problems: Problems): void {
  const languagesOf = ({ texts }: Plugin) => (isObject(texts?.value) ? Object.keys(texts.value) : []);
  const all = plugins.flatMap(languagesOf);
  const speaking = plugins.filter(({ texts }) => texts !== null).length;
  // one that a single plugin speaks is a slip of that one, and lacks nowhere
  const languages = [...new Set(all)].filter((own) => speaking < 3 || all.filter((other) => other === own).length > 1);
  for (const plugin of plugins.filter(({ texts }) => texts !== null)) {
    const { texts, module, hasWidget } = plugin;
    if (!texts) continue;
    const report = reportOf(texts, problems);
    for (const language of languagesOf(plugin))
      if (plugins.filter((other) => other.texts && languagesOf(other).includes(language)).length === 1 && speaking > 2)
        report(
          `/${escapePointer(language)}`,
          say`No other plugin speaks "${language}".`,
          say`Write one of: ${languages.filter((own) => own !== language).join(', ')}.`,
        );
    const keys = [...new Set(languagesOf(plugin).flatMap((language) => Object.keys(textTable(texts, language))))];
    const keywords = (module.rules ?? []).map(({ keyword }) => keyword);
    for (const key of keys) {
      const without = languages.find((language) => textTable(texts, language)[key] === undefined);
      if (without !== undefined)
        report(
          `/${without}`,
          say`"${key}" has no text in "${without}".`,
          say`Write it, or remove the key in the others.`,
        );
      const asked = languages.map((language) => {
        const own = textTable(texts, language)[key];
        return { language, names: own === undefined ? undefined : [...placeholders(own)].sort().join(', ') };
      });
      const [base, ...others] = asked.filter(({ names }) => names !== undefined);
      for (const other of others.filter(({ names }) => names !== base?.names))
        report(
          `/${other.language}/${escapePointer(key)}`,
          say`It says something else than in "${base?.language ?? ''}": there ${base?.names || '–'}, here ${other.names || '–'}.`,
          say`Give it the same values.`,
        );
      const [head = ''] = key.split('.');
      const at = languages.find((language) => Object.hasOwn(textTable(texts, language), key)) ?? '';
      if (!hasWidget && !keywords.includes(head))
        // a widget has texts of its own
        report(
          `/${at}/${escapePointer(key)}`,
          say`"${key}" is no rule of this plugin.`,
          say`${guess(head, keywords)}Rename the key, or remove it.`,
        );
    }
  }
}
