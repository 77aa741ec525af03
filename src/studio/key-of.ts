/** Derives a key from a label, e.g. `numero_de_tramite`. Appends a number if it is taken. */
export function keyOf(text: string, joint: '_' | '-', taken: readonly string[] = []): string {
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const words = plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
  const key = words.join(joint).slice(0, 60).replace(/[_-]$/, '');
  if (!taken.includes(key)) return key;
  let number = 2;
  while (taken.includes(`${key}${joint}${number}`)) number += 1;
  return `${key}${joint}${number}`;
}
