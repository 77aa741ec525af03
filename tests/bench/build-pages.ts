import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { loadDefinitions } from '../../src/engine/compiler/load-definitions.ts';
import { compileHints } from '../../vite.config.ts';
import { createDefinitionFiles } from './bench-definitions.ts';
import type { BenchForm } from './bench-forms.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * Builds the bench's two sites into `ours/` and `handwritten/` in `folder`. The form is selected with `?form=A|B|C|D`.
 */
export async function buildPages(forms: Readonly<Record<string, BenchForm>>, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  for (const page of ['ours', 'handwritten']) await buildPage(page, join(folder, page));
  await writeModules(forms, join(folder, 'ours'));
  for (const [id, form] of Object.entries(forms))
    await writeFile(join(folder, 'handwritten', `form-${id}.json`), JSON.stringify(form));
}

/**
 * Builds the hand-written page of each form as `<form>.html` in `folder`. The page contains its form, so that it
 * requests only scripts.
 */
export async function buildHandwritten(forms: readonly BenchForm[], folder: string): Promise<void> {
  await buildPage('handwritten', folder);
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  for (const form of forms) {
    const carried = `<script type="application/json" id="form">${JSON.stringify(form)}</script>\n</head>`;
    await writeFile(
      join(folder, `${form.id}.html`),
      page.replace('</head>', () => carried),
    );
  }
}

async function buildPage(page: string, out: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: page === 'ours' ? [react(), compileHints] : [react()],
    build: {
      outDir: out,
      emptyOutDir: true,
      target: 'es2022',
      rolldownOptions: { input: join(import.meta.dirname, `page/${page}.html`) },
      modulePreload: { polyfill: false },
    },
  });
  await rename(join(out, `tests/bench/page/${page}.html`), join(out, 'index.html'));
}

// Writes the compiled module of each form, as the portal serves it.
async function writeModules(forms: Readonly<Record<string, BenchForm>>, folder: string): Promise<void> {
  const project = await mkdtemp(join(tmpdir(), 'bench-'));
  await symlink(join(root, 'plugins'), join(project, 'plugins'));
  for (const [path, content] of Object.entries(createDefinitionFiles(Object.values(forms)))) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), JSON.stringify(content));
  }
  const definitions = await loadDefinitions({
    root: project,
    baseLanguage: 'es',
    operations: ['save'],
    blocks: [],
    facts: [],
    pages: [],
  });
  const { screens } = definitions.manifest('es');
  const modules: Record<string, string> = {};
  for (const id of Object.keys(forms)) {
    const url = screens[`form-${id.toLowerCase()}`]?.url ?? '';
    const source = definitions.modules.find((module) => module.url === url)?.source ?? '';
    modules[id] = `form-${id}.js`;
    await writeFile(join(folder, `form-${id}.js`), source);
  }
  const values = Object.fromEntries(
    Object.entries(forms).map(([id, { fields }]) => [
      id,
      Object.fromEntries(fields.flatMap((field) => (field.default === undefined ? [] : [[field.name, field.default]]))),
    ]),
  );
  await writeFile(join(folder, 'forms.json'), JSON.stringify({ modules, values }));
  await rm(project, { recursive: true, force: true });
}
