/** A token of a pattern outside of classes: an escape, a quantifier with braces, a class, or a character. */
const token = /\\[pPu]\{[^}]*\}|\\.|\{\d+(?:,\d*)?\}|\[(?:\\.|[^\]\\])*\]|[^]/gsu;

/** A token inside a class. */
const member = /\\[pPu]\{[^}]*\}|\\.|[^]/gsu;

/**
 * Rewrites a pattern that is only valid without the flag `u` to be valid with it: needless escapes, literal braces and brackets, and hyphens beside a
 * set in a class (ECMA-262, Annex B.1.2). Returns other patterns unchanged.
 */
export function unicodePattern(pattern: string): string {
  if (isExpression(pattern, 'u') || !isExpression(pattern) || posixClass.test(pattern)) return pattern;
  const mended = [...pattern.matchAll(token)].map(([part]) => outside(part)).join('');
  return isExpression(mended, 'u') ? mended : pattern;
}

/** A POSIX class, which JavaScript reads as a class of its letters. */
const posixClass = /\[:[a-z]+:\]/;

/** Returns the first letter escape that is invalid with the flag `u`, or the first POSIX class. Returns `undefined` if there is none. */
export function unknownEscape(pattern: string): string | undefined {
  const [posix] = posixClass.exec(pattern) ?? [];
  if (posix !== undefined) return posix;
  const escapes = [...pattern.matchAll(member)].map(([part]) => part);
  return escapes.find((part) => /^\\[a-zA-Z]$/.test(part) && !isExpression(part, 'u') && isExpression(part));
}

function outside(part: string): string {
  if (part.length === 1) return '{}]'.includes(part) ? `\\${part}` : part;
  return part.startsWith('[') ? `[${inClass(part.slice(1, -1))}]` : withoutNeedlessEscape(part, part);
}

function inClass(members: string): string {
  const parts = [...members.matchAll(member)].map(([part]) => part);
  const isSet = (part: string | undefined) => part !== undefined && /^\\[dDsSwWpP]/.test(part);
  return parts
    .map((part, index) => {
      const isBetween = index > 0 && index < parts.length - 1;
      if (part === '-' && isBetween && (isSet(parts[index - 1]) || isSet(parts[index + 1]))) return '\\-';
      return withoutNeedlessEscape(part, `[${part}]`);
    })
    .join('');
}

function withoutNeedlessEscape(part: string, place: string): string {
  return /^\\[^a-zA-Z0-9]$/u.test(part) && !isExpression(place, 'u') ? part.slice(1) : part;
}

function isExpression(pattern: string, flags = ''): boolean {
  try {
    return Boolean(new RegExp(pattern, flags));
  } catch {
    return false;
  }
}
