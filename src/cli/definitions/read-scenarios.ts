import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Definitions, Problem } from '../../engine/compiler/definitions.ts';
import { checkFormat } from '../../engine/compiler/formats/check-format.ts';
import { suggestReplacement, type Localized } from '../../engine/compiler/sources/say.ts';
import { readSource } from '../../engine/compiler/sources/read-source.ts';
import { checkSource, Problems, type SourceFile } from '../../engine/compiler/sources/source-file.ts';
import { operationErrors, commonErrors } from '../../contract/errors.ts';
import { operationNames, type OperationName } from '../../contract/contract.ts';
import { buildScenarioPath, scenarioFolder, type Scenario, type ScenarioFile } from '../../studio/scenario/scenario.ts';
import { explain, say } from './language.ts';

interface FlowScenarios {
  readonly flow: string;
  readonly walks: readonly Scenario[];
}

/** Reads the scenarios of the flows. Reports problems in malformed files, and omits the scenarios of these files. */
export async function readScenarios(
  root: string,
  { flows }: Pick<Definitions, 'flows'>,
  language?: string,
): Promise<{ readonly list: readonly FlowScenarios[]; readonly problems: readonly Problem[] }> {
  const problems = new Problems(language);
  const names = await readdir(join(root, scenarioFolder)).catch(() => []);
  const list: FlowScenarios[] = [];
  for (const name of names.filter((own) => own.endsWith('.json')).sort()) {
    const flow = name.slice(0, -'.json'.length);
    const file = await readSource(root, buildScenarioPath(flow), problems);
    if (!file || !checkSource(file, problems) || !checkFormat(file, 'walks', problems)) continue;
    const { walks } = file.value as unknown as ScenarioFile; // `checkSource` has validated the file
    checkNames(file, flow, walks, flows, problems);
    list.push({ flow, walks });
  }
  return { list, problems: problems.list };
}

function checkNames(
  file: SourceFile,
  flow: string,
  walks: readonly Scenario[],
  flows: Definitions['flows'],
  problems: Problems,
): void {
  const known = flows[flow];
  if (!known) {
    problems.report(file)('')(explain`There is no flow "${flow}".
      ${suggestReplacement(flow, Object.keys(flows))}`);
    return;
  }
  const states = Object.keys(known.states);
  const assertOneOf = (
    what: (name: string) => Localized,
    name: string | undefined,
    names: readonly string[],
    pointer: string,
  ): void => {
    if (name !== undefined && name !== '' && !names.includes(name))
      problems.report(file)(pointer)(explain`${what(name)}
        ${suggestReplacement(name, names)}`);
  };
  walks.forEach((walk, index) => {
    const at = `/walks/${index}`;
    if (walks.findIndex(({ name }) => name === walk.name) < index)
      problems.report(file)(`${at}/name`)(explain`Two walks have the name "${walk.name}".
        Rename one of them.`);
    assertOneOf(formatUnknownState, walk.at, states, `${at}/at`);
    const parts = [
      { part: walk, place: at },
      ...(walk.steps ?? []).map((part, step) => ({ part, place: `${at}/steps/${step}` })),
    ];
    for (const { part, place } of parts) {
      assertOneOf(formatUnknownState, part.then?.state, states, `${place}/then/state`);
      (part.operations ?? []).forEach(({ operation, error }, position) => {
        const codes = [...(declaredErrors[operation as OperationName] ?? []), ...commonErrors];
        const own = `${place}/operations/${position}`;
        assertOneOf((name) => say`There is no operation "${name}".`, operation, operationNames, `${own}/operation`);
        const formatUnknownError = (name: string) => say`There is no error of ${operation} "${name}".`;
        assertOneOf(formatUnknownError, error?.code, codes, `${own}/error/code`);
      });
    }
  });
}

const formatUnknownState = (name: string) => say`There is no state "${name}".`;

const declaredErrors: Readonly<Partial<Record<OperationName, readonly string[]>>> = operationErrors;
