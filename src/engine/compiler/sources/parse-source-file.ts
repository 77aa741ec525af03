import { createScanner, parseTree, type Node, type ParseError } from 'jsonc-parser';
import { escapePointer } from '../../core/json-pointer.ts';
import { type Json } from '../../core/json.ts';
import { explainSyntaxError } from './json-syntax.ts';
import { type ProblemExplanation, explain, localize, type LocalizedText } from './localized-text.ts';
import type { ProblemCollector } from './problem-collector.ts';
import { type SourceFile, toLineAndColumn } from './source-file.ts';

/** Cyrillic and Greek letters that look like Latin letters, each with the Latin letter. */
const lookalikes = new Map(
  'аa еe оo рp сc уy хx іi ѕs јj АA ВB ЕE КK МM НH ОO РP СC ТT ХX οo νv αa ΑA ΒB ΕE ΟO ΡP ΤT'
    .split(' ')
    .map(([other = '', latin = '']) => [other, latin] as const),
);

/** Pattern of invisible characters and of characters that change the text direction. Allows U+200D between emoji. */
const invisibleCharacter =
  /[\u00ad\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d/u;

/** Pattern of blanks other than the ordinary space. */
const unusualBlank = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;

/** Pattern of an unusual blank that separates two words, or is at the end of a text. Those beside digits may be intended, as in "5 %". */
const misplacedBlank = new RegExp(
  String.raw`^(?:${unusualBlank.source})|(?<=[\p{L}\p{Pf}\p{Pe}"][.,;:]?)(?:${unusualBlank.source})(?=[\p{L}\p{Pi}\p{Ps}]|[^\P{Po}!?:;%])|(?:${unusualBlank.source})$`,
  'u',
);

/** Pattern of letters that consist of two characters: a letter and its accent. */
const splitLetter = /\p{L}\p{M}+/gu;

/** Pattern of characters that join two or three letters, which PDF documents contain: "ﬁ". */
const ligature = /[\ufb00-\ufb06]/gu;

/** Pattern of the replacement character, and of UTF-8 that was decoded as Latin 1: "Ã³" for "ó". */
const brokenLetter =
  /\ufffd|Ã[\u0080-\u00bf\u0192\u02c6\u2018-\u201e\u2030\u2039\u0160\u0161\u0153]|Â[\u00a0-\u00bf]|â€[\u0080-\u2122]/u;

/** Maximum length of a text that a message quotes, in characters. */
const longestQuote = 60;

/** Matches a Cyrillic or Greek letter. Some of these letters look like Latin ones. */
const otherLetter = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Finds a misleading character in a text, or in a string literal of a file. Allows escape sequences, which are visible. Returns `null` if there is none. */
export function findMisleadingCharacter(written: string, isKey: boolean): ProblemExplanation | null {
  const clean = () =>
    written
      .replaceAll(new RegExp(invisibleCharacter, 'gu'), '')
      .replaceAll(new RegExp(unusualBlank, 'gu'), ' ')
      .replaceAll(splitLetter, (letter) => letter.normalize('NFC'))
      .replaceAll(ligature, (letters) => letters.normalize('NFKC'))
      .replaceAll(/\p{L}/gu, (letter) => lookalikes.get(letter) ?? letter)
      .trim();
  const refuse = (message: LocalizedText) => ({ message, hint: localize`Type it again by hand: "${clean()}".` });
  const [broken] = brokenLetter.exec(written) ?? [];
  if (broken !== undefined)
    return {
      message: localize`"${written.slice(0, longestQuote)}" contains "${broken}": it was saved in another encoding.`,
      hint: localize`Type the letter again, and save the file as UTF-8.`,
    };
  const [sign] = invisibleCharacter.exec(written) ?? [];
  if (sign !== undefined)
    return refuse(localize`"${clean()}" contains an invisible character (${formatCodePoint(sign)}).`);
  const split = written.match(splitLetter)?.find((letter) => letter !== letter.normalize('NFC'));
  if (split !== undefined)
    return refuse(
      localize`In "${clean()}", "${split.normalize('NFC')}" consists of two characters, the letter and the accent (${formatCodePoint(split.slice(-1))}).`,
    );
  const [joined] = written.match(ligature) ?? [];
  if (joined !== undefined)
    return refuse(
      localize`In "${clean()}", "${joined.normalize('NFKC')}" is a single character (${formatCodePoint(joined)}).`,
    );
  const [blank] = (isKey ? unusualBlank : misplacedBlank).exec(written) ?? [];
  if (blank !== undefined)
    return refuse(localize`"${clean()}" contains a space that is not the ordinary one (${formatCodePoint(blank)}).`);
  const isMixed = !written.includes('[') && otherLetter.test(written); // skip text with brackets: a character class of a pattern may mix alphabets
  const words = isMixed ? (written.match(/\p{L}+/gu) ?? []) : [];
  const foreign = words.flatMap((word) => (/\p{Script=Latin}/u.test(word) ? (otherLetter.exec(word) ?? []) : []))[0];
  if (foreign !== undefined)
    return refuse(
      localize`"${written}" contains a letter of another alphabet that looks like a Latin one: ${foreign} (${formatCodePoint(foreign)}).`,
    );
  return isKey && written !== written.trim()
    ? refuse(localize`The key "${written}" begins or ends with a space.`)
    : null;
}

function formatCodePoint(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Maximum nesting depth of a JSON file. No definition needs as many levels, and the stack of the parser allows far more. */
const maxDepth = 100;

/** If the file could not be read, `bytes` is the error message. Reports a problem and returns `null` for invalid JSON. */
export function parseSourceFile(
  file: string,
  bytes: Uint8Array | string,
  problems: ProblemCollector,
): SourceFile | null {
  const refuse = (place: { line: number; column: number }) => (problem: ProblemExplanation) => {
    problems.addAt({ file, ...place, pointer: '' })(problem);
    return null;
  };
  if (typeof bytes === 'string')
    return refuse({ line: 1, column: 1 })(explain`The file cannot be read: ${bytes}.
      Check its type and its permissions.`);
  const text = new TextDecoder().decode(bytes); // also removes a byte order mark
  const wrongLine = text.includes('\ufffd') ? findInvalidUtf8Line(bytes) : null; // the decoder replaces invalid bytes with U+FFFD
  if (wrongLine !== null)
    return refuse({ line: wrongLine, column: 1 })(explain`The file is not written in UTF-8.
      Save it as UTF-8. The first invalid character is on this line.`);
  const deep = findTooDeepOffset(text, maxDepth);
  if (deep !== null)
    return refuse(toLineAndColumn(text, deep))(explain`This is nested deeper than ${maxDepth} levels.
      Look for a bracket or brace that is repeated.`);
  try {
    return createSourceFile(file, text, JSON.parse(text) as Json); // cast: `JSON.parse` returns `any`
  } catch {
    const errors: ParseError[] = [];
    parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
    const { offset, ...explanation } = explainSyntaxError(text, errors[0]);
    return refuse(toLineAndColumn(text, offset))(explanation);
  }
}

/** Parses the positions of the values only if they are needed: few files have problems, and `JSON.parse` is much faster. */
function createSourceFile(path: string, text: string, value: Json): SourceFile {
  let tree: Node | undefined;
  return {
    path,
    text,
    value,
    get tree() {
      return (tree ??= parseTree(text));
    },
  };
}

/** Reports duplicate keys, keys that objects inherit, numbers out of range, and misleading characters. Returns whether there are none. */
export function reportSuspiciousJson(file: SourceFile, problems: ProblemCollector): boolean {
  const before = problems.list.length;
  const report = (at: Node | undefined, pointer: string) => (problem: ProblemExplanation) =>
    problems.addAt({ file: file.path, ...toLineAndColumn(file.text, at?.offset ?? 0), pointer })(problem);
  const reportHidden = (node: Node | undefined, pointer: string, isKey: boolean): void => {
    const hidden =
      node && findMisleadingCharacter(file.text.slice(node.offset + 1, node.offset + node.length - 1), isKey);
    if (hidden) report(node, pointer)(hidden);
  };
  const visit = (node: Node, pointer: string): void => {
    if (node.type === 'string') reportHidden(node, pointer, false);
    const reportNode = report(node, pointer);
    if (node.type === 'number' && !Number.isFinite(node.value))
      reportNode(explain`The number is too large.
        Write a smaller number.`);
    const seen = new Map<string, Node>();
    node.children?.forEach((child, index) => {
      if (node.type !== 'object') return visit(child, `${pointer}/${index}`);
      const [key, value] = child.children ?? [];
      const name = String(key?.value);
      const at = `${pointer}/${escapePointer(name)}`;
      const reportKey = report(key, at);
      reportHidden(key, at, true);
      const first = seen.get(name);
      const isPart = (pointer === '' || name.startsWith('ui:')) && value?.children !== undefined; // a word of the format, which cannot be renamed
      if (first)
        reportKey(explain`The key "${name}" appears twice in the same object.
          ${isPart ? localize`Move what is in this one to the one in line ${toLineAndColumn(file.text, first.offset).line}.` : localize`Remove or rename one of them.`}`);
      if (name in Object.prototype)
        reportKey(explain`A key cannot be called "${name}".
          Every object already has a property with this name: choose another.`);
      if (!first && key) seen.set(name, key);
      if (value) visit(value, at);
    });
  };
  if (file.tree) visit(file.tree, '');
  return problems.list.length === before;
}

function findInvalidUtf8Line(bytes: Uint8Array): number | null {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let line = 1, start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    const next = end < 0 ? bytes.length : end + 1;
    try {
      decoder.decode(bytes.subarray(start, next));
    } catch {
      return line;
    }
    start = next;
  }
  return null;
}

/** Returns the offset at which the nesting first exceeds `limit`. Returns `null` if it never does. */
function findTooDeepOffset(text: string, limit: number): number | null {
  if ((text.match(/[{[]/g)?.length ?? 0) <= limit) return null;
  const scanner = createScanner(text, true);
  let depth = 0;
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const sign = text[scanner.getTokenOffset()] ?? ' ';
    if ('{['.includes(sign)) depth += 1;
    else if ('}]'.includes(sign)) depth -= 1;
    if (depth > limit) return scanner.getTokenOffset();
  }
  return null;
}
