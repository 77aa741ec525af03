import type { Flow, State, Ui } from '../core/definition.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import type { Manifest, Route } from '../core/manifest.ts';
import { copyKeyword } from '../core/messages.ts';
import { matchPath } from '../core/route.ts';
import type { ScreenData } from '../core/screen.ts';
import { effectOf } from '../core/transition.ts';
import { mayRefuseCopies } from '../core/ui.ts';
import { checkForm, type Validator } from '../core/validate.ts';
import { checkFlow } from './check-flow.ts';
import { spreadBranches, type SpreadFlow } from './spread-branches.ts';
import { checkFormat } from './check-format.ts';
import { checkSchema } from './check-schema.ts';
import { translate } from './check-texts.ts';
import { checkMessages, checkPlaceholders, checkUi } from './check-ui.ts';
import { hash, planScreen, screenModule, type ScreenPlan } from './compile-screen.ts';
import { DefinitionError, type Definitions, type DefinitionsOptions, type ServedModule } from './definitions.ts';
import { expandFlow } from './expand-flow.ts';
import { instantiate } from './instantiate.ts';
import { baseLanguage, readSet, type FileSet, type ScreenFiles } from './read-set.ts';
import { resolveSchema } from './resolve-schema.ts';
import { checkReferences, readNotices, takeNotices, type SharedNotices } from './shared-notices.ts';
import { escapePointer, Problems, type SourceFile } from './source-file.ts';

/** A screen whose files were read, in every language. */
interface CheckedScreen {
  readonly id: string;
  readonly schema: JsonObject | null;
  readonly uis: ReadonlyMap<string, Ui>;
}

/** Reads, checks and compiles the definitions of a project. Throws a DefinitionError that lists everything wrong. */
export async function loadDefinitions(options: DefinitionsOptions): Promise<Definitions> {
  const problems = new Problems();
  const set = await readSet(options.root, problems);
  const flows = readFlows(set, problems);
  const notices = readNotices(set, problems);
  const screens = set.screens.flatMap((files) => readScreen(files, set, notices, problems) ?? []);
  // A file that could not be read would make the others look wrong: what names it must wait.
  const complete = set.readable && screens.length === set.screens.length && flows.length === set.flows.length;
  if (complete) checkTogether(set, screens, flows, options, problems);
  if (problems.list.length > 0) throw new DefinitionError(problems.list);
  return compile(
    set,
    screens,
    flows.map(({ flow }) => expandFlow(flow)),
  );
}

function readFlows(set: FileSet, problems: Problems): ({ readonly file: SourceFile } & SpreadFlow)[] {
  return set.flows.flatMap((file) => {
    if (!checkFormat(file, 'flow', problems)) return [];
    const flow = file.value as unknown as Flow; // its format was just checked
    if (file.path !== `flows/${flow.id}.json`)
      problems.add(file, '/id', `The id "${flow.id}" is not the file's name.`, 'Name the file as the flow.');
    return [{ file, ...spreadBranches(file, flow, problems) }];
  });
}

function readScreen(
  files: ScreenFiles,
  set: FileSet,
  notices: SharedNotices,
  problems: Problems,
): CheckedScreen | null {
  const { id, schema: schemaFile, ui: uiFile } = files;
  if (!uiFile) {
    const at = { path: `schemas/${id}/ui.json`, text: '', tree: undefined };
    if (!problems.list.some(({ file }) => file === at.path))
      problems.add(at, '', 'The screen has no ui.json.', 'Add one with at least a "title".');
    return null;
  }
  const fine = [
    checkFormat(uiFile, 'ui', problems),
    schemaFile === null || checkFormat(schemaFile, 'screen', problems),
  ].every(Boolean);
  if (!fine) return null;
  const resolved = schemaFile && resolveSchema(schemaFile, set.shared, problems);
  if (resolved) checkSchema(resolved, set.plugins);
  const base = uiFile.value as unknown as Ui; // its format was just checked
  checkReferences(uiFile, base, notices, problems);
  const uis = new Map<string, Ui>([[baseLanguage, takeNotices(base, notices, baseLanguage)]]);
  for (const language of set.languages.slice(1)) {
    const patch = files.translations.get(language);
    const translated = patch && translate(uiFile, patch, problems);
    if (translated) uis.set(language, takeNotices(translated, notices, language));
    else if (!patch)
      problems.add(
        uiFile,
        '',
        `There is no ui.${language}.json beside it.`,
        'Add it: a JSON Merge Patch with every text.',
      );
  }
  return { id, schema: resolved && resolved.schema, uis };
}

function checkTogether(
  set: FileSet,
  screens: readonly CheckedScreen[],
  flows: readonly ({ readonly file: SourceFile } & SpreadFlow)[],
  options: DefinitionsOptions,
  problems: Problems,
): void {
  const byId = new Map(screens.map((screen) => [screen.id, { schema: screen.schema, ui: baseUi(screen) }]));
  const owners = new Map<string, string>();
  for (const { file, flow } of flows) {
    for (const [name, { path }] of Object.entries(flow.states)) {
      const shape = path?.replace(/:\w+/g, ':');
      const other = shape === undefined ? undefined : owners.get(shape);
      if (other)
        problems.add(
          file,
          `/states/${escapePointer(name)}/path`,
          `The path "${path ?? ''}" belongs to ${other} already.`,
          'Give each state a path of its own.',
        );
      if (shape !== undefined) owners.set(shape, `${flow.id}.${name}`);
    }
  }
  const paths = new Set(owners.keys());
  for (const { file, flow, pointers } of flows)
    checkFlow(file, { flow, pointers }, { ...options, paths, screens: byId }, problems);
  for (const page of options.pages) {
    if (![...paths].some((path) => matchPath(path, page) !== null)) {
      problems.add(
        { path: 'flows', text: '', tree: undefined },
        '',
        `No flow has the path "${page}", which the server leads to.`,
        'Give it back to its state, or change src/server/base/portal-pages.ts.',
      );
    }
  }
  for (const screen of screens) checkScreen(set, screen, flows, paths, options, problems);
}

function checkScreen(
  set: FileSet,
  screen: CheckedScreen,
  flows: readonly { flow: Flow }[],
  paths: ReadonlySet<string>,
  options: DefinitionsOptions,
  problems: Problems,
): void {
  const files = set.screens.find(({ id }) => id === screen.id);
  const users = flows.filter(({ flow }) => Object.values(flow.states).some((state) => state.screen === screen.id));
  const schema = screen.schema ?? {};
  if (!files?.ui) return;
  if (users.length === 0)
    problems.add(
      files.ui,
      '',
      `No flow shows the screen "${screen.id}".`,
      'Give it a state in a flow, or remove the folder.',
    );
  const [first, ...rest] = users.map(({ flow }) => new Set(Object.keys(flow.context ?? {})));
  const context = new Set([...(first ?? [])].filter((name) => rest.every((names) => names.has(name))));
  checkUi(
    files.ui,
    baseUi(screen),
    { schema, plugins: set.plugins, calls: options.calls, facts: options.facts, context, paths },
    problems,
  );
  for (const [language, ui] of screen.uis) {
    const file = language === baseLanguage ? files.ui : files.translations.get(language);
    if (file) checkPlaceholders(file, ui, { context, facts: options.facts }, problems);
    if (file && screen.schema)
      checkMessages(file, ui, schema, messagesOf(set, language), set.plugins, language, problems);
  }
}

async function compile(set: FileSet, screens: readonly CheckedScreen[], flows: readonly Flow[]): Promise<Definitions> {
  const modules: ServedModule[] = [];
  const validators = new Map<string, Validator>();
  const addresses = new Map<string, string>();
  for (const screen of screens) {
    const plan = planOf(screen, set.plugins);
    const { validatorCode, ...common } = plan;
    for (const [language, ui] of screen.uis) {
      const data: ScreenData = {
        ...common,
        language,
        ui,
        messages: messagesFor(set, plan, ui, language),
        texts: textsFor(set, common.fields, language),
      };
      const source = screenModule(data, validatorCode);
      const url = `/definitions/${screen.id}.${language}.${hash(source)}.js`;
      modules.push({ url, source });
      addresses.set(`${screen.id} ${language}`, url);
      validators.set(`${screen.id} ${language}`, await instantiate(source, set.plugins));
    }
  }
  const flowUrls = Object.fromEntries(
    flows.map((flow) => {
      const source = `export const flow = ${JSON.stringify(flow)};\n`;
      const url = `/definitions/flow-${flow.id}.${hash(source)}.js`;
      modules.push({ url, source });
      return [flow.id, url];
    }),
  );
  const version = hash(modules.map(({ url }) => url).join('\n'));
  const routes = flows.flatMap(routesOf);
  const validator = (screen: string, language: string): Validator => {
    const found = validators.get(`${screen} ${language}`) ?? validators.get(`${screen} ${baseLanguage}`);
    if (!found) throw new Error(`There is no screen ${screen}.`);
    return found;
  };
  return {
    version,
    languages: set.languages,
    screens: new Set(screens.map(({ id }) => id)),
    flows: Object.fromEntries(flows.map((flow) => [flow.id, flow])),
    modules,
    manifest: (language): Manifest => ({
      version,
      languages: set.languages,
      screens: Object.fromEntries(
        screens.map(({ id }) => [
          id,
          {
            version: validator(id, language).screen.version,
            url: addresses.get(`${id} ${language}`) ?? addresses.get(`${id} ${baseLanguage}`) ?? '',
          },
        ]),
      ),
      flows: flowUrls,
      routes,
    }),
    schema: (screen) => screens.find(({ id }) => id === screen)?.schema ?? null,
    ui: (screen, language) => validator(screen, language).screen.ui,
    plugins: (screen) => {
      const { rulePlugins, fields } = validator(screen, baseLanguage).screen;
      return [...new Set([...rulePlugins, ...fields.flatMap(({ plugin }) => plugin ?? [])])];
    },
    screenVersion: (screen) => validator(screen, baseLanguage).screen.version,
    check: (screen, values, { language, context }) => checkForm(validator(screen, language), values, context),
  };
}

// What no check foresaw must still be told with its place.
function planOf(screen: CheckedScreen, plugins: FileSet['plugins']): ScreenPlan {
  try {
    return planScreen(screen.id, screen.schema ?? {}, baseUi(screen), plugins);
  } catch (error) {
    const place = { file: `schemas/${screen.id}/schema.json`, line: 1, column: 1, pointer: '' };
    throw new DefinitionError([
      {
        ...place,
        message: `The rules cannot be compiled: ${String(error)}.`,
        hint: 'Undo the last change and make it again in smaller steps.',
      },
    ]);
  }
}

function routesOf(flow: Flow): readonly Route[] {
  return Object.entries(flow.states).flatMap(([state, declared]) => {
    const { path, screen, block, source, access, permissions, chrome, load } = declared;
    const calls = callsOf(declared);
    return path === undefined
      ? []
      : [
          {
            path: path.normalize('NFC'),
            flow: flow.id,
            state,
            access: access ?? 'anyone',
            chrome: chrome ?? 'full',
            ...(screen === undefined ? {} : { screen }),
            ...(block === undefined ? {} : { block }),
            ...(load === undefined ? {} : { load }),
            ...(permissions === undefined ? {} : { permissions }),
            ...(source === undefined ? {} : { source }),
            ...(calls.length === 0 ? {} : { calls }),
          },
        ];
  });
}

function callsOf({ invoke, on }: State): readonly string[] {
  const effects = [invoke, ...Object.values(on ?? {}).map(effectOf)];
  return [...new Set(effects.flatMap((effect) => effect?.invoke ?? []))];
}

function baseUi(screen: CheckedScreen): Ui {
  return screen.uis.get(baseLanguage) ?? { title: screen.id };
}

function textTable(file: SourceFile | null | undefined, key?: string): Readonly<Record<string, string>> {
  const value = key === undefined ? file?.value : isObject(file?.value) ? file.value[key] : undefined;
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function messagesOf(set: FileSet, language: string): Readonly<Record<string, string>> {
  const ofPlugins = [...set.plugins.byName.values()].map((plugin) => textTable(plugin.texts, language));
  return Object.assign({}, ...ofPlugins, textTable(set.catalogues.get(language))) as Record<string, string>; // Object.assign answers any
}

function messagesFor(
  set: FileSet,
  { fields, rulePlugins }: ScreenPlan,
  ui: Ui,
  language: string,
): Readonly<Record<string, string>> {
  if (fields.length === 0) return {};
  const ofPlugins = rulePlugins.map((name) => textTable(set.plugins.byName.get(name)?.texts, language));
  const { [copyKeyword]: copy, ...catalogue } = textTable(set.catalogues.get(language));
  const used =
    copy !== undefined && fields.some(({ name }) => mayRefuseCopies(ui, name)) ? { [copyKeyword]: copy } : {};
  return Object.assign({}, ...ofPlugins, catalogue, used) as Record<string, string>; // Object.assign answers any
}

function textsFor(set: FileSet, fields: ScreenData['fields'], language: string): ScreenData['texts'] {
  const plugins = new Set(fields.flatMap(({ plugin }) => plugin ?? []));
  return Object.fromEntries(
    [...plugins].map((name) => [name, textTable(set.plugins.byName.get(name)?.texts, language)]),
  );
}
