/** How often a word must stand to be known. */
const known = { accent: 3, letter: 6 } as const;
/** Shorter words have others that differ by a letter. */
const shortest = { accent: 6, letter: 7 } as const;

/** Learns from how often each word of a language stands which ones are written right, and answers the one that a rare word was probably meant to be. */
export function nearWords(counts: ReadonlyMap<string, number>): (word: string) => string | undefined {
  const accented = new Map<string, string>();
  const byGap = new Map<string, string[]>();
  for (const [word, count] of counts) {
    // an accent at the end distinguishes tenses: ingreso, ingresó
    if (count >= known.accent && plain(word) !== word && plain(word).at(-1) === word.at(-1))
      accented.set(plain(word), word);
    if (count < known.letter || word.length < shortest.letter) continue;
    for (const gap of gapsOf(word)) byGap.set(gap, [...(byGap.get(gap) ?? []), word]);
  }
  return (word) => {
    if (word.length >= shortest.accent && accented.has(word)) return accented.get(word);
    if (word.length < shortest.letter - 1) return undefined;
    const candidates = [word, ...gapsOf(word)].flatMap((gap) => byGap.get(gap) ?? []);
    return candidates.find((candidate) => plain(candidate) !== plain(word) && isSlip(word, candidate));
  };
}

function plain(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '');
}

/** A word with each of its letters left out, and the word itself. */
function gapsOf(word: string): readonly string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/** One letter too many, too few or another one, or two exchanged, inside of a word: at its ends it is another form of it. */
function isSlip(a: string, b: string): boolean {
  const [one, other] = [plain(a), plain(b)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [rest, otherRest] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (start < 2 || end < 3) return false;
  const isExchange = rest.length === 2 && rest === [...otherRest].reverse().join('');
  return isExchange || rest.length + otherRest.length === 1;
}
