import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Localized } from '../../../engine/compiler/localized.ts';
import type { Place } from './outline.ts';

/** Where the content lies in a project. */
export const contentFolder = 'src/server/features/content';

/** A file of the content as it was read. */
export interface ContentFile {
  /** Relative to the project, with slashes. */
  readonly path: string;
  readonly language: string;
  readonly kind: 'pregunta' | 'pagina';
  /** The slug of a question, the id of a page: the file's name. */
  readonly name: string;
  readonly text: string;
}

/** Tells what is wrong at a place of a file, and what to do. */
export type Complain = (place: Place, message: Localized, hint: Localized) => void;

const folders = { pregunta: 'preguntas', pagina: 'paginas' } as const;

/** The path of a file of the content. */
export function contentPath({ language, kind, name }: Pick<ContentFile, 'language' | 'kind' | 'name'>): string {
  return `${contentFolder}/${language}/${folders[kind]}/${name}.md`;
}

/** Reads the Markdown files of the content in some languages. */
export async function readContentFiles(root: string, languages: readonly string[]): Promise<readonly ContentFile[]> {
  const wanted = languages.flatMap((language) => (['pregunta', 'pagina'] as const).map((kind) => ({ language, kind })));
  const read = await Promise.all(
    wanted.map(async ({ language, kind }) => {
      const folder = join(root, contentFolder, language, folders[kind]);
      const names = existsSync(folder) ? (await readdir(folder)).filter((name) => name.endsWith('.md')).sort() : [];
      return Promise.all(
        names.map(async (file): Promise<ContentFile> => {
          const name = file.slice(0, -'.md'.length);
          return {
            path: contentPath({ language, kind, name }),
            language,
            kind,
            name,
            text: await readFile(join(folder, file), 'utf8'),
          };
        }),
      );
    }),
  );
  return read.flat();
}
