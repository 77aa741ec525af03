import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform, type TransformFailure } from 'esbuild';
import { say } from '../sources/say.ts';
import type { Problems } from '../sources/source-file.ts';

/** Mistakes by the source of a widget. */
const known = new Map<string, Mistake | null>();

interface Mistake {
  readonly kind: 'broken' | 'node' | 'default';
  readonly line: number;
  readonly column: number;
  readonly what: string;
}

/** Checks that a widget is valid browser code with a component as its default export. */
export async function checkWidget(root: string, name: string, problems: Problems): Promise<void> {
  const file = `plugins/${name}/widget.tsx`;
  const text = await readFile(join(root, file), 'utf8');
  if (!known.has(text)) known.set(text, await mistakeIn(text));
  const found = known.get(text);
  if (!found) return;
  const { kind, line, column, what } = found;
  const place = { file, line, column, pointer: '' };
  if (kind === 'broken') problems.addAt(place, say`The widget cannot be loaded: ${what}`, say`Mend the plugin’s code.`);
  else if (kind === 'node')
    problems.addAt(
      place,
      say`The widget imports "${what}", which browsers do not have.`,
      say`Ask the server by "load" of widgetParts(props).`,
    );
  else problems.addAt(place, say`The widget has no default export.`, say`Write "export default" before its component.`);
}

async function mistakeIn(text: string): Promise<Mistake | null> {
  const start = { line: 1, column: 1 };
  try {
    const { code } = await transform(text, { loader: 'tsx', format: 'esm', logLevel: 'silent' });
    const [, node] = /\bfrom\s*["'](node:[\w/]+)["']/.exec(code) ?? [];
    if (node !== undefined) return { kind: 'node', ...lineOf(text, node), what: node };
    return /\bas default\b|\bexport default\b/.test(code) ? null : { kind: 'default', ...start, what: '' };
  } catch (error) {
    const [first] = (error as TransformFailure).errors; // transform throws nothing else
    const { line, column } = first?.location ?? { line: 1, column: 0 };
    return { kind: 'broken', line, column: column + 1, what: first?.text ?? '' };
  }
}

function lineOf(text: string, part: string) {
  return { line: text.slice(0, text.indexOf(part)).split('\n').length, column: 1 };
}
