import type { ScreenModule } from '../../core/screen.ts';
import type { Problems, ReadSourceFile } from '../sources/source-file.ts';
import type { Plugins } from './plugin-table.ts';

/** Files of a project's definitions. Paths are relative to the project, with forward slashes. */
export interface ProjectFiles {
  /** Returns the content of a file, or the text of the error if it cannot be read. */
  read(path: string): Promise<Uint8Array | string>;
  /** Returns the sorted names in a folder, without hidden ones. Empty if it is not a folder. */
  list(folder: string): Promise<string[]>;
}

/** Platform of the compiler: Node.js or a page. */
export interface CompilerHost {
  readonly files: ProjectFiles;
  plugins(read: ReadSourceFile, problems: Problems): Promise<Plugins>;
  run(source: string): Promise<ScreenModule>;
}
