import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Localized } from '../../../engine/compiler/localized.ts';
import type { Place } from './outline.ts';

export const contentFolder = 'src/server/features/content';

export interface ContentFile {
  /** Relative to the project, with forward slashes. */
  readonly path: string;
  readonly language: string;
  readonly kind: 'pregunta' | 'pagina';
  /** Base name of the file: the slug of a question, or the id of a page. */
  readonly name: string;
  readonly text: string;
}

/** Reports a problem at a position of a file, with a hint on how to fix it. */
export type Complain = (place: Place, message: Localized, hint: Localized) => void;

const folders = { pregunta: 'preguntas', pagina: 'paginas' } as const;

export function contentPath({ language, kind, name }: Pick<ContentFile, 'language' | 'kind' | 'name'>): string {
  return `${contentFolder}/${language}/${folders[kind]}/${name}.md`;
}

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
