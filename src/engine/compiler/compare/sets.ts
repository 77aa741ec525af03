export function differenceOf(
  before: Iterable<string>,
  after: Iterable<string>,
): { readonly gone: readonly string[]; readonly come: readonly string[]; readonly both: readonly string[] } {
  const [old, now] = [new Set(before), new Set(after)];
  return {
    gone: [...old].filter((name) => !now.has(name)),
    come: [...now].filter((name) => !old.has(name)),
    both: [...now].filter((name) => old.has(name)),
  };
}
