import type { JsonObject } from '../../../core/json.ts';
import { defaultWidget } from '../../../core/widgets.ts';
import { uiText } from '../../../core/ui.ts';
import { findLengthRange, slowSign } from '../../sources/patterns.ts';
import { type Explanation, explain, say } from '../../sources/say.ts';
import { fieldRule, reportAt } from '../rule.ts';

/** Reports patterns with super-linear matching time. A few thousand characters would block the page and the server. */
export const ruleSlow = fieldRule('rule/slow', 'E', ({ schema: { pattern }, file, pointer }) => {
  const sign = typeof pattern === 'string' ? slowSign(pattern) : null;
  if (sign === null) return null;
  return reportAt({ file, pointer: `${pointer}/pattern` })(explain`Many "${sign}" in a row take this pattern too long.
    Let each sign be taken in one way: no repetition inside or right behind another one of the same signs.`);
});

/** Reports patterns with likely mistakes: enclosing slashes, missing anchors, or a conflict with the format or length of the field. */
export const rulePattern = fieldRule('rule/pattern', 'W', ({ name, schema, screen, locate }) => {
  const { pattern } = schema;
  if (typeof pattern !== 'string') return null;
  const fault =
    inSlashes(pattern) ??
    acrossCases(pattern) ??
    openEnd(pattern) ??
    againstKind(schema, uiText(screen.ui, name, 'ui:widget')) ??
    againstLengths(schema);
  return fault && reportAt({ ...locate('pattern'), value: fault.mended })(fault);
});

interface Fault extends Explanation {
  readonly mended?: string;
}

function inSlashes(pattern: string): Fault | null {
  const inside = /^\/(.+)\/[a-z]*$/.exec(pattern)?.[1];
  if (inside === undefined) return null;
  const problem = explain`The slashes around this pattern are part of it: a text without them is refused.
    Write it without slashes.`;
  return { ...problem, mended: inside };
}

function acrossCases(pattern: string): Fault | null {
  const [range] = /A-z/.exec(pattern) ?? [];
  if (range === undefined) return null;
  const problem = explain`"A-z" takes the signs between Z and a as well: [ \\ ] ^ _ and the grave accent.
    Write A-Za-z.`;
  return { ...problem, mended: pattern.replaceAll('A-z', 'A-Za-z') };
}

/** A character, class or group at the start of a pattern, with its quantifier. */
const repeatedStart = /^(?:\[(?:\\.|[^\]\\])*\]|\((?:\\.|[^()\\])*\)|\\[pP]\{[^}]*\}|\\.|[^\\()[\]{}|^$])[+*?{]/;

function openEnd(pattern: string): Fault | null {
  const [isBound, isEnded] = [pattern.startsWith('^'), /(?<!\\)\$$/.test(pattern)];
  const parts = alternatives(pattern);
  if (parts.length > 1 && isBound && isEnded && parts.some((part) => !part.startsWith('^') || !part.endsWith('$')))
    return {
      message: say`"^" and "$" each hold for one of the alternatives only: the others are found anywhere in a text.`,
      hint: say`Put the alternatives into brackets: ^(?:a|b)$.`,
      mended: `^(?:${pattern.slice(1, -1)})$`,
    };
  const isAny = (part: string) => /^(?:\.|\[\\s\\S\])[*+]/.test(part) || /(?:\.|\[\\s\\S\])[*+]$/.test(part);
  const opensBefore = !isBound && repeatedStart.test(pattern);
  const opensBehind = !isEnded && /(?:[+*]|\{\d+(?:,\d*)?\})$/.test(pattern);
  if ((!opensBefore && !opensBehind) || isAny(pattern)) return null;
  return {
    message: say`This pattern is open at an end: a text that only holds such a part passes.`,
    hint: say`Write ^ at the beginning and $ at the end.`,
    mended: parts.length > 1 ? `^(?:${pattern})$` : `${isBound ? '' : '^'}${pattern}${isEnded ? '' : '$'}`,
  };
}

/** Splits a pattern at the `|` outside of brackets. */
function alternatives(pattern: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of pattern.match(/\\.|\[(?:\\.|[^\]\\])*\]|./gsu) ?? []) {
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] = `${parts.at(-1) ?? ''}${sign}`;
  }
  return parts;
}

/** Typical values by format or widget. */
const samples: Readonly<Record<string, readonly string[]>> = {
  email: ['ana@correo.uy', 'ana.perez@correo.com.uy', 'a1@b2.org'],
  date: ['2026-01-31', '1999-12-01'],
  uri: ['https://www.correo.uy/ayuda', 'https://correo.uy'],
  uuid: ['0b5e2a1c-7f5d-4c8e-9a2b-1d3f5a7c9e0f', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ipv4: ['192.168.0.1', '10.0.0.20'],
};

function againstKind(field: JsonObject, widget: string = defaultWidget(field)): Fault | null {
  const { pattern, format } = field;
  const kind = typeof format === 'string' && Object.hasOwn(samples, format) ? format : widget;
  const known = Object.hasOwn(samples, kind) ? samples[kind] : undefined;
  const expression = new RegExp(String(pattern), 'u');
  if (!known || known.some((sample) => expression.test(sample))) return null;
  return explain`This pattern refuses what the field asks for: "${known[0] ?? ''}" (${kind}).
    Write a pattern that takes it, or another format or widget.`;
}

function againstLengths({ pattern, minLength, maxLength }: JsonObject): Fault | null {
  const lengths = findLengthRange(String(pattern));
  if (!lengths) return null;
  const isTooLong = typeof maxLength === 'number' && lengths.min > maxLength;
  const isTooShort = typeof minLength === 'number' && lengths.max < minLength;
  if (!isTooLong && !isTooShort) return null;
  return {
    message: isTooLong
      ? say`Nobody can fill this in: the pattern asks for ${lengths.min} signs, and "maxLength" takes ${Number(maxLength)}.`
      : say`Nobody can fill this in: the pattern takes ${lengths.max} signs, and "minLength" asks for ${Number(minLength)}.`,
    hint: say`Change one of the two.`,
  };
}
