import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { baseLanguage } from '../../../contract/portal-config.ts';
import type { ServedDefinitions, DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { getFieldValue, replaceIndexesWithItems, splitFieldName } from '../../../engine/core/field-path.ts';
import { formatFieldFault } from '../../../engine/core/messages.ts';
import { isEmptyValue } from '../../../engine/core/validate-screen-form.ts';
import { flattenFields, listAllFields } from '../../../engine/compiler/screen/schema-fields.ts';
import { DefinitionLoadCache } from '../../../engine/compiler/sources/load-cache.ts';
import { readFileWithin, readSourceFile } from '../../../engine/compiler/sources/read-source.ts';
import {
  findNearestName,
  suggestSimilarName,
  selectLocalizedText,
  suggestSimilarOrKnownNames,
  type LocalizedText,
  type ProblemExplanation,
} from '../../../engine/compiler/sources/localized-text.ts';
import { locatePointer, type SourceFile } from '../../../engine/compiler/sources/source-file.ts';
import { parseSourceFile, reportSuspiciousJson } from '../../../engine/compiler/sources/parse-source-file.ts';
import { ProblemCollector, type ProblemReporter } from '../../../engine/compiler/sources/problem-collector.ts';
import { escapePointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { asObject, isObject, type JsonObject, type ValuesByName } from '../../../engine/core/json.ts';
import {
  getScreenCasesPath,
  screenCasesFolder,
  parseScreenCases,
  screenCaseKeys,
  readScreenCases,
  type ScreenCase,
} from './screen-cases.ts';
import { explain, localize } from '../localized-output.ts';
import { checkValueTypes } from './case-value-types.ts';
import { formatRequiredData } from './proposed-cases.ts';

type DefinitionSet = Pick<ServedDefinitions, 'screens' | 'schema'>;

/** Skips files that have passed with the same screen and facts before. */
export async function findCaseFileProblems(
  root: string,
  { screens, schema, flows, screen: getScreen }: DefinitionSet & Pick<ServedDefinitions, 'flows' | 'screen'>,
  language: string,
  facts: readonly string[] = [],
  cache = new DefinitionLoadCache(),
): Promise<readonly DefinitionProblem[]> {
  const shown = Object.values(flows).map(({ states }) => Object.values(states).flatMap((state) => state.screen ?? []));
  const findHolder = (screen: string, field: string) =>
    shown
      .filter((own) => own.includes(screen))
      .flat()
      .find((other) => Object.hasOwn(flattenFields(schema(other) ?? {}), field));
  const describeTypeError = (screen: string, field: string) =>
    formatFieldFault(getScreen(screen, baseLanguage).screen, replaceIndexesWithItems(field), { keyword: 'type' });
  const problems = new ProblemCollector(language);
  const names = await readdir(join(root, screenCasesFolder)).catch((): string[] => []);
  const files = names.filter((own) => own.endsWith('.json')).sort();
  const misnamed = files.map((own) => own.slice(0, -'.json'.length)).filter((own) => !screens.has(own));
  for (const name of files) {
    const path = `${screenCasesFolder}/${name}`;
    const bytes = await readFileWithin(root, path).catch(String);
    const screen = name.slice(0, -'.json'.length);
    const own = schema(screen);
    cache.collectProblemsOnce(
      `cases ${name}`,
      [String(bytes), JSON.stringify([screens.has(screen), own, facts])],
      problems,
      (found) => {
        const file = parseSourceFile(path, bytes, found);
        if (!file || !reportSuspiciousJson(file, found)) return;
        if (!screens.has(screen))
          found.report(file)('')(explain`There is no screen "${screen}": these cases never run.
          ${suggestSimilarName(screen, screens)}Give the file the name of the screen's folder, or remove it.`);
        else if (checkCaseFormat(file, found)) {
          checkFieldNames(file, flattenFields(own ?? {}), (field) => findHolder(screen, field), found);
          checkValueTypes(file, own ?? {}, (field) => describeTypeError(screen, field), found);
          checkCases(file, found);
          checkFlags(file, facts, found);
          checkValidAndInvalidCases(file, own !== null, found);
        }
      },
    );
  }
  for (const name of names.filter((own) => own.endsWith('.txt') && !screens.has(own.slice(0, -'.txt'.length)))) {
    const at = { path: `${screenCasesFolder}/${name}`, text: '', tree: undefined };
    problems.report(at)(
      '',
    )(explain`There is no screen "${name.slice(0, -'.txt'.length)}": nothing compares this snapshot.
      ${suggestSimilarName(name.slice(0, -'.txt'.length), screens)}Give the file the name of the screen's folder, or remove it.`);
  }
  for (const screen of screens)
    if (!names.includes(`${screen}.json`) && findNearestName(screen, misnamed) === undefined) {
      const at = { path: `schemas/${screen}/ui.json`, text: '', tree: undefined };
      problems.report(at)('')(explain`The screen has no cases.
        Write ${getScreenCasesPath(screen)} with at least { ${formatRequiredData(schema(screen))}"cases": { "valid": { "note": "…" } } }.`);
    }
  return problems.list;
}

/** Reports problems in the format of a case file. Returns whether there are none. */
function checkCaseFormat(file: SourceFile, problems: ProblemCollector): boolean {
  const before = problems.list.length;
  const report = problems.report(file);
  try {
    const { cases, malformedCases: misshapen } = parseScreenCases(file.text);
    if (cases.length === 0)
      report('')(explain`The screen has no cases.
        Write in "cases" at least { "valid": { "note": "…" } }.`);
    for (const name of misshapen) {
      const row: unknown = isObject(file.value) && isObject(file.value['cases']) ? file.value['cases'][name] : null;
      const unknown = isObject(row) ? Object.keys(row).find((word) => !screenCaseKeys.includes(word)) : undefined;
      const at = `/cases/${escapePointer(name)}`;
      if (unknown !== undefined)
        report(`${at}/${escapePointer(unknown)}`)(explain`A case has no "${unknown}".
          ${suggestSimilarOrKnownNames(unknown, screenCaseKeys)}`);
      else reportCasePart(report, at, isObject(row) ? row : {});
    }
  } catch {
    report('')(explain`This is not a file of cases.
      Write { "data": { … }, "cases": { "valid": { "note": "…" } } }.`);
  }
  return problems.list.length === before;
}

const textHint = localize`Write a sentence about what the case tests.`;
const objectHint = localize`Write an object: { … }.`;

/** Properties of a case, each with a check of its value and a hint. Problems are reported in this order. */
const caseParts: readonly (readonly [key: string, fits: (value: unknown) => boolean, hint: LocalizedText])[] = [
  ['with', (value) => value === undefined || isObject(value), objectHint],
  ['without', (value) => value === undefined || isListOfTexts(value), localize`Write a list of fields: [ "…" ].`],
  ['data', (value) => value === undefined || isObject(value), objectHint],
  ['context', (value) => value === undefined || isObject(value), objectHint],
  [
    'errors',
    (value) => value === undefined || (isObject(value) && isListOfTexts(Object.values(value))),
    localize`Write an object with the message of each field: { "<field>": "…" }.`,
  ],
  ['note', (value) => typeof value === 'string', textHint],
];

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function reportCasePart(report: ProblemReporter, at: string, row: ValuesByName): void {
  const [key, , hint] = caseParts.find(([own, fits]) => !fits(row[own])) ?? [];
  if (key === undefined || hint === undefined)
    report(`${at}/data`)(explain`"data" cannot be combined with "with" or "without".
      Write all values in "data", or only the changes in "with" and "without".`);
  else if (row[key] === undefined)
    report(at)(explain`The case has no "${key}".
      ${hint}`);
  else
    report(`${at}/${key}`)(explain`"${key}" has the wrong type.
      ${hint}`);
}

function checkValidAndInvalidCases(file: SourceFile, hasFields: boolean, problems: ProblemCollector): void {
  const { cases } = parseScreenCases(file.text);
  const isValidCase = ({ errors }: ScreenCase) => Object.keys(errors).length === 0;
  if (!hasFields) return;
  if (!cases.some(isValidCase))
    problems.report(file)('/cases')(explain`No case has valid values.
      Write one without "errors".`);
  if (cases.every(isValidCase))
    problems.report(file)('/cases')(explain`No case has invalid values.
      Write one with "errors".`);
}

/** Finds fields without a value in any case, and fields that are hidden in every case that has a value for them. */
export async function findUntestedFields(
  root: string,
  definitions: DefinitionSet & Pick<ServedDefinitions, 'ui' | 'check'>,
  language: string,
  screens: ReadonlySet<string> = definitions.screens,
) {
  const found: DefinitionProblem[] = [];
  for (const screen of screens) {
    const file = await readSourceFile(root, `schemas/${screen}/schema.json`, new ProblemCollector());
    if (!file) continue;
    const { cases } = await readScreenCases(root, screen);
    const schema = definitions.schema(screen) ?? {};
    const report = (pointer: string, { message, hint }: ProblemExplanation) => {
      const place = { file: file.path, ...locatePointer(file, pointer), pointer };
      const text = { message: selectLocalizedText(message, language), hint: selectLocalizedText(hint, language) };
      found.push({ rule: 'case/field', severity: 'W', ...place, ...text });
    };
    for (const { field, pointer } of listUntestedFields(schema, cases))
      report(
        pointer,
        explain`No case tests "${field}".
        Write one in ${getScreenCasesPath(screen)} with a value for it.`,
      );
    const { visible = {} } = definitions.ui(screen, baseLanguage);
    const isShown = (field: string, { data, context, errors }: ScreenCase) =>
      Object.hasOwn(errors, field) ||
      getFieldValue(definitions.check(screen, data, { language: baseLanguage, context }).data, field) !== undefined;
    for (const [field, , , pointer] of listAllFields(schema)) {
      const own = Object.hasOwn(visible, field)
        ? cases.filter(({ data }) => !isEmptyValue(getFieldValue(data, field)))
        : [];
      if (own[0] && !own.some((one) => isShown(field, one)))
        report(
          pointer,
          explain`The case "${own[0].name}" has a value for "${field}", which is hidden in this case: it tests nothing.
          Correct the condition of "${field}" in "visible", or the values of the case.`,
        );
    }
  }
  return found;
}

export function listUntestedFields(schema: JsonObject, cases: readonly ScreenCase[]) {
  return listAllFields(schema)
    .filter(
      ([field, { type, readOnly }]) =>
        type !== 'null' && readOnly !== true && !cases.some((one) => isTested(one, field)),
    )
    .map(([field, own, , pointer]) => ({ field, schema: own, pointer }));
}

function isTested({ data, errors }: ScreenCase, field: string): boolean {
  const isOwn = (name: string) => replaceIndexesWithItems(name) === field;
  return Object.keys(errors).some(isOwn) || hasValue(data, splitFieldName(field));
}

function hasValue(value: unknown, [step, ...inner]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (Array.isArray(value))
    return step === 'items' ? value.some((item) => hasValue(item, inner)) : hasValue(value[Number(step)], inner);
  return isObject(value) && hasValue(value[step], inner);
}

/** Reports unknown fields. A case may send an unknown field to test its rejection. */
function checkFieldNames(
  file: SourceFile,
  fields: Readonly<Record<string, JsonObject>>,
  findHolder: (field: string) => string | undefined,
  problems: ProblemCollector,
): void {
  const known = new Set(Object.keys(fields).map((field) => field.split('.')[0] ?? ''));
  const unknown = new Map<string, { readonly pointers: string[]; readonly beside: string[] }>(); // `beside` has the names next to an unknown one, which are not suggested for it
  const addUnknown = (pointer: string, name: string, beside: object) => {
    const found = unknown.get(name) ?? { pointers: [], beside: [] };
    found.pointers.push(`${pointer}/${escapePointer(name)}`);
    found.beside.push(...Object.keys(beside));
    unknown.set(name, found);
  };
  const { data = {}, cases } = parseScreenCases(file.text);
  for (const name of Object.keys(data)) if (!known.has(name)) addUnknown('/data', name, data);
  for (const { name, data: own, errors } of cases) {
    const at = `/cases/${escapePointer(name)}`;
    const isRejected = (field: string) =>
      Object.keys(errors).some((one) => one === field || one.startsWith(`${field}.`));
    for (const key of ['data', 'with']) {
      const values = asObject(findByPointer(file.value, `${at}/${key}`));
      for (const field of Object.keys(values))
        if (!known.has(field) && !isRejected(field)) addUnknown(`${at}/${key}`, field, values);
    }
    for (const field of Object.keys(errors))
      if (field !== '' && !known.has(field.split('.')[0] ?? '') && !Object.hasOwn(own, field.split('.')[0] ?? ''))
        addUnknown(`${at}/errors`, field, errors);
  }
  for (const [name, { pointers, beside }] of unknown) {
    const holder = findHolder(name);
    const meant = [...known].filter((field) => !beside.includes(field));
    const correction = localize`${suggestSimilarName(name, meant)}Correct the name, or remove it.`;
    const more = pointers.length - 1;
    const hint = more === 0 ? correction : localize`${correction} Also in ${more} more.`;
    problems.report(file)(pointers[0] ?? '')(explain`The screen has no field "${name}".
      ${holder === undefined ? hint : localize`The screen "${holder}" has it now: move the value to its cases, out of every case here.`}`);
  }
}

/** Reports unknown flags in the context of all cases and of each case. Without facts, all flags are accepted. */
function checkFlags(file: SourceFile, facts: readonly string[], problems: ProblemCollector): void {
  const known = facts.flatMap((fact) => (fact.startsWith('flags.') ? [fact.slice('flags.'.length)] : []));
  if (known.length === 0) return;
  const { cases } = asObject(file.value);
  const places = ['', ...Object.keys(asObject(cases)).map((name) => `/cases/${escapePointer(name)}`)];
  for (const pointer of places.map((at) => `${at}/context/flags`))
    for (const name of Object.keys(asObject(findByPointer(file.value, pointer))))
      if (!known.includes(name))
        problems.report(file)(`${pointer}/${escapePointer(name)}`)(explain`There is no flag "${name}".
          ${suggestSimilarOrKnownNames(name, known)}`);
}

/** Reports cases that change no value or repeat another case. */
function checkCases(file: SourceFile, problems: ProblemCollector): void {
  const { data = {}, cases = {} } = file.value as { readonly data?: unknown; readonly cases?: unknown };
  const shared = isObject(data) ? data : {};
  const known = new Map<string, string>();
  for (const [name, row] of Object.entries(isObject(cases) ? cases : {})) {
    if (!isObject(row)) continue;
    const at = `/cases/${escapePointer(name)}`;
    const { with: changed, without, data: own, context } = row;
    for (const [field, value] of Object.entries(isObject(changed) ? changed : {}))
      if (Object.hasOwn(shared, field) && JSON.stringify(shared[field]) === JSON.stringify(value))
        problems.report(file)(`${at}/with/${escapePointer(field)}`)(explain`
          "${field}" already has this value in "data": this case does not test it.
          Write the value that the note describes, or remove it.`);
    for (const [index, field] of (Array.isArray(without) ? without : []).entries())
      if (!Object.hasOwn(shared, String(field)))
        problems.report(file)(`${at}/without/${index}`)(explain`
          "data" has no "${String(field)}" that this case could remove.
          ${suggestSimilarName(String(field), Object.keys(shared))}Name a field of "data".`);
    const tries = JSON.stringify([changed ?? {}, without ?? [], own ?? null, context ?? null]);
    const first = known.get(tries);
    if (first !== undefined)
      problems.report(file)(at)(explain`This case tests the same as "${first}".
        Write the values that its note describes, or remove it.`);
    else known.set(tries, name);
  }
}
