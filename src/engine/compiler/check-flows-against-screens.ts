import { findByPointer, splitPointer } from '../core/json-pointer.ts';
import { asObject } from '../core/json.ts';
import { checkFlow, checkFlowPaths } from './check/flow/check-flow.ts';
import { checkComputedFields } from './check/schema/computed-fields.ts';
import { checkTypesReadByOperations } from './check/schema/fields-read-by-operations.ts';
import { restoreRenamedField } from './check/schema/renamed-fields.ts';
import {
  checkFieldMessages,
  checkPlaceholders,
  type FlowVariables,
  type UiCheckOptions,
} from './check/ui/ui-check-context.ts';
import { checkUiSchema } from './check/ui/check-ui-schema.ts';
import type { FieldReadByOperation, CompileProjectOptions } from './definitions.ts';
import { listPluginCacheInputs, pickTextEntries } from './files/index-plugins.ts';
import {
  collectMessagesOfLanguage,
  listSharedCacheInputs,
  noticesName,
  type DefinitionFiles,
} from './files/read-definition-files.ts';
import { indexRaisedNoticesByScreen, listScreensSentWithOperation, listStateBranches } from './flow/flow-queries.ts';
import {
  hashScreen,
  type CheckedScreen,
  type CheckedDefinitions,
  type LoweredFlow,
} from './intermediate-representation.ts';
import { readSchemaProperties } from './screen/schema-fields.ts';
import { locateUiPart } from './shared/locate-parts.ts';
import { hashForUrl } from './sources/hash-for-url.ts';
import type { DefinitionLoadCache } from './sources/load-cache.ts';
import {
  createDeduplicatingReporter,
  type ProblemReporter,
  type ProblemCollector,
} from './sources/problem-collector.ts';
import { explain, findRenamed } from './sources/localized-text.ts';
import type { SourceFile } from './sources/source-file.ts';
import { buildUiPointer } from '../core/field-path.ts';

interface ScreenUse extends Pick<UiCheckOptions, 'movedFields' | 'receivedFields'> {
  /** Whether a flow shows the screen, or may show it once its other problems are corrected. */
  readonly isShown: boolean;
  /** Variables of each flow that shows the screen. */
  readonly variables: FlowVariables;
  /** Facts that the server has when it validates the screen. `null` if the server does not validate the screen. */
  readonly validated: readonly string[] | null;
  readonly reads: readonly FieldReadByOperation[];
  /** Fields that the options of the screen's fields name, and only other screens have. */
  readonly fieldsElsewhere: readonly string[];
}

/** Checks flows and screens against each other. Results are cached per flow and per screen, keyed by all inputs of the check. */
export function checkFlowsAgainstScreens(
  parts: CheckedDefinitions,
  { analysis: _, ...options }: CompileProjectOptions,
  problems: ProblemCollector,
  cache: DefinitionLoadCache,
): void {
  const { set, flows } = parts;
  const findUse = indexScreenUses(parts, options);
  const checkedScreens = parts.screens.map((screen) =>
    restoreRenamedField(
      screen,
      flows.filter((flow) => usesScreen(flow, screen.id)),
      problems,
    ),
  );
  const screenNames = parts.screens.map(({ id }) => id);
  const checkContext = { ...options, screenNames, paths: checkFlowPaths(flows, options.pages, problems) };
  const notices = set.shared.get(noticesName);
  const raised = new Set([...indexRaisedNoticesByScreen(flows).values()].flatMap((names) => [...names]));
  const names = listDefinitionNames(notices);
  const unused = names.filter((name) => !raised.has(name));
  const translated = set.languages.flatMap((language) =>
    listDefinitionNames(set.shared.get(noticesName.replace(/json$/, `${language}.json`))),
  );
  const rest = JSON.stringify([options, screenNames, names, unused, translated, ...checkContext.paths]);
  const known = [rest, set.plugins];
  const shared = hashForUrl([rest, ...listPluginCacheInputs(set.plugins)].join('\0'));
  for (const flow of flows) {
    const screens = checkedScreens.filter(({ id }) => usesScreen(flow, id));
    const inputs = [flow.flow, flow.file, ...screens, ...known];
    const key = `flow ${flow.flow.id} together`;
    cache.getOrCheck(key, inputs, problems, (found) => {
      const own = [JSON.stringify(flow.flow), flow.file.text, ...screens.map(hashScreen)];
      cache.collectProblemsOnce(key, [shared, ...own], found, (problems) => {
        const byId = new Map(screens.map((screen) => [screen.id, screen]));
        checkFlow(
          flow,
          {
            ...checkContext,
            screens: byId,
            uiFiles: new Map(
              screens.map(({ id, files }) => {
                const values = [...files.translations.values()].map(({ value }) =>
                  asObject(asObject(value)['actions']),
                );
                return [id, { report: problems.report(files.ui), translatedEvents: values.flatMap(Object.keys) }];
              }),
            ),
            ...(notices && { sharedNotices: { names, unused, translated, report: problems.report(notices) } }),
          },
          createDeduplicatingReporter(flow.toSourcePointer, problems.report(flow.file)),
        );
      });
    });
  }
  const declared = new Set(flows.flatMap(({ flow }) => Object.keys(flow.context ?? {})));
  const messages = hashForUrl([...set.catalogues.values()].map(({ text }) => text).join('\0'));
  for (const screen of checkedScreens) {
    const use = findUse(screen.id);
    const inputs = [screen, JSON.stringify(use), ...known, ...listSharedCacheInputs(set)];
    const key = `screen ${screen.id} together`;
    cache.getOrCheck(key, inputs, problems, (found) => {
      const own = [JSON.stringify(use), messages, hashScreen(screen)];
      cache.collectProblemsOnce(key, [shared, ...own], found, (problems) =>
        checkScreen(set, screen, use, { ...checkContext, declared }, problems),
      );
    });
  }
}

function listDefinitionNames(file: SourceFile | undefined): readonly string[] {
  return Object.keys(asObject(asObject(file?.value)['$defs']));
}

function usesScreen({ flow: { states } }: LoweredFlow, screen: string): boolean {
  return Object.values(states).some((state) => state.screen === screen);
}

/** Whether a flow probably has a misspelt or previous name of a screen. Then only this name is reported, not also that no flow shows the screen. */
function misspellsScreen(
  { flow: { states } }: LoweredFlow,
  screen: string,
  { known, unshown }: { readonly known: readonly string[]; readonly unshown: readonly string[] },
): boolean {
  return Object.values(states).some(
    ({ screen: name }) => name !== undefined && !known.includes(name) && findRenamed(name, unshown) === screen,
  );
}

/** Whether a flow names an unknown state, which may show a screen that no flow shows. */
function lacksTargetState({ flow: { states } }: LoweredFlow): boolean {
  const targets = Object.values(states).flatMap((state) =>
    listStateBranches(state).flatMap(({ target }) => target ?? []),
  );
  return targets.some((target) => !Object.hasOwn(states, target));
}

function indexScreenUses(
  { screens, flows }: CheckedDefinitions,
  options: CompileProjectOptions,
): (screen: string) => ScreenUse {
  const { validated } = options;
  const known = screens.map(({ id }) => id);
  const unshown = known.filter((id) => !flows.some((flow) => usesScreen(flow, id)));
  const plain = flows.map(({ flow }) => flow);
  const allVariables = plain.flatMap(({ context = {} }) => Object.keys(context));
  const sent = (options.extra ?? []).flatMap((operation) => listScreensSentWithOperation(plain, operation));
  const findFieldsElsewhere = (id: string): readonly string[] => {
    const { schema = null, ui } = screens.find((screen) => screen.id === id) ?? {};
    const options = Object.values(ui?.fields ?? {}).map((field) => asObject(asObject(field)['ui:options']));
    return options
      .flatMap((own) => Object.entries(own).flatMap(([key, name]) => (key.endsWith('Field') ? String(name) : [])))
      .filter((name) => !hasField({ schema }, name) && screens.some((other) => hasField(other, name)));
  };
  const validatedScreens = new Set([...(validated?.screens ?? []), ...sent]);
  const findMoves = (id: string, users: readonly LoweredFlow[]) => {
    const shown = screens.filter((screen) => users.some((flow) => usesScreen(flow, screen.id)));
    const own = screens.find((screen) => screen.id === id);
    const moves = (from: CheckedScreen, to: CheckedScreen) =>
      [from.ui.fields, from.ui.messages, from.ui.visible]
        .flatMap((part) => Object.keys(part ?? {}))
        .filter((name, index, all) => all.indexOf(name) === index && !hasField(from, name) && hasField(to, name));
    return {
      movedFields: Object.fromEntries(
        shown.flatMap((other) =>
          (own ? moves(own, other) : []).map((name) => {
            return [name, { screen: other.id, isDrawn: Object.hasOwn(other.ui.fields ?? {}, name) }];
          }),
        ),
      ),
      receivedFields: shown.flatMap((other) =>
        own ? moves(other, own).filter((name) => !Object.hasOwn(own.ui.fields ?? {}, name)) : [],
      ),
    };
  };
  return (screen) => {
    const users = flows.filter((flow) => usesScreen(flow, screen) || misspellsScreen(flow, screen, { known, unshown }));
    return {
      isShown: users.length > 0 || flows.some(lacksTargetState),
      // a screen that no flow shows yet may read the variables of any flow
      variables:
        users.length === 0
          ? { '': allVariables }
          : Object.fromEntries(users.map(({ flow }) => [flow.id, Object.keys(flow.context ?? {})])),
      validated: validated && validatedScreens.has(screen) ? validated.facts : null,
      reads: (options.reads ?? []).filter((read) => read.screens.includes(screen)),
      fieldsElsewhere: findFieldsElsewhere(screen),
      ...findMoves(screen, users),
    };
  };
}

function hasField({ schema }: Pick<CheckedScreen, 'schema'>, name: string): boolean {
  return Object.hasOwn(readSchemaProperties(schema ?? {}), name);
}

/** Suppresses ui problems of fields whose schema could not be read, because these problems may disappear when the schema is corrected. */
function suppressUiReports(unread: ReadonlySet<string>, report: ProblemReporter): ProblemReporter {
  return (pointer) => {
    const [part, name = ''] = splitPointer(pointer);
    const follows = [...unread].some((field) =>
      part === 'fields' ? `${pointer}/`.startsWith(`${buildUiPointer(field)}/`) : name.startsWith(`${field}.`),
    );
    return follows ? () => undefined : report(pointer);
  };
}

function checkScreen(
  set: DefinitionFiles,
  screen: CheckedScreen,
  { isShown, reads, validated, variables, fieldsElsewhere, movedFields, receivedFields }: ScreenUse,
  {
    operations,
    widgets = [],
    facts,
    paths,
    declared,
  }: Omit<CompileProjectOptions, 'validated'> & {
    readonly paths: ReadonlySet<string>;
    readonly declared: ReadonlySet<string>;
  },
  problems: ProblemCollector,
): void {
  const { id, files, schema: own, ui, uis, unreadableFields: unread } = screen;
  const schema = own ?? {};
  const [first = [], ...rest] = Object.values(variables);
  const context = new Set(first.filter((name) => rest.every((names) => names.includes(name)))); // the variables that all flows of the screen declare
  const { plugins, baseLanguage } = set;
  const createUiReporter = (language: string): ProblemReporter =>
    suppressUiReports(unread, (pointer) => {
      const place = locateUiPart(set, screen, language, pointer);
      const named = findByPointer(place.file.value, place.pointer);
      // a shared definition may name a field that only other screens have: this screen has to replace the name
      const isMissingHere = pointer.endsWith('Field') && fieldsElsewhere.includes(String(named));
      return isMissingHere ? problems.report(files.ui)(pointer) : problems.report(place.file)(place.pointer);
    });
  const reportUi = createUiReporter(baseLanguage);
  const reportSchema = problems.report(files.schema ?? files.ui);
  checkTypesReadByOperations(schema, reads, reportSchema);
  if (!isShown)
    reportUi('')(explain`No flow shows the screen "${id}".
      Give it a state in a flow, or remove the folder.`);
  const use = { validated, context, variables, movedFields, receivedFields };
  checkUiSchema(ui, { schema, plugins, operations, widgets, facts, paths, ...use }, reportUi);
  checkComputedFields(schema, { ui, facts: validated ?? facts, reportSchema, reportUi });
  const ofBase = pickTextEntries(set.catalogues.get(baseLanguage)); // a message that only a translation lacks is reported at its catalogue
  for (const [language, translated] of uis) {
    if (language !== baseLanguage && !files.translations.has(language)) continue;
    const report = createUiReporter(language);
    const reportOfScreen = problems.report(files.translations.get(language) ?? files.ui);
    const original = language === baseLanguage ? {} : { original: ui };
    checkPlaceholders(translated, { context, variables, facts, declared, reportOfScreen, ...original }, report);
    if (own)
      checkFieldMessages(
        { schema, plugins, language },
        { ...ofBase, ...collectMessagesOfLanguage(set, language) },
        translated,
        report,
      );
  }
}
