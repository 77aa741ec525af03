import { structuredPatch } from 'diff';

const kept = [
  'type',
  'name',
  'role',
  'href',
  'for',
  'id',
  'value',
  'autocomplete',
  'placeholder',
  'inputmode',
  'maxlength',
  'disabled',
  'readonly',
  'checked',
  'selected',
  'rows',
  'data-screen',
  'data-field',
  'data-tone',
  'data-intent',
];
const voids = new Set(['input', 'br', 'img']);

/** Formats a rendered screen for snapshots: structure, texts and accessible names, without styles and generated ids. */
export function formatOutline(node: Node, depth = 0): string {
  const indent = '  '.repeat(depth);
  if (node.nodeType === 3) {
    const text = node.textContent?.replaceAll('\u2060', '').trim(); // removes word joiners, which are invisible
    return text ? `${indent}${text}\n` : '';
  }
  if (!(node instanceof Element)) return '';
  const children = [...node.childNodes].map((child) => formatOutline(child, depth + 1)).join('');
  const isPlain = !children.includes('<') && children.indexOf('\n') === children.length - 1;
  const name = node.tagName.toLowerCase();
  const attributes = [...node.attributes]
    .filter(({ name: key }) => kept.includes(key) || key.startsWith('aria-'))
    .map(({ name: key, value }) => ` ${key}="${value.replace(/(_r_\w+_|:r\w+:|checkbox-\S+|field-\S*_r_\S+)/g, '…')}"`)
    .sort()
    .join('');
  if (['div', 'span', 'svg'].includes(name) && attributes === '')
    return name === 'svg' ? '' : [...node.childNodes].map((child) => formatOutline(child, depth)).join('');
  if (voids.has(name)) return `${indent}<${name}${attributes}>\n`;
  const content = isPlain ? children.trim() : `\n${children}${indent}`;
  return `${indent}<${name}${attributes}>${content}</${name}>\n`;
}

const tag = /<(?:"[^"]*"|[^">])*>/g;
const spoken = /\b(?:aria-label|aria-roledescription|aria-valuetext|placeholder|title|alt)="([^"]*)"/g;

/** Returns the distinct texts in an outline, in order: visible texts and accessible names. */
export function listWords(outlined: string): string {
  const lines = outlined
    .replaceAll(tag, (text) => `\n${[...text.matchAll(spoken)].map(([, words = '']) => words).join('\n')}\n`)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}/u.test(line));
  return [...new Set(lines)].map((line) => `${line}\n`).join('');
}

/** Returns the differing lines of two outlines, each group with one line of context. */
export function formatDifferences(from: string, to: string): string {
  const { hunks } = structuredPatch('', '', from, to, '', '', { context: 1 });
  return hunks.map(({ lines }) => lines.map((line) => `${line}\n`).join('')).join('@@\n');
}
