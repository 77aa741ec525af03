import type { CompileProjectOptions } from '../definitions.ts';
import type { DefinitionFiles } from '../files/read-definition-files.ts';
import { checkFileFormat } from '../formats/check-file-format.ts';
import type { LoweredFlow } from '../intermediate-representation.ts';
import type { DefinitionLoadCache } from '../sources/load-cache.ts';
import { createDeduplicatingReporter, type ProblemCollector } from '../sources/problem-collector.ts';
import { explain } from '../sources/localized-text.ts';
import { expandFlow } from './expand-flow.ts';
import type { UnexpandedFlow } from './unexpanded-flow-types.ts';

export function lowerFlows(
  set: DefinitionFiles,
  { facts, defaults }: Partial<Pick<CompileProjectOptions, 'facts' | 'defaults'>>,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): readonly LoweredFlow[] {
  const words = JSON.stringify([facts, defaults]);
  return set.flows.flatMap((file) => {
    const expanded = cache.getOrCheck(`flow ${file.path}`, [file, words, set.plugins], problems, (own) => {
      if (!cache.checkOnce(`format of ${file.path}`, [file.text], () => checkFileFormat(file, 'flow', own)))
        return null;
      const name = file.path.replace(/^flows\/|\.json$/g, '');
      const written = { id: name, ...(file.value as unknown as Partial<UnexpandedFlow>) } as UnexpandedFlow; // cast: the file was validated against the flow format
      const report = own.report(file);
      if (written.id !== name)
        report('/id')(explain`The id "${written.id}" differs from the name of the file.
          Remove it: the name of the file is enough.`);
      return expandFlow(written, report, { facts, defaults });
    });
    return expanded
      ? { ...expanded, file, report: createDeduplicatingReporter(expanded.toSourcePointer, problems.report(file)) }
      : [];
  });
}
