/** Number of characters that are compared of a known text. Anything after them cannot make the similarity ratio high. */
const longest = 256;
/** Number of characters that are compared of the secret, after folding. */
const longestSecret = 128;
/** Highest number of parts of a known text that are compared, the longest first. */
const mostParts = 16;

/** Removes case and accents from a secret for the comparison. */
export function foldSecret(text: string): string {
  return cut(fold(text), longestSecret);
}

/** Returns the text itself, the part before its "@", and each run of letters and digits. */
export function splitWords(text: string): readonly string[] {
  const folded = fold(text);
  const runs = folded.split(/[^\p{L}\p{N}]+/u).sort((a, b) => b.length - a.length);
  return [folded, folded.slice(0, Math.max(0, folded.indexOf('@'))), ...runs.slice(0, mostParts)].filter(
    (part) => part !== '',
  );
}

/** Concatenates names: each selection of two or more in their cyclic order, such as "anapereira" and "pereirasosaana". */
export function joinNames(names: readonly string[]): readonly string[] {
  const folded = names
    .map((name) => cut(fold(name).replace(/[^\p{L}\p{N}]+/gu, ''), longest))
    .filter((name) => name !== '');
  const turns = folded.map((_, start) => [...folded.slice(start), ...folded.slice(0, start)]);
  return [...new Set(turns.flatMap(selectNames))];
}

/** Concatenates each selection of two or more names that includes the first. */
function selectNames([first = '', ...others]: readonly string[]): readonly string[] {
  const selections = others.reduce<readonly string[]>(
    (made, name) => [...made, ...made.map((text) => text + name)],
    [first],
  );
  return selections.slice(1);
}

/** Truncated before and after: one character may decompose into eighteen. */
function fold(text: string): string {
  return cut(cut(text, longest).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(), longest);
}

/** Returns the first characters of a text. Does not split surrogate pairs. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : Array.from(text.slice(0, 2 * length))
        .slice(0, length)
        .join('');
}
