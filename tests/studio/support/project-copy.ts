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
  #definitions: LiveDefinitions;
  set: StudioDefinitions;

  private constructor(copy: FlowCopy, { definitions, set }: Awaited<ReturnType<typeof read>>) {
    this.#copy = copy;
    this.writer = new DefinitionWriter(copy.options, cache);
    this.#definitions = definitions;
    this.set = set;
  }

  static async make(): Promise<ProjectCopy> {
    const copy = await copyFlow('flows/contacto.json');
    for (const file of [getScreenCasesPath('contacto'), getScreenSnapshotPath('contacto')])
      cpSync(join(root, file), join(copy.options.root, file));
    return new ProjectCopy(copy, await read(copy.options));
  }

  /** Returns the current cases of a screen. */
  async cases(screen: string): Promise<StudioCases> {
    return readStudioCases(this.#copy.options.root, this.#definitions, screen);
  }

  /** Writes changes. Throws if they do not compile, or if the cases for `checks.field` fail. */
  async write(changes: readonly FileChange[], checks: DefinitionWriteChecks = {}): Promise<void> {
    const answer = await this.writer.writeChanges({ changes, ...checks });
    if (answer.outcome !== 'written') throw new Error(JSON.stringify(answer, null, 1));
    await this.#readAgain();
  }

  async #readAgain(): Promise<void> {
    ({ definitions: this.#definitions, set: this.set } = await read(this.#copy.options));
  }

  rename(wish: RenameRequest): Promise<RenamePlan> {
    return planRename(this.#copy.options, wish, (request) => this.writer.writeChanges(request), cache);
  }

  async undo(): Promise<void> {
    const { undo } = await this.writer.findHistory();
    await this.writer.undoOrRedo('undo', undo?.id ?? '');
    await this.#readAgain();
  }

  text(file: string): Promise<string> {
    return readFile(join(this.#copy.options.root, file), 'utf8');
  }

  remove(): Promise<void> {
    return this.#copy.remove();
  }
}

async function read(options: LoadDefinitionsOptions) {
  const current = await loadDefinitions(options, cache);
  const definitions = { current, problems: [] } as unknown as LiveDefinitions; // a partial fake: the studio reads only these properties
  const set: StudioDefinitions = {
    ...(await readStudioDefinitions(options.root, definitions)),
    history: { undo: null, redo: null },
  };
  return { definitions, set };
}
