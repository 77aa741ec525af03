import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asObject, isObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { PluginValidationRule } from '../../core/plugin-rule.ts';
import { builtInWidgets } from '../../core/built-in-widgets.ts';
import {
  explain,
  localize,
  type LocalizedText,
  suggestSimilarName,
  findNearestName,
} from '../sources/localized-text.ts';
import { explainMarkup, findMarkup } from '../sources/find-markup.ts';
import type { SourceFile } from '../sources/source-file.ts';
import type { ProblemCollector } from '../sources/problem-collector.ts';
import { type LoadedPlugin, pickTextEntries } from './index-plugins.ts';

const pluginFileNames = ['rule.ts', 'widget.tsx', 'texts.json', 'titles.json', 'README.md'];
/** Common misspellings of the file names of plugins, with the correct name. */
const misspelledFileNames: readonly (readonly [RegExp, string])[] = [
  [/^(?:rules|rule)\.(?:[jt]sx?|mjs)$/i, 'rule.ts'],
  [/^(?:widgets|widget)\.(?:[jt]sx?|mjs)$/i, 'widget.tsx'],
  [/^(?:texts?|messages)(?:\.\w+)?\.json$/i, 'texts.json'],
  [/^titles?(?:\.\w+)?\.json$/i, 'titles.json'],
];

/** Patterns of forbidden code in plugins, by file, with an alternative. */
const forbiddenCode: readonly (readonly [
  file: RegExp,
  code: RegExp,
  message: (part: string) => LocalizedText,
  hint: LocalizedText,
])[] = [
  [
    /^rule\.ts$/,
    /\b(?:process|window|document|localStorage|sessionStorage|navigator|console)\s*[.[]|\b(?:fetch|XMLHttpRequest|setTimeout|setInterval)\s*\(/,
    (part) =>
      localize`The rule uses "${part}", but a rule runs in browsers and on the server, and may use only its inputs.`,
    localize`Remove it. Declare the facts that the rule needs in "facts".`,
  ],
  [
    /\.tsx$/,
    /\bdangerouslySetInnerHTML\b/,
    (part) => localize`The widget writes HTML ("${part}"): scripts in user input would run.`,
    localize`Render React elements.`,
  ],
  [
    /^(?!rule\.ts$).*\.tsx?$/,
    /\b(?:fetch|XMLHttpRequest|alert|confirm)\s*\(|\b(?:localStorage|sessionStorage)\s*[.[]/,
    (part) => localize`The widget uses "${part}", which bypasses the session and its permissions.`,
    localize`Query the server with "load" from toWidgetParts(props). The form stores the value.`,
  ],
  [
    /\.tsx$/,
    /\bautoFocus\b|\btabIndex=\{?["']?[1-9]/,
    (part) => localize`The widget moves the focus ("${part}"): screen reader users lose their place.`,
    localize`Remove it: the focus follows the order of the fields.`,
  ],
];

interface PluginFolder {
  readonly name: string;
  readonly module: LoadedPlugin['module'];
  readonly texts: SourceFile | null;
  readonly titles: SourceFile | null;
  readonly isTitled: boolean;
  readonly isUnusable: boolean;
}

/** Checks a plugin's files for mistakes that loading it does not find: misnamed files, forbidden code, and unused or missing texts and titles. */
export async function checkPluginFiles(root: string, folder: PluginFolder, problems: ProblemCollector): Promise<void> {
  const own = join(root, 'plugins', folder.name);
  const files = (await readdir(own)).sort();
  const sources = await Promise.all(
    files
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
      .map(async (file) => [file, await readFile(join(own, file), 'utf8')] as const),
  );
  checkNames(folder.name, files, problems);
  for (const [file, code] of sources) checkCode(`plugins/${folder.name}/${file}`, file, code, problems);
  if (folder.isUnusable) return; // skip an unusable plugin, whose rules are unknown
  const code = sources.map(([, text]) => text).join('\n');
  checkTexts(folder, code, problems);
  checkMarkup(folder, problems);
  if (!files.includes('rule.ts')) checkUnusedTexts(folder, code, problems);
  checkTitles(folder, files.includes('widget.tsx'), problems);
}

function checkNames(name: string, files: readonly string[], problems: ProblemCollector): void {
  const at = (file: string) => ({ file: `plugins/${name}/${file}`, line: 1, column: 1, pointer: '' });
  if (!/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name))
    problems.addAt(at(files[0] ?? ''))(explain`The folder plugins/${name} does not follow the naming of the others.
      Use lower-case letters, with hyphens between words.`);
  if (files.includes('widget.tsx') && Object.hasOwn(builtInWidgets, name))
    problems.addAt(at('widget.tsx'))(explain`The engine already has a widget "${name}".
      Give the folder another name.`);
  if (!files.includes('rule.ts') && !files.includes('widget.tsx')) return; // skip a folder without rules and widget, which `readPlugin` reports
  for (const file of files) {
    const known = misspelledFileNames.find(([pattern]) => pattern.test(file))?.[1];
    if (pluginFileNames.includes(file) || known === undefined) continue;
    problems.addAt(at(file))(explain`Nothing reads plugins/${name}/${file}.
      ${files.includes(known) ? localize`Remove it: ${known} exists already.` : localize`Rename it to ${known}.`}`);
  }
}

function checkCode(path: string, file: string, code: string, problems: ProblemCollector): void {
  const commentsAndStrings = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$|'[^'\n]*'/gm;
  const bare = code.replaceAll(commentsAndStrings, (part) => part.replaceAll(/\S/g, ' '));
  for (const [where, pattern, message, hint] of forbiddenCode) {
    const found = where.test(file) ? pattern.exec(bare) : null;
    const [name = ''] = /^\w+/.exec(found?.[0] ?? '') ?? [];
    const isOwn = new RegExp(String.raw`(?:[({,]|\b(?:const|let|function))\s*${name}\s*[,:})=(]`).test(bare);
    if (!found || (isOwn && name !== '')) continue;
    const line = bare.slice(0, found.index).split('\n');
    const place = { file: path, line: line.length, column: (line.at(-1)?.length ?? 0) + 1, pointer: '' };
    problems.addAt(place)(explain`${message(found[0].replaceAll(/\s*[.([]$/g, ''))}
      ${hint}`);
  }
}

/** Reports messages for reasons that the rule never returns, and missing texts of the widget. */
function checkTexts({ texts, module }: PluginFolder, code: string, problems: ProblemCollector): void {
  if (!texts || !isObject(texts.value)) return;
  const report = problems.report(texts);
  const [language = ''] = Object.keys(texts.value);
  const keys = Object.keys(pickTextEntries(texts, language));
  const keywords = (module.rules ?? []).map(({ keyword }) => keyword);
  const areReasonsLiteral = !/\breason\s*[,}]|\breason: (?!['"])/.test(code); // if false, a parameter or the field's value determines the reason
  const returnedReasons = new Set([...code.matchAll(/\breason:\s*['"]([\w-]+)['"]/g)].map(([, reason = '']) => reason));
  for (const key of keys) {
    const [head = '', reason = ''] = key.split('.');
    if (reason === '' || !keywords.includes(head) || !areReasonsLiteral || code.includes(reason)) continue;
    report(`/${language}/${escapePointer(key)}`)(explain`The rule never returns the reason "${reason}".
      ${suggestSimilarName(reason, returnedReasons)}Correct the key, or remove it in each language.`);
  }
  for (const reason of returnedReasons)
    if (!keywords.some((keyword) => keys.includes(keyword) || keys.includes(`${keyword}.${reason}`)))
      report(`/${language}`)(explain`The rule returns the reason "${reason}", but there is no message for it.
        Write "${keywords[0] ?? ''}.${reason}" in each language.`);
  for (const key of listRequestedKeys(code))
    if (!keys.includes(key))
      report(`/${language}`)(explain`The widget uses the text "${key}", which is missing here.
        ${suggestSimilarName(key, keys)}Write it in each language.`);
}

function listRequestedKeys(code: string): ReadonlySet<string> {
  return new Set([...code.matchAll(/(?<![\w.])t\('([\w.]+)'/g)].map(([, key = '']) => key));
}

function checkMarkup({ texts }: PluginFolder, problems: ProblemCollector): void {
  if (!texts || !isObject(texts.value)) return;
  for (const language of Object.keys(texts.value))
    for (const [key, text] of Object.entries(pickTextEntries(texts, language))) {
      const found = findMarkup(text);
      if (found) problems.report(texts)(`/${language}/${escapePointer(key)}`)(explainMarkup(found.sign));
    }
}

/** Reports texts of a widget whose key does not appear in its code. The digits at the end of a key may be computed, as in `month1`. */
function checkUnusedTexts({ texts }: PluginFolder, code: string, problems: ProblemCollector): void {
  if (!texts || !isObject(texts.value)) return;
  const [language = ''] = Object.keys(texts.value);
  for (const key of Object.keys(pickTextEntries(texts, language)))
    if (!code.includes(key.replace(/\d+$/, '')))
      problems.report(texts)(`/${language}/${escapePointer(key)}`)(explain`The widget never uses the text "${key}".
        ${suggestSimilarName(key, listRequestedKeys(code))}Correct the key, or remove it in each language.`);
}

/** Reports titles that belong to no keyword or parameter. In a project with a studio, also reports rules and widgets without a title. */
function checkTitles(
  { name, titles, module, isTitled }: PluginFolder,
  hasWidget: boolean,
  problems: ProblemCollector,
): void {
  const own = titles && isObject(titles.value) ? Object.keys(titles.value) : [];
  const report = problems.report(titles ?? { path: `plugins/${name}/titles.json`, text: '', tree: undefined });
  const listNames = ({ keyword, parameters }: PluginValidationRule) => [
    keyword,
    ...listParameterNames(parameters).map((name) => `${keyword}.${name}`),
  ];
  const known = [...(hasWidget ? ['ui:widget'] : []), ...(module.rules ?? []).flatMap(listNames)];
  const offered = (module.rules ?? []).filter(({ level }) => level === 'field').flatMap(listNames);
  const lacking = [...(hasWidget ? ['ui:widget'] : []), ...offered].filter((key) => !own.includes(key));
  for (const key of own.filter((one) => !known.includes(one))) {
    const nearest = findNearestName(key, known);
    if (nearest !== undefined && lacking.includes(nearest)) lacking.splice(lacking.indexOf(nearest), 1);
    report(`/${escapePointer(key)}`)(explain`The plugin has no "${key}" that could have a title.
      ${nearest === undefined ? localize`Remove it.` : localize`Write "${nearest}".`}`);
  }
  if (isTitled && lacking.length > 0)
    report('')(explain`The studio has no title for ${lacking.map((key) => `"${key}"`).join(', ')}.
      Write it: { "${lacking[0] ?? ''}": "…" }.`);
}

function listParameterNames(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(listParameterNames);
  if (!isObject(schema)) return [];
  const { properties, ...more } = schema as { readonly properties?: unknown };
  return [...Object.keys(asObject(properties)), ...Object.values(more).flatMap(listParameterNames)];
}
