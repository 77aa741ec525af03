import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getScreenCasesPath, getScreenSnapshotPath } from '../../../src/cli/definitions/cases/screen-cases.ts';
import type { LiveDefinitions, LoadDefinitionsOptions } from '../../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../../src/engine/compiler/sources/load-cache.ts';
import { DefinitionWriter } from '../../../src/studio/server/definition-writer.ts';
import { readStudioCases, readStudioDefinitions } from '../../../src/studio/server/read-studio-definitions.ts';
import { planRename } from '../../../src/studio/server/rename/plan-rename.ts';
import type {
  FileChange,
  RenamePlan,
  RenameRequest,
  StudioCases,
  StudioDefinitions,
  DefinitionWriteChecks,
} from '../../../src/studio/studio-api-types.ts';
import { root } from '../../definitions/support/fixtures.ts';
import { copyFlow, type FlowCopy } from '../../engine/support/flow-copy.ts';

const cache = new DefinitionLoadCache();

/**
 * A copy of the flow `contacto` with its screens and cases in a separate folder. Changes use the studio's own writer.
 */
export class ProjectCopy {
  readonly #copy: FlowCopy;
  readonly writer: DefinitionWriter;
  set: StudioDefinitions;

  private constructor(copy: FlowCopy, set: StudioDefinitions) {
    this.#copy = copy;
    this.writer = new DefinitionWriter(copy.options, cache);
    this.set = set;
  }

  static async make(): Promise<ProjectCopy> {
    const copy = await copyFlow('flows/contacto.json');
    for (const file of [getScreenCasesPath('contacto'), getScreenSnapshotPath('contacto')])
      cpSync(join(root, file), join(copy.options.root, file));
    return new ProjectCopy(copy, await readSet(copy.options));
  }

  /** Returns the current cases of a screen. */
  async cases(screen: string): Promise<StudioCases> {
    return readStudioCases(this.#copy.options.root, await sourceOf(this.#copy.options), screen);
  }

  /** Writes changes. Throws if they do not compile, or if the cases for `checks.field` fail. */
  async write(changes: readonly FileChange[], checks: DefinitionWriteChecks = {}): Promise<void> {
    const answer = await this.writer.writeChanges({ changes, ...checks });
    if (answer.outcome !== 'written') throw new Error(JSON.stringify(answer, null, 1));
    this.set = await readSet(this.#copy.options);
  }

  rename(wish: RenameRequest): Promise<RenamePlan> {
    return planRename(this.#copy.options, wish, (request) => this.writer.writeChanges(request), cache);
  }

  async undo(): Promise<void> {
    const { undo } = await this.writer.findHistory();
    await this.writer.undoOrRedo('undo', undo?.id ?? '');
    this.set = await readSet(this.#copy.options);
  }

  text(file: string): Promise<string> {
    return readFile(join(this.#copy.options.root, file), 'utf8');
  }

  remove(): Promise<void> {
    return this.#copy.remove();
  }
}

async function sourceOf(options: LoadDefinitionsOptions): Promise<LiveDefinitions> {
  const current = await loadDefinitions(options, cache);
  return { current, problems: [] } as unknown as LiveDefinitions; // a partial fake: the studio reads only these properties
}

async function readSet(options: LoadDefinitionsOptions): Promise<StudioDefinitions> {
  return {
    ...(await readStudioDefinitions(options.root, await sourceOf(options))),
    history: { undo: null, redo: null },
  };
}
