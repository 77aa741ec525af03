import { createScanner, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { explain, localize, type LocalizedText, type ProblemExplanation } from './localized-text.ts';

interface SyntaxProblem extends ProblemExplanation {
  readonly offset: number;
}

/** JSON spellings of constants, by their spelling in other languages. */
const constants: Readonly<Record<string, string>> = {
  True: 'true',
  TRUE: 'true',
  verdadero: 'true',
  sí: 'true',
  False: 'false',
  FALSE: 'false',
  falso: 'false',
  no: 'false',
  None: 'null',
  Null: 'null',
  NULL: 'null',
  undefined: 'null',
};

/** Signs that people write in place of JSON's, and the sign that JSON uses. */
const separators: Readonly<Record<string, string>> = { ';': ',', '=': ':' };

/** Explains why a text is not valid JSON. `error` is the parser's first error. There is none if the text is empty. */
export function explainSyntaxError(text: string, error: ParseError | undefined): SyntaxProblem {
  if (text.trim() === '')
    return {
      offset: 0,
      ...explain`The file is empty.
      Write at least {}, or take back an earlier version of the file.`,
    };
  const conflict = /^(?:<{7}|={7}|>{7}|\|{7})(?=[ \r\n]|$)/m.exec(text);
  if (conflict)
    return {
      offset: conflict.index,
      ...explain`The file contains "${conflict[0]}": two versions were merged, and nobody chose one.
      Keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>.`,
    };
  const offset = error?.offset ?? 0;
  const message = localize`This is not valid JSON.`;
  const hint = suggestFix(text, offset, error ? printParseErrorCode(error.error) : '');
  if (hint) return { offset, message, hint };
  const bracket = findBracketProblem(text);
  if (bracket) return { ...bracket, message };
  const end = text.slice(0, offset).trimEnd().length;
  if (error && printParseErrorCode(error.error) === 'CommaExpected')
    return { offset: end, message, hint: localize`Write a comma here.` };
  return {
    offset,
    message,
    hint: localize`Look for a missing or spare comma, quote or brace at or just before this place.`,
  };
}

/** Recognizes a mistake by the signs at the place of the error. Returns `null` if it recognizes none. */
function suggestFix(text: string, offset: number, code: string): LocalizedText | null {
  const sign = text.charAt(offset);
  const trimmed = text.slice(0, offset).trimEnd();
  const [before, previous] = [trimmed.slice(-1), text.charAt(offset - 1)];
  const word = /^[\p{L}_$][\p{L}\p{N}_$:-]*/u.exec(text.slice(offset))?.[0];
  const typographic = typographicQuote.exec(sign)?.[0];
  if (typographic !== undefined) return refuseQuote(typographic);
  if (sign === "'" || sign === '`') return localize`Write double quotes ("), not ${sign}.`;
  if (code === 'UnexpectedEndOfString') return explainOpenString(text.slice(offset));
  if (code === 'InvalidEscapeCharacter') return localize`Write each backslash of a pattern twice: "\\\\d", not "\\d".`;
  if (code === 'InvalidCharacter') return localize`A text cannot contain a tab: write a space.`;
  if (code === 'InvalidCommentToken' || sign === '#')
    return localize`JSON has no comments: write "$comment": "…", or remove it.`;
  if (Object.hasOwn(separators, sign)) return localize`Write "${separators[sign] ?? ''}" in place of "${sign}".`;
  if (word !== undefined) return explainWord(word, text.slice(offset + word.length), text.slice(0, offset), code);
  if (/[.+%\d]/.test(sign) && /\S/.test(previous))
    return localize`Write a number with digits only, without leading zeros, and with a decimal point: 1.5.`;
  if (before === ':' && /[,\]}]/.test(sign)) return localize`Write a value after the colon.`;
  if (sign === ',' && /[,[{]/.test(before)) return localize`Remove this comma: nothing precedes it.`;
  if (before === ',' && /[\]}]/.test(sign)) return localize`Remove the comma before this ${sign}: nothing follows it.`;
  if (code === 'EndOfFileExpected' && /[{["]/.test(sign))
    return localize`Remove what follows: the file has ended here.`;
  return code === 'ColonExpected' ? localize`Write a colon (:) between the key and its value.` : null;
}

/** Explains a bare word, i.e. a word outside of a string. Returns `null` if only the comma before it is missing. */
function explainWord(word: string, after: string, before: string, code: string): LocalizedText | null {
  if (['true', 'false', 'null'].includes(word)) return null;
  if (/"[\w:-]+:\s*"$/.test(before)) return localize`The quote that ends the key is missing.`;
  if (before.endsWith('"'))
    return localize`A quote within a text needs a backslash: write \\"${word}…\\", or use « and ».`;
  if (Object.hasOwn(constants, word)) return localize`Write ${constants[word] ?? ''}, without quotes.`;
  if (/^[^"\n]*"\s*[,:}\]\n]/.test(after)) return localize`The quote before "${word}" is missing.`;
  return code === 'CommaExpected' ? null : localize`Write "${word}" in quotes.`;
}

const typographicQuote = /[“”„«»‘’]/;

function refuseQuote(sign: string): LocalizedText {
  return localize`A word processor writes ${sign}: write straight quotes ("), as in "title".`;
}

/** Explains a text without its closing quote on the same line: the text goes on in the next line, or the quote is missing. */
function explainOpenString(text: string): LocalizedText {
  const [line = '', next = ''] = text.split('\n');
  const quote = typographicQuote.exec(line.trimEnd().replace(/,$/, '').slice(-1))?.[0];
  if (quote !== undefined) return refuseQuote(quote);
  return /^\s*(?:["\]}]|$)/.test(next)
    ? localize`The quote that ends this text is missing.`
    : localize`A text cannot continue on the next line: write it on one line. A paragraph is an item of a list.`;
}

interface Bracket {
  readonly sign: string;
  readonly offset: number;
}

/** Finds the first bracket without its counterpart. A closing one that begins a line belongs to the opening one with its indentation. */
function findBracketProblem(text: string): { readonly offset: number; readonly hint: LocalizedText } | null {
  const brackets = listBrackets(text);
  if (areBalanced(brackets)) return null;
  const open: Bracket[] = [];
  for (const { sign, offset } of brackets) {
    if (sign === '{' || sign === '[') {
      open.push({ sign, offset });
      continue;
    }
    const last = open.pop();
    if (!last) return { offset, hint: localize`Remove this ${sign}: it closes nothing.` };
    const [indent, expected] = [measureIndent(text, offset), measureIndent(text, last.offset)];
    const isFirst = /(?:^|\n)[ \t}\]]*$/.test(text.slice(0, offset)); // only closing brackets may precede it in its line, as in "} },"
    const isPair = (last.sign === '{') === (sign === '}');
    if (isPair && (!isFirst || indent === expected)) continue;
    const isSpare = isPair ? indent > expected : open.at(-1)?.sign !== (sign === '}' ? '{' : '[');
    return isSpare
      ? { offset, hint: localize`Remove this ${sign}, or write the one that closes ${last.sign}.` }
      : explainUnclosed(last);
  }
  const last = open.at(-1);
  return last ? explainUnclosed(last) : null;
}

function listBrackets(text: string): readonly Bracket[] {
  const scanner = createScanner(text, true);
  const brackets: Bracket[] = [];
  while (scanner.getPosition() < text.length) {
    scanner.scan();
    const offset = scanner.getTokenOffset();
    const sign = text.charAt(offset);
    if (/[{}[\]]/.test(sign)) brackets.push({ sign, offset });
  }
  return brackets;
}

function areBalanced(brackets: readonly Bracket[]): boolean {
  const open: string[] = [];
  for (const { sign } of brackets)
    if (sign === '{' || sign === '[') open.push(sign);
    else if (open.pop() !== (sign === '}' ? '{' : '[')) return false;
  return open.length === 0;
}

function explainUnclosed({ sign, offset }: Bracket) {
  return { offset, hint: localize`The ${sign === '{' ? '}' : ']'} that closes this ${sign} is missing.` };
}

/** Returns the number of blanks at the beginning of the line that contains an offset. */
function measureIndent(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0;
}
