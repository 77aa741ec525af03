import { beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../src/contract/portal-config.ts';
import { createDefinitionSearch } from '../../src/studio/editor/definition-search.ts';
import { isWritablePath } from '../../src/studio/server/definition-files.ts';
import { createMailPreviewer } from '../../src/studio/server/mail-previewer.ts';
import type { FileChange } from '../../src/studio/studio-api-types.ts';
import { root } from '../definitions/support/fixtures.ts';
import { openStudio } from './support/open-studio.ts';

let own: Awaited<ReturnType<typeof openStudio>>;
beforeAll(async () => {
  own = await openStudio();
});

const site = { product: 'Portal', origin: 'http://localhost:3000' };
const reset = (language: string) => `src/server/features/password/mails/reset-password.${language}.txt`;
const notices = 'src/server/trust/notices/mails/notices.json';
const question = (language: string) => `src/server/features/content/${language}/preguntas/como-me-registro.md`;

function textOf(file: string): string {
  const text = own.set.files[file]?.text;
  if (text === undefined) throw new Error(`${file} is not in the studio`);
  return text;
}

function replaceIn(file: string, before: string, after: string): FileChange {
  const text = textOf(file);
  expect(text).toContain(before);
  return { file, base: own.set.files[file]?.version ?? null, text: text.replace(before, after) };
}

async function listProblems(changes: readonly FileChange[]): Promise<readonly string[]> {
  const answer = await own.writer.writeChanges({ changes, dryRun: true });
  if (answer.outcome === 'problems')
    return answer.problems.map(({ file, line, message, hint }) => `${file}:${line} ${message} ${hint}`);
  expect(answer.outcome).toBe('fine');
  return [];
}

describe('[EST-06] mails and help pages in the studio', () => {
  test('are found by their subject, their title and a text in either language', () => {
    const find = (query: string) => createDefinitionSearch(own.set)(query).map(({ kind, name }) => `${kind} ${name}`);
    expect(find('se cambió tu contraseña')[0]).toBe('mail notices/password-changed');
    expect(find('¿cómo me registro?')).toContain('help preguntas/como-me-registro');
    expect(find('A sua senha de {{product}} foi alterada')).toEqual(['mail notices/password-changed']);
    const names = own.set.documents.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['code', 'acts/block', 'warnings/sign-in-failures', 'paginas/acerca-de']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test('are rendered with a value for every placeholder, in both languages', async () => {
    const drawer = createMailPreviewer(root);
    const mails = own.set.documents.filter(({ kind }) => kind === 'mail');
    expect(mails.length).toBeGreaterThan(60);
    for (const { name } of mails)
      for (const language of languages) {
        const drawn = await drawer.draw({ mail: name, language, changes: [] }, site);
        if (drawn.outcome !== 'drawn') throw new Error(`${name}: ${drawn.reason}`);
        const html = drawer.getHtml(drawn.url) ?? '';
        expect(`${drawn.subject} ${html}`.match(/\{\{\W?\w*\}\}/g), `${name} ${language}`).toBeNull();
        expect(html).toContain('Portal');
      }
  });

  test('are rendered with unsaved changes, in which markup is text of a value only', async () => {
    const drawer = createMailPreviewer(root);
    const edit = { pointer: '/password-changed/pt/subject', value: 'Senha nova em {{product}}' };
    const changes = [{ file: notices, base: null, edits: [edit] }];
    const drawn = await drawer.draw({ mail: 'notices/password-changed', language: 'pt', changes }, site);
    expect(drawn).toMatchObject({ outcome: 'drawn', subject: 'Senha nova em Portal' });
    expect(drawer.getHtml('url' in drawn ? drawn.url : '')).toContain(
      '<h1 style="margin:0 0 16px;font-size:24px;line-height:1.3">Senha nova em Portal</h1>',
    );
    expect(await drawer.draw({ mail: 'nada', language: 'pt', changes: [] }, site)).toMatchObject({
      outcome: 'refused',
    });
    const outside = [{ file: 'package.json', base: null, text: '{}' }];
    expect(await drawer.draw({ mail: 'code', language: 'pt', changes: outside }, site)).toEqual({
      outcome: 'refused',
      reason: 'file',
    });
  });

  test('are written if their placeholders have values, and refused in Spanish otherwise', async () => {
    const both = (before: string, after: string) => languages.map((own) => replaceIn(reset(own), before, after));
    expect(await listProblems([replaceIn(reset('es'), 'Hola', 'Buenas')])).toEqual([]);
    expect(await listProblems(both('{{name}}', '{{email}}'))).toEqual([
      expect.stringMatching(
        /reset-password\.es\.txt:3 Este correo no tiene un valor para \{\{email\}\}: se leería tal cual\. .*\{\{name\}\}/,
      ),
      expect.stringContaining('reset-password.pt.txt:3'),
    ]);
    expect(await listProblems([replaceIn(reset('pt'), '{{name}}', '{{ name }}')])).toContainEqual(
      expect.stringContaining('escribí {{name}}'),
    );
    expect(await listProblems([replaceIn(reset('es'), '{{name}}', 'vos')]), 'in one language').toContainEqual(
      expect.stringContaining('reset-password.pt.txt'),
    );
    const edit = { pointer: '/password-changed/es/sentence', value: 'se cambió la contraseña desde {{device}}.' };
    const changes = [{ file: notices, base: own.set.files[notices]?.version ?? null, edits: [edit] }];
    expect(await listProblems(changes), 'another notice has this value').toEqual([
      expect.stringContaining('Este correo no tiene un valor para {{device}}'),
    ]);
  });

  test('of the help are refused with the position of an invalid link, placeholder or key', async () => {
    expect(await listProblems([replaceIn(question('es'), 'Registrarse es gratis', 'Es gratis')])).toEqual([]);
    expect(await listProblems([replaceIn(question('es'), '(/registro)', '(/registrate)')])).toEqual([
      expect.stringContaining('como-me-registro.md:8'),
    ]);
    expect(await listProblems([replaceIn(question('es'), '{horas_activacion}', '{horas}')])).not.toEqual([]);
    expect(await listProblems([replaceIn(question('pt'), 'orden: 1', 'orden: 2')])).not.toEqual([]);
  });

  test('are the only files below src/server that can be written', () => {
    for (const file of [reset('es'), notices, question('pt')]) expect(isWritablePath(file), file).toBe(true);
    for (const file of [
      'src/server/features/password/index.ts',
      'src/server/features/password/mails/../index.txt',
      'src/server/features/password/texts.json',
      'src/server/mails/x.es.txt.ts',
      'src/server/features/content/es/preguntas/../../x.md',
      'src/server/data.md',
    ])
      expect(isWritablePath(file), file).toBe(false);
  });
});
