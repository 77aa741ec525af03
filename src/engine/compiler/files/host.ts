import type { ScreenModule } from '../../core/screen.ts';
import type { Problems, Read } from '../sources/source-file.ts';
import type { Plugins } from './plugin-table.ts';

/** The files of a project's definitions. Paths are relative to the project, with slashes. */
export interface ProjectFiles {
  /** The bytes of a file; the error's text where it cannot be read. */
  read(path: string): Promise<Uint8Array | string>;
  /** The names in a folder, sorted, but for hidden ones; none of what is no folder. */
  list(folder: string): Promise<string[]>;
}

/** What the compiler needs of where it runs: Node.js, or a page. */
export interface CompilerHost {
  readonly files: ProjectFiles;
  /** The plugins of the project; their texts are read by `read`. */
  plugins(read: Read, problems: Problems): Promise<Plugins>;
  /** Runs the text of an ES module that the compiler wrote. */
  run(source: string): Promise<ScreenModule>;
}
