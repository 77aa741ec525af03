import { basename } from 'node:path';
import type { DefinitionsOptions, DefinitionsSource } from '../../engine/compiler/definitions.ts';
import { studioAddresses, type DrawAnswer, type DrawRequest } from '../studio-data.ts';
import { afterChanges, isInside, isWritable, readVersioned, textsOf } from './definition-files.ts';
import { tried } from './try-set.ts';

/** How many compiled screens can still be loaded: those of pages that are just drawing one. */
const keptModules = 50;

/** Screens as they would be drawn after changes that nobody wrote: the set is compiled, of which the cache of its loads keeps all that is as it was. */
export class ScreenDrawer {
  readonly #options: DefinitionsOptions;
  readonly #definitions: Pick<DefinitionsSource, 'cache' | 'current'>;
  readonly #modules = new Map<string, string>();

  constructor(options: DefinitionsOptions, definitions: Pick<DefinitionsSource, 'cache' | 'current'>) {
    this.#options = options;
    this.#definitions = definitions;
  }

  async draw({ screen, language, changes }: DrawRequest): Promise<DrawAnswer> {
    const { root } = this.#options;
    for (const { file } of changes)
      if (!isWritable(file) || !(await isInside(root, file))) return { outcome: 'refused', reason: 'file' };
    const after = afterChanges(changes, await Promise.all(changes.map(({ file }) => readVersioned(root, file))));
    if (typeof after === 'string') return { outcome: 'refused', reason: after };
    const { cache, current } = this.#definitions;
    const { definitions, problems } = await tried({ ...this.#options, texts: textsOf(after) }, cache);
    const url = (definitions ?? current).manifest(language).screens[screen]?.url ?? null;
    if (!definitions || url === null) return { outcome: 'problems', problems, url };
    const address = `${studioAddresses.modules}/${basename(url)}`;
    this.#modules.set(address, definitions.modules.find((module) => module.url === url)?.source ?? '');
    const [oldest] = this.#modules.keys();
    if (this.#modules.size > keptModules && oldest !== undefined) this.#modules.delete(oldest);
    return { outcome: 'drawn', problems, url: address };
  }

  /** The text of a screen that was drawn lately, by its address. */
  module(address: string): string | undefined {
    return this.#modules.get(address);
  }
}
