import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LiveDefinitions } from '../../../src/engine/compiler/definitions.ts';
import { loadDefinitions } from '../../../src/engine/compiler/load-definitions.ts';
import { DefinitionLoadCache } from '../../../src/engine/compiler/sources/load-cache.ts';
import { createDefinitionOptions } from '../../../src/server/app/definition-options.ts';
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

const cache = new DefinitionLoadCache();

/** A copy of the product's definitions and cases in a separate folder. Changes use the studio's own writer. */
export class ProjectCopy {
  readonly #folder: string;
  readonly writer: DefinitionWriter;
  set: StudioDefinitions;

  private constructor(folder: string, set: StudioDefinitions) {
    this.#folder = folder;
    this.writer = new DefinitionWriter({ ...createDefinitionOptions(root), root: folder }, cache);
    this.set = set;
  }

  static async make(): Promise<ProjectCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'studio-copy-'));
    for (const name of ['schemas', 'flows', 'tests/fixtures'])
      await cp(join(root, name), join(folder, name), { recursive: true });
    await symlink(join(root, 'plugins'), join(folder, 'plugins'));
    return new ProjectCopy(folder, await readSet(folder));
  }

  /** Returns the current cases of a screen. */
  async cases(screen: string): Promise<StudioCases> {
    return readStudioCases(this.#folder, await sourceOf(this.#folder), screen);
  }

  /** Writes changes. Throws if they do not compile, or if the cases for `checks.field` fail. */
  async write(changes: readonly FileChange[], checks: DefinitionWriteChecks = {}): Promise<void> {
    const answer = await this.writer.writeChanges({ changes, ...checks });
    if (answer.outcome !== 'written') throw new Error(JSON.stringify(answer, null, 1));
    this.set = await readSet(this.#folder);
  }

  rename(wish: RenameRequest): Promise<RenamePlan> {
    const options = { ...createDefinitionOptions(root), root: this.#folder };
    return planRename(options, wish, (request) => this.writer.writeChanges(request), cache);
  }

  async undo(): Promise<void> {
    const { undo } = await this.writer.findHistory();
    await this.writer.undoOrRedo('undo', undo?.id ?? '');
    this.set = await readSet(this.#folder);
  }

  text(file: string): Promise<string> {
    return readFile(join(this.#folder, file), 'utf8');
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}

async function sourceOf(folder: string): Promise<LiveDefinitions> {
  const current = await loadDefinitions({ ...createDefinitionOptions(root), root: folder }, cache);
  return { current, problems: [] } as unknown as LiveDefinitions; // a partial fake: the studio reads only these properties
}

async function readSet(folder: string): Promise<StudioDefinitions> {
  return { ...(await readStudioDefinitions(folder, await sourceOf(folder))), history: { undo: null, redo: null } };
}
