import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { Marked, type Token, type Tokens } from 'marked';
import MiniSearch from 'minisearch';
import { createCliAction, CommandError } from '../command.ts';
import { buildPlayground } from '../engine/build-playground.ts';
import { projectRoot } from '../project.ts';
import contents from './contents.json' with { type: 'json' };
import { generateDocumentationPages } from './generate-pages.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const folder = join(projectRoot, 'dist/docs');
  await buildDocs(projectRoot, folder);
  await buildPlayground(projectRoot, join(folder, 'playground'));
  terminal.out(`${join(folder, 'index.html')}\n`);
});

interface Page {
  readonly path: string;
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** Relative links in the page. */
  readonly links: readonly string[];
}

interface Section {
  readonly title: string;
  readonly anchor: string;
  readonly text: string;
}

/** Writes each page of contents.json as HTML with navigation and search. Throws a CommandError that lists all broken links, and links to documents that contents.json omits. */
export async function buildDocs(root: string, folder: string): Promise<void> {
  const generated = await generateDocumentationPages(root);
  const pages = await Promise.all(
    contents
      .flatMap(({ pages }) => pages)
      .map(async ({ path, title }: { path: string; title?: string }) => {
        const text = generated.get(path) ?? (await readFile(join(root, path), 'utf8'));
        const page = renderMarkdown(path, text);
        return title === undefined ? page : { ...page, title };
      }),
  );
  const broken = pages.flatMap((page) => findBrokenLinks(root, page, pages));
  if (broken.length > 0) throw new CommandError(`Broken links:\n${broken.join('\n')}`);
  await rm(folder, { recursive: true, force: true });
  const source = join(root, 'src/cli/docs');
  for (const page of pages) {
    const file = join(folder, toSitePath(page.path));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, renderPage(page, pages));
  }
  await Promise.all(pages.flatMap((page) => copyImages(root, folder, page)));
  await writeFile(join(folder, 'search.json'), JSON.stringify(indexPages(pages)));
  for (const name of ['site.css', 'search.js']) await copyFile(join(source, name), join(folder, name));
  const library = createRequire(import.meta.url).resolve('minisearch');
  await copyFile(join(dirname(library), '../es/index.js'), join(folder, 'minisearch.js'));
}

/** `schemas/README.md` becomes `schemas/index.html`. */
const toSitePath = (path: string): string => path.replace(/README\.md$/, 'index.html').replace(/\.md$/, '.html');

/** The anchor that GitHub generates for a heading. */
const toAnchor = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function renderMarkdown(path: string, text: string): Page {
  const links: string[] = [];
  const headings: string[] = []; // anchors of the headings, in document order
  const markdown = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        return `<h${depth} id="${headings.shift()}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const label = this.parser.parseInline(tokens);
        if (/^[a-z]+:/.test(href)) return `<a href="${href}">${label}</a>`;
        links.push(href);
        const [target = '', anchor] = href.split('#');
        const page = posix.join(posix.dirname(path), target);
        const isPage = contents.some(({ pages }) => pages.some((listed) => listed.path === page));
        if (target !== '' && !isPage) return label; // replaces a link to a source file with plain text
        return `<a href="${toSitePath(target)}${anchor === undefined ? '' : `#${anchor}`}">${label}</a>`;
      },
      table({ header, rows }: Tokens.Table) {
        const renderRow = (cells: readonly Tokens.TableCell[], tag: string): string =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`;
        const head = header.some(({ text }) => text !== '') ? `<thead>${renderRow(header, 'th')}</thead>` : '';
        const body = rows.map((cells) => renderRow(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const tokens = markdown.lexer(text);
  const sections = readSections(tokens);
  headings.push(...sections.map(({ anchor }) => anchor));
  // Keyboards can scroll only focusable elements.
  const html = markdown.parser(tokens).replaceAll('<pre>', '<pre tabindex="0">');
  return { path, title: sections[0]?.title ?? path, html, sections, links };
}

/** Lists the sections of a page, each with its anchor. Repeated headings get numbered anchors, as on GitHub. */
function readSections(tokens: readonly Token[]): readonly Section[] {
  const sections: { title: string; anchor: string; text: string }[] = [];
  for (const token of tokens)
    if (token.type === 'heading') {
      const title = (token as Tokens.Heading).text.replaceAll('`', '');
      const same = sections.filter(({ title: other }) => toAnchor(other) === toAnchor(title)).length;
      sections.push({ title, anchor: same === 0 ? toAnchor(title) : `${toAnchor(title)}-${same}`, text: '' });
    } else {
      const last = sections.at(-1);
      if (last) last.text += token.raw;
    }
  return sections;
}

function findBrokenLinks(root: string, { path, links }: Page, pages: readonly Page[]): readonly string[] {
  return links
    .filter((href) => {
      const [target = '', anchor] = href.split('#');
      const file = target === '' ? path : posix.join(posix.dirname(path), target);
      const page = pages.find((other) => other.path === file);
      if (page === undefined) return file.endsWith('.md') || !existsSync(join(root, file)); // only links to source files become plain text
      return anchor !== undefined && !page.sections.some((section) => section.anchor === decodeURIComponent(anchor));
    })
    .map((href) => `${path}: ${href}`);
}

function renderPage(page: Page, pages: readonly Page[]): string {
  const pageFolder = posix.dirname(toSitePath(page.path));
  const toRelativePath = (target: string): string => posix.relative(pageFolder, target) || '.';
  const title = (path: string): string => pages.find((other) => other.path === path)?.title ?? path;
  const groups = contents.map(
    ({ title: group, pages: listed }) =>
      `<h2>${group}</h2><ul>${listed
        .map(({ path }) => {
          const current = path === page.path ? ' aria-current="page"' : '';
          return `<li><a href="${toRelativePath(toSitePath(path))}"${current}>${title(path)}</a></li>`;
        })
        .join('')}</ul>`,
  );
  const language = /^(schemas|flows)|GUIA/.test(page.path) ? 'es' : 'en';
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<link rel="stylesheet" href="${toRelativePath('site.css')}">
<script type="module" src="${toRelativePath('search.js')}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<div class="layout">
<search>
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off">
<p id="status" role="status"></p>
<ul id="results"></ul>
</search>
<main id="main">${page.html}</main>
<nav aria-label="Pages">
${groups.join('\n')}
<ul><li><a href="${toRelativePath('playground/index.html')}">Playground</a></li></ul>
</nav>
</div>
</body>
</html>
`;
}

async function copyImages(root: string, folder: string, { path, html }: Page): Promise<void> {
  for (const [, source = ''] of html.matchAll(/<img src="([^":]+)"/g)) {
    const file = posix.join(posix.dirname(path), source);
    await cp(join(root, file), join(folder, file));
  }
}

function indexPages(pages: readonly Page[]): MiniSearch {
  const index = new MiniSearch({ fields: ['title', 'text'], storeFields: ['title', 'page', 'url'] });
  index.addAll(
    pages.flatMap(({ path, title: page, sections }) =>
      sections.map(({ title, anchor, text }) => ({
        id: `${path}#${anchor}`,
        title,
        text,
        page,
        url: `${toSitePath(path)}#${anchor}`,
      })),
    ),
  );
  return index;
}
