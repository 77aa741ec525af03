import type { DefinitionSetOptions } from '../definitions.ts';
import type { FileSet } from '../files/read-file-set.ts';
import { checkFormat } from '../formats/check-format.ts';
import type { LoweredFlow } from '../ir.ts';
import type { LoadCache } from '../sources/load-cache.ts';
import { reportOnce, type Problems } from '../sources/source-file.ts';
import { explain } from '../sources/say.ts';
import { expandFlow } from './expand-flow.ts';
import type { WrittenFlow } from './flow-source.ts';

export function lowerFlows(
  set: FileSet,
  { facts, defaults }: Partial<Pick<DefinitionSetOptions, 'facts' | 'defaults'>>,
  problems: Problems,
  cache: LoadCache,
): readonly LoweredFlow[] {
  const words = JSON.stringify([facts, defaults]);
  return set.flows.flatMap((file) => {
    const expanded = cache.checked(`flow ${file.path}`, [file, words, set.plugins], problems, (own) => {
      if (!cache.passed(`format of ${file.path}`, [file.text], () => checkFormat(file, 'flow', own))) return null;
      const name = file.path.replace(/^flows\/|\.json$/g, '');
      const written = { id: name, ...(file.value as unknown as Partial<WrittenFlow>) } as WrittenFlow; // cast: the file was validated against the flow format
      const report = own.report(file);
      if (written.id !== name)
        report('/id')(explain`The id "${written.id}" differs from the name of the file.
          Remove it: the name of the file is enough.`);
      return expandFlow(written, report, { facts, defaults });
    });
    return expanded ? { ...expanded, file, report: reportOnce(expanded.toSourcePointer, problems.report(file)) } : [];
  });
}
