interface Paragraph {
  readonly text: string;
  readonly line: number;
}

/** Returns the paragraphs of a mail or page, of which the front matter is one. */
export function listParagraphs(text: string): readonly Paragraph[] {
  return [...text.matchAll(/.+(?:\n.+)*/g)].map(({ 0: paragraph, index }) => {
    return { text: paragraph, line: text.slice(0, index).split('\n').length };
  });
}

interface Alignment {
  readonly score: number;
  /** Indexes of the first paired texts. */
  readonly pair?: readonly [index: number, other: number];
  readonly rest?: Alignment;
}

/** Pairs the texts of two lists in order, with the maximal sum of scores. Returns the index in `others` by the index of each paired text. */
export function alignTexts(
  texts: readonly string[],
  others: readonly string[],
  score: (text: string, other: string) => number,
): ReadonlyMap<number, number> {
  const empty: Alignment = { score: 0 };
  const alignments = [...others, ''].map(() => empty); // the best alignment of the texts from the current one with the others from each index
  for (let index = texts.length - 1; index >= 0; index -= 1) {
    let rest = empty; // the best alignment of what comes after both texts
    for (let other = others.length - 1; other >= 0; other -= 1) {
      const [withoutText = empty, withoutOther = empty] = alignments.slice(other, other + 2);
      const sum = rest.score + score(texts[index] ?? '', others[other] ?? '');
      const paired: Alignment = { score: sum, pair: [index, other], rest };
      rest = withoutText;
      alignments[other] = [paired, withoutText, withoutOther].reduce((best, own) =>
        own.score > best.score ? own : best,
      );
    }
  }
  const pairs = new Map<number, number>();
  for (let [own] = alignments; own?.pair; own = own.rest) pairs.set(...own.pair);
  return pairs;
}
