import { printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { Localized } from '../localized.ts';
import { say } from './say.ts';

/** What to write where a text is no JSON, by what stands at the place of the parser's first error. */
export function mendOf(text: string, { error, offset }: ParseError): Localized {
  const [sign = '', before = ''] = [text.charAt(offset), text.slice(0, offset).trimEnd().slice(-1)];
  const code = printParseErrorCode(error);
  if (/[“”„«»‘’]/.test(sign)) return say`A word processor writes ${sign}: write straight quotes ("), as in "title".`;
  if (sign === "'") return say`Write double quotes ("), not single ones.`;
  if (code === 'InvalidEscapeCharacter') return say`Write each backslash of a pattern twice: "\\\\d", not "\\d".`;
  if (code === 'InvalidCommentToken') return say`JSON has no comments: write "$comment": "…", or remove it.`;
  if (before === ',' && /[\]}]/.test(sign)) return say`Remove the comma before this ${sign}: nothing follows it.`;
  if (code === 'CommaExpected') return say`Write a comma before this place.`;
  return say`Look for a missing or spare comma, quote or brace at or just before this place.`;
}
