import type { ServedDefinitions } from '../../../src/engine/compiler/definitions.ts';
import type { LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';
import { loadScreen } from '../../../src/portal/navigation/load-screen.ts';
import { loadProject, type Files } from './project.ts';

/** Loads a screen as the browser does: its module from text, its rules through the portal's glob. */
export function importScreen(definitions: ServedDefinitions, id: string, language = 'es'): Promise<LoadedScreen> {
  const url = definitions.manifest(language).screens[id]?.url;
  const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
  return loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`);
}

/** Loads the screens of a small project by id. Throws if the project has problems. */
export async function loadScreens(files: Files): Promise<Readonly<Record<string, LoadedScreen>>> {
  const { definitions, problems } = await loadProject(files);
  if (!definitions) throw new Error(JSON.stringify(problems));
  const screens = [...definitions.screens.keys()].map(async (id) => [id, await importScreen(definitions, id)] as const);
  return Object.fromEntries(await Promise.all(screens));
}
