/** Longest stretch of a known text that is compared, in characters: none of it makes a password's ratio high from further on. */
const longest = 256;
/** Longest stretch of the secret that is compared, in characters as they are after folding. */
const longestSecret = 128;
/** Most parts of a known text that are compared, the longest first. */
const mostParts = 16;

/** A secret as it is compared: without regard to letter case and accents. */
export function foldSecret(text: string): string {
  return cut(fold(text), longestSecret);
}

/** What a known text says: the whole, what stands before its "@", and each run of letters and digits. */
export function partsOf(text: string): readonly string[] {
  const folded = fold(text);
  const runs = folded.split(/[^\p{L}\p{N}]+/u).sort((a, b) => b.length - a.length);
  return [folded, folded.slice(0, Math.max(0, folded.indexOf('@'))), ...runs.slice(0, mostParts)].filter(
    (part) => part !== '',
  );
}

/** Names written as one: each selection of them in their order, begun anywhere: "anapereira", "pereirasosaana". */
export function joinsOf(names: readonly string[]): readonly string[] {
  const folded = names
    .map((name) => cut(fold(name).replace(/[^\p{L}\p{N}]+/gu, ''), longest))
    .filter((name) => name !== '');
  const turns = folded.map((_, start) => [...folded.slice(start), ...folded.slice(0, start)]);
  return [...new Set(turns.flatMap(selectionsOf))];
}

/** The selections of two names and more that hold the first one. */
function selectionsOf([first = '', ...others]: readonly string[]): readonly string[] {
  const selections = others.reduce<readonly string[]>(
    (made, name) => [...made, ...made.map((text) => text + name)],
    [first],
  );
  return selections.slice(1);
}

/** Cut before, since a character may become eighteen, and behind, since it may be one that did. */
function fold(text: string): string {
  return cut(cut(text, longest).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(), longest);
}

/** The first characters of a text, none of them in half. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : Array.from(text.slice(0, 2 * length))
        .slice(0, length)
        .join('');
}
