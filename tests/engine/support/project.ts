import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type {
  ServedDefinitions,
  LoadDefinitionsOptions,
  DefinitionProblem,
} from '../../../src/engine/compiler/definitions.ts';
import { DefinitionError } from '../../../src/engine/compiler/definitions.ts';
import type { PluginIndex } from '../../../src/engine/compiler/files/index-plugins.ts';
import type { CompilerHost } from '../../../src/engine/compiler/files/read-definition-files.ts';
import { readPlugins } from '../../../src/engine/compiler/files/read-plugins.ts';
import { importScreenModuleSource, loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import {
  compileProject,
  lowerUncheckedDefinitions,
  type LoweredDefinitions,
} from '../../../src/engine/compiler/pipeline.ts';
import { DefinitionLoadCache } from '../../../src/engine/compiler/sources/load-cache.ts';
import { ProblemCollector } from '../../../src/engine/compiler/sources/problem-collector.ts';
import { readSourceFile } from '../../../src/engine/compiler/sources/read-source.ts';
import { extractTextTree, buildTranslation } from '../../../src/engine/compiler/shared/translation.ts';
import type { Json } from '../../../src/engine/core/json.ts';

/** Files of a small project by path. Objects are written as JSON, strings and bytes unchanged. */
export type Files = Readonly<Record<string, unknown>>;

const root = resolve(import.meta.dirname, '../../..');

/** Options with which small projects are compiled. */
export const sampleOptions: Omit<LoadDefinitionsOptions, 'root' | 'baseLanguage'> = {
  operations: ['save', 'list'],
  blocks: ['panel'],
  facts: ['flags.on', 'user', 'authenticated'],
  access: {
    guest: {},
    citizen: { isIdentified: true },
    account: { isIdentified: true, within: 'citizen' },
    agent: { isIdentified: true },
  },
  pages: [],
};

/** Writes a project with the real plugins into a new folder. */
export async function writeProject(files: Files): Promise<{
  folder: string;
  options: LoadDefinitionsOptions;
  write: (files: Files) => Promise<void>;
  remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'definitions-'));
  await symlink(join(root, 'plugins'), join(folder, 'plugins'));
  const write = async (changed: Files) => {
    for (const [path, content] of Object.entries(changed)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      if (content === null) await rm(join(folder, path));
      else await writeFile(join(folder, path), content instanceof Uint8Array ? content : formatContent(content));
    }
  };
  await write(files);
  return {
    folder,
    options: { root: folder, baseLanguage: 'es', ...sampleOptions },
    write,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

interface LoadedProject {
  readonly definitions: ServedDefinitions | null;
  readonly problems: readonly DefinitionProblem[];
}

/**
 * Compiles a small project, by default with `sampleOptions`. Definitions stay in memory, and the real plugins are read
 * once per worker. A project with other files is written to a folder. `more.root` has other plugins, or none.
 */
export async function loadProject(files: Files, more: Partial<LoadDefinitionsOptions> = {}): Promise<LoadedProject> {
  const texts = listTexts(files);
  const { root: folder, ...options } = { baseLanguage: 'es', ...sampleOptions, ...more };
  if (texts !== null)
    return tryLoad(() =>
      folder === undefined
        ? compileProject(createMemoryHost(texts), options, findCache(more))
        : loadDefinitions({ ...options, root: folder, texts }, findCache(more)),
    );
  const project = await writeProject(files);
  try {
    return await tryLoad(() => loadDefinitions({ ...project.options, ...more }));
  } finally {
    await project.remove();
  }
}

async function tryLoad(load: () => Promise<ServedDefinitions>): Promise<LoadedProject> {
  try {
    return { definitions: await load(), problems: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { definitions: null, problems: error.problems };
  }
}

/** Files in memory, without those that are `null`, and the real plugins. */
export function createMemoryHost(files: ReadonlyMap<string, string | Uint8Array | null>): CompilerHost {
  return {
    files: {
      read: async (path) => {
        const content = files.get(path) ?? null;
        if (content === null) return `There is no ${path}`;
        return typeof content === 'string' ? Buffer.from(content) : content;
      },
      list: async (folder) => {
        const below = [...files.keys()].filter((path) => files.get(path) !== null && path.startsWith(`${folder}/`));
        return [...new Set(below.map((path) => path.slice(folder.length + 1).split('/', 1)[0] ?? ''))].sort();
      },
    },
    plugins: () => (plugins ??= readRealPlugins()),
    importScreenModule: importScreenModuleSource,
  };
}

let plugins: Promise<PluginIndex> | undefined;

function readRealPlugins(): Promise<PluginIndex> {
  const problems = new ProblemCollector();
  return readPlugins(root, (path) => readSourceFile(root, path, problems), problems);
}

/** Reads the definitions of a small project without checking them. */
export function loadUncheckedProject(files: Files, cache: DefinitionLoadCache): Promise<LoweredDefinitions> {
  return lowerUncheckedDefinitions(createMemoryHost(listTexts(files) ?? new Map()), { baseLanguage: 'es' }, cache);
}

/** Returns the definitions by path, as text. Returns `null` if the project has other files too. */
function listTexts(files: Files): ReadonlyMap<string, string> | null {
  const entries = Object.entries(files);
  if (entries.some(([path, content]) => content instanceof Uint8Array || !/^(schemas|flows)[/]/.test(path)))
    return null;
  return new Map(entries.map(([path, content]) => [path, formatContent(content)]));
}

function formatContent(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content, null, 2);
}

const caches = new Map<string, DefinitionLoadCache>();

/**
 * Returns the cache for a combination of options, as in a development server: after a change of one file, only its
 * dependents are recompiled.
 */
function findCache(more: Partial<LoadDefinitionsOptions>): DefinitionLoadCache {
  const key = JSON.stringify(more, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
  const cache = caches.get(key) ?? new DefinitionLoadCache();
  caches.set(key, cache);
  return cache;
}

const messages = {
  required: 'Falta',
  type: 'Tipo',
  additionalProperties: 'Sobra',
  minLength: 'Mínimo {limit}',
  maxLength: 'Máximo {limit}',
  pattern: 'Forma',
  enum: 'Opción',
  const: 'Debe aceptarse',
  format: 'Formato',
  minimum: 'Desde {limit}',
};

/** A valid sample project. Tests change parts of it. */
export const sampleProject: Files = {
  'schemas/_shared/messages.json': messages,
  'schemas/_shared/messages.pt.json': messages,
  'schemas/_shared/person.json': { $defs: { email: { type: 'string', maxLength: 20, pattern: '@' } } },
  'schemas/form/schema.json': {
    type: 'object',
    required: ['email', 'terms'],
    properties: {
      email: { $ref: '../_shared/person.json#/$defs/email' },
      repeat: { type: 'string', matches: 'email' },
      secret: { type: 'string', minLength: 8, writeOnly: true },
      kind: { type: 'string', enum: ['a', 'b'] },
      extra: { type: 'string' },
      terms: { type: 'boolean', const: true },
    },
  },
  'schemas/form/ui.json': {
    title: 'Formulario',
    fields: {
      'ui:order': ['email', 'repeat', '*', 'terms'],
      email: { 'ui:title': 'Correo' },
      repeat: { 'ui:title': 'Repetir' },
      secret: { 'ui:title': 'Clave', 'ui:autocomplete': 'new-password' },
      kind: { 'ui:title': 'Tipo', 'ui:enumNames': ['Uno', 'Dos'] },
      extra: { 'ui:title': 'Más' },
      terms: { 'ui:title': 'Acepto' },
    },
    visible: { extra: { '==': [{ var: 'form.kind' }, 'b'] } },
    actions: [{ event: 'submit', text: 'Enviar', primary: true }],
    notices: { again: { intent: 'warning', text: 'De nuevo' } },
  },
  'schemas/form/ui.pt.json': {
    title: 'Formulário',
    fields: {
      email: { 'ui:title': 'E-mail' },
      repeat: { 'ui:title': 'Repetir' },
      secret: { 'ui:title': 'Senha' },
      kind: { 'ui:title': 'Tipo', 'ui:enumNames': ['Um', 'Dois'] },
      extra: { 'ui:title': 'Mais' },
      terms: { 'ui:title': 'Aceito' },
    },
    actions: { submit: 'Enviar' },
    notices: { again: { text: 'De novo' } },
  },
  'schemas/done/ui.json': { title: 'Listo {email}', links: [{ to: '/form', text: 'Otra vez' }] },
  'schemas/done/ui.pt.json': { title: 'Pronto {email}', links: { '/form': 'De novo' } },
  'flows/main.json': {
    id: 'main',
    initial: 'form',
    context: { storage: ['email'] },
    states: {
      form: {
        path: '/form',
        screen: 'form',
        on: {
          submit: {
            src: 'save',
            onDone: [{ assign: { email: { var: 'form.email' } }, target: 'done' }],
            onError: [{ guard: { '==': [{ var: 'error.code' }, 'again'] }, notice: 'again' }, { field: true }],
          },
        },
      },
      done: { path: '/done', screen: 'done', requires: { guard: { var: 'context.email' }, else: 'form' } },
    },
  },
};

/** Creates a translation with the texts of the original. */
export function copyAsTranslation(ui: unknown): object {
  const tree = extractTextTree(ui as Json);
  return tree ? (buildTranslation(tree, ({ text }) => text) as object) : {};
}

/** Creates the sample project with one file changed. `change` receives its parsed content. */
export function changeSample(path: string, change: (content: Record<string, never>) => void): Files {
  const content = structuredClone(sampleProject[path] ?? {}) as Record<string, never>; // each test knows the structure of the file that it changes
  change(content);
  return { ...sampleProject, [path]: content };
}
