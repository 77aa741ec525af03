import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { LoadDefinitionsOptions } from '../../../src/engine/compiler/definitions.ts';
import { expandFlow } from '../../../src/engine/compiler/flow/expand-flow.ts';
import type { UnexpandedFlow } from '../../../src/engine/compiler/flow/unexpanded-flow-types.ts';
import type { Flow } from '../../../src/engine/core/flow-and-screen-types.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
import { writeProject, type Files } from './project.ts';

const root = resolve(import.meta.dirname, '../../..');
const options = createDefinitionOptions(root);

/**
 * A copy of one flow of the product, with its screens and shared definitions. It loads much faster than the complete
 * product.
 */
export interface FlowCopy {
  /** Contents of the copied files, by path in the product. */
  readonly files: Readonly<Record<string, string>>;
  readonly options: LoadDefinitionsOptions;
  readonly write: (files: Files) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export const flowPaths = listJsonFiles('flows');

/** Copies one flow. Other flows are reduced to their paths. */
export async function copyFlow(path: string): Promise<FlowCopy> {
  const screens = new Set(Object.values(flowOf(path).states).flatMap(({ screen }) => screen ?? []));
  const names = [
    ...listJsonFiles('schemas/_shared'),
    path,
    ...[...screens].flatMap((id) => listJsonFiles(`schemas/${id}`)),
  ];
  const files = Object.fromEntries(names.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const project = await writeProject({ ...files, 'flows/others.json': createFlowStub(path) });
  return { ...project, files, options: { ...options, root: project.folder, pages: [] } };
}

// Creates a stub that replaces the other flows. It has only their paths, so that links to them compile.
function createFlowStub(own: string): Flow {
  const paths = flowPaths
    .filter((path) => path !== own)
    .flatMap((path) => Object.values(flowOf(path).states).flatMap(({ path: address }) => address ?? []));
  const states = paths
    .filter((path) => path !== '*')
    .map((path, index) => [`s${index}`, { path: path.replaceAll(':', '_'), block: options.blocks[0] }]);
  return { id: 'others', initial: 's0', states: Object.fromEntries(states) as Flow['states'] };
}

function flowOf(path: string): Flow {
  return expandFlow(JSON.parse(readFileSync(join(root, path), 'utf8')) as UnexpandedFlow, () => () => undefined).flow;
}

function listJsonFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`);
}
