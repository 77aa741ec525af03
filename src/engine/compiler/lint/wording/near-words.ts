/** Minimum number of occurrences of a word that counts as correct. */
const known = { accent: 3, letter: 6 } as const;
/** Minimum length in letters. Shorter words often differ by one letter. */
const shortest = { accent: 6, letter: 7 } as const;

/** Learns correct spellings from word counts. Returns a function that suggests the probable correct spelling of a rare word. */
export function nearWords(counts: ReadonlyMap<string, number>): (word: string) => string | undefined {
  const accented = new Map<string, string>();
  const byGap = new Map<string, string[]>();
  for (const [word, count] of counts) {
    // a final accent distinguishes tenses: ingreso, ingresó
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

/** Returns the word, and the word without each of its letters. */
function gapsOf(word: string): readonly string[] {
  return [word, ...Array.from(word, (_, at) => word.slice(0, at) + word.slice(at + 1))];
}

/** Whether two words differ by one letter, or two swapped ones, away from their ends, where inflected forms differ. */
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
