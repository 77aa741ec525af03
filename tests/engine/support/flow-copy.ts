import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { LoadDefinitionsOptions } from '../../../src/engine/compiler/definitions.ts';
import { expandFlow } from '../../../src/engine/compiler/flow/expand-flow.ts';
import type { UnexpandedFlow } from '../../../src/engine/compiler/flow/unexpanded-flow-types.ts';
import type { Flow } from '../../../src/engine/core/flow-and-screen-types.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { writeProject, type Files } from './project.ts';

const root = resolve(import.meta.dirname, '../../..');
const options = createDefinitionOptions(root);

/**
 * A copy of some flows of the product, with their screens and shared definitions. It loads much faster than the
 * complete product.
 */
export interface FlowCopy {
  /** Contents of the copied files, by path in the product. */
  readonly files: Readonly<Record<string, string>>;
  readonly options: LoadDefinitionsOptions;
  readonly write: (files: Files) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export const flowPaths = listJsonFiles('flows');

/** Copies one flow into a folder. Other flows are reduced to their paths. */
export async function copyFlow(path: string): Promise<FlowCopy> {
  const { files, others, options: own } = readFlowCopy(path);
  const project = await writeProject({ ...files, ...others });
  return { ...project, files, options: { ...own, root: project.folder } };
}

/** Returns the files of one flow, and a file with the paths of the other flows. */
export function readFlowCopy(path: string) {
  const stub = createFlowStub(flowPaths.filter((other) => other !== path).flatMap(listPaths));
  return {
    files: readFlows([path]),
    others: { 'flows/others.json': JSON.stringify(stub, null, 2) },
    options: { ...options, pages: [] },
  };
}

/** Flows of a small project: those that the help links to, and two with a form of one step. */
export const smallProjectFlows = ['ayuda', 'contacto', 'contrasena', 'feedback', 'registro'];

/** Writes the definitions of a small project into a folder. Other flows are reduced to the pages of the portal. */
export function placeSmallProject(folder: string, flows = smallProjectFlows): void {
  const paths = flows.map((name) => `flows/${name}.json`);
  for (const name of readdirSync(join(root, 'schemas')).filter((own) => own.startsWith('_')))
    cpSync(join(root, 'schemas', name), join(folder, 'schemas', name), { recursive: true });
  const taken = new Set(paths.flatMap(listPaths));
  const others = createFlowStub(options.pages.filter((path) => !taken.has(path)));
  const files = { ...readFlows(paths), 'flows/others.json': JSON.stringify(others) };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function readFlows(paths: readonly string[]): Readonly<Record<string, string>> {
  const states = paths.flatMap((path) => Object.values(readProductFlow(path).states));
  const screens = new Set(states.flatMap(({ screen }) => screen ?? []));
  const names = [
    ...listJsonFiles('schemas/_shared'),
    ...paths,
    ...[...screens].flatMap((id) => listJsonFiles(`schemas/${id}`)),
  ];
  return Object.fromEntries(names.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

// Creates a stub that replaces other flows. It has only their paths, so that links to them compile.
function createFlowStub(paths: readonly string[]): UnexpandedFlow {
  const states = paths.map((path, index) => [`s${index}`, { path, block: options.blocks[0] }]);
  const parameters = paths.flatMap((path) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name));
  const context = { path: [...new Set(parameters)] };
  return { id: 'others', initial: 's0', context, states: Object.fromEntries(states) } as UnexpandedFlow;
}

/** Lists the paths of a flow, without the one of all unknown pages. */
function listPaths(flow: string): readonly string[] {
  return Object.values(readProductFlow(flow).states).flatMap(({ path }) =>
    path === undefined || path === '*' ? [] : path,
  );
}

const flows = new Map<string, Flow>();

/** Returns a flow of the product, which no test changes. */
function readProductFlow(path: string): Flow {
  const text = () => JSON.parse(readFileSync(join(root, path), 'utf8')) as UnexpandedFlow;
  const flow = flows.get(path) ?? expandFlow(text(), () => () => undefined).flow;
  flows.set(path, flow);
  return flow;
}

function listJsonFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`);
}
