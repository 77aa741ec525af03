import type { LoadedScreen } from '../../../src/engine/react/flow-services.ts';
import { loadScreen } from '../../../src/portal/load-screen.ts';
import { load, type Files } from './project.ts';

/** The screens of a small project by id, loaded as the browser loads them. Throws when the project is wrong. */
export async function loadScreens(files: Files): Promise<Readonly<Record<string, LoadedScreen>>> {
  const { definitions, problems } = await load(files);
  if (!definitions) throw new Error(JSON.stringify(problems));
  const screens = Object.entries(definitions.manifest('es').screens).map(async ([id, { url }]) => {
    const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
    return [id, await loadScreen(`data:text/javascript;base64,${Buffer.from(source).toString('base64')}`)] as const;
  });
  return Object.fromEntries(await Promise.all(screens));
}
