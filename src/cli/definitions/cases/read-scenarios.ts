import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServedDefinitions, DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { flattenFields } from '../../../engine/compiler/screen/schema-fields.ts';
import type { StateDefinition } from '../../../engine/core/flow-and-screen-types.ts';
import { isFieldWithin } from '../../../engine/core/field-path.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import { restartEvent } from '../../../engine/core/saved-journey.ts';
import { checkFileFormat } from '../../../engine/compiler/formats/check-file-format.ts';
import { suggestSimilarOrKnownNames, type LocalizedText } from '../../../engine/compiler/sources/localized-text.ts';
import { DefinitionLoadCache } from '../../../engine/compiler/sources/load-cache.ts';
import { readSourceFile } from '../../../engine/compiler/sources/read-source.ts';
import { type SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import { reportSuspiciousJson } from '../../../engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector } from '../../../engine/compiler/sources/problem-collector.ts';
import { operationErrorCodes, commonErrorCodes } from '../../../contract/error-codes.ts';
import { operationNames, type OperationName } from '../../../contract/contract.ts';
import {
  buildScenarioPath,
  scenarioFolder,
  type Scenario,
  type ScenarioFile,
} from '../../../studio/scenario/scenario.ts';
import { explain, localize } from '../localized-output.ts';

export interface FlowScenarios {
  readonly flow: string;
  readonly walks: readonly Scenario[];
}

/** Reports problems in malformed files, and omits their scenarios. */
export async function readScenarios(
  root: string,
  { flows, schema }: Pick<ServedDefinitions, 'flows' | 'schema'>,
  language?: string,
  cache = new DefinitionLoadCache(),
): Promise<{ readonly list: readonly FlowScenarios[]; readonly problems: readonly DefinitionProblem[] }> {
  const problems = new ProblemCollector(language);
  const names = await readdir(join(root, scenarioFolder)).catch(() => []);
  const list: FlowScenarios[] = [];
  for (const name of names.filter((own) => own.endsWith('.json')).sort()) {
    const flow = name.slice(0, -'.json'.length);
    const file = await readSourceFile(root, buildScenarioPath(flow), problems);
    const isFormatted = (own: SourceFile) =>
      reportSuspiciousJson(own, problems) && checkFileFormat(own, 'walks', problems);
    if (!file || !cache.checkOnce(`format of ${file.path}`, [file.text], () => isFormatted(file))) continue;
    const { walks } = file.value as unknown as ScenarioFile; // the cast is safe, because `checkSource` has validated the file
    checkNames(file, flow, walks, { flows, schema }, problems);
    list.push({ flow, walks });
  }
  return { list, problems: problems.list };
}

function checkNames(
  file: SourceFile,
  flow: string,
  walks: readonly Scenario[],
  { flows, schema }: Pick<ServedDefinitions, 'flows' | 'schema'>,
  problems: ProblemCollector,
): void {
  const known = flows[flow];
  if (!known) {
    problems.report(file)('')(explain`There is no flow "${flow}".
      ${suggestSimilarOrKnownNames(flow, Object.keys(flows))}`);
    return;
  }
  const states = Object.keys(known.states);
  const events = [...engineEvents, ...Object.values(known.states).flatMap(listStateEvents)];
  const hasBlock = Object.values(known.states).some(({ block }) => block !== undefined);
  const fields = Object.values(known.states).flatMap(({ screen }) =>
    screen === undefined ? [] : Object.keys(flattenFields(schema(screen) ?? {})),
  );
  const assertOneOf = (
    what: (name: string) => LocalizedText,
    name: string | undefined,
    names: readonly string[],
    pointer: string,
  ): void => {
    if (name !== undefined && name !== '' && !names.includes(name))
      problems.report(file)(pointer)(explain`${what(name)}
        ${suggestSimilarOrKnownNames(name, names)}`);
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
      if ('raise' in part) {
        const formatUnknownEvent = (name: string) => localize`No state of the flow has the event "${name}".`;
        assertOneOf(formatUnknownEvent, part.raise, events, `${place}/raise`);
        for (const name of hasBlock ? [] : Object.keys(part.fill ?? {}))
          if (!fields.some((field) => isFieldWithin(field, name) || isFieldWithin(name, field)))
            assertOneOf(formatUnknownField, name, fields, `${place}/fill/${escapePointer(name)}`);
      }
      for (const name of Object.keys(part.then?.set ?? {}))
        assertOneOf(
          formatUnknownVariable,
          name,
          Object.keys(known.context ?? {}),
          `${place}/then/set/${escapePointer(name)}`,
        );
      (part.operations ?? []).forEach(({ operation, error }, position) => {
        const codes = [...(declaredErrors[operation as OperationName] ?? []), ...commonErrorCodes];
        const own = `${place}/operations/${position}`;
        assertOneOf(
          (name) => localize`There is no operation "${name}".`,
          operation,
          operationNames,
          `${own}/operation`,
        );
        const formatUnknownError = (name: string) => localize`There is no error of ${operation} "${name}".`;
        assertOneOf(formatUnknownError, error?.code, codes, `${own}/error/code`);
      });
    }
  });
}

/** Events that need no transition in the state. */
const engineEvents = ['back', restartEvent];

function listStateEvents({ on = {}, after }: StateDefinition): readonly string[] {
  return [...Object.keys(on), ...(after ? [after.event] : [])];
}

const formatUnknownField = (name: string) => localize`No screen of the flow has the field "${name}".`;
const formatUnknownVariable = (name: string) => localize`The flow has no variable "${name}".`;
const formatUnknownState = (name: string) => localize`There is no state "${name}".`;

const declaredErrors: Readonly<Partial<Record<OperationName, readonly string[]>>> = operationErrorCodes;
