import { getLocation, parse } from 'jsonc-parser';
import { formatAt, keysOf, valuesOf, type Offer } from './format-walk.ts';
import type { PlaceInFile } from './known-names.ts';

/** What may be written at a place of a JSON text, and the piece of the text that it takes the place of. */
export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly offers: readonly (Offer & { readonly insert: string })[];
}

/** The keys and values that fit where the caret stands: those of the format, and names of the set. Keys that stand there already are left out. */
export function completionsAt(
  text: string,
  caret: number,
  {
    file,
    format,
    names,
  }: { file: string; format: Readonly<Record<string, unknown>>; names: (place: PlaceInFile) => readonly string[] },
): Completions | null {
  const { path, isAtPropertyKey: isKey, previousNode: node } = getLocation(text, caret);
  const isInside = node !== undefined && node.offset < caret && caret <= node.offset + node.length;
  const isText = isInside && text[node.offset] === '"';
  const isClosed = isText && node.length > 1 && text[node.offset + node.length - 1] === '"';
  if (isClosed && caret === node.offset + node.length) return null; // behind its end
  const content: unknown = parse(text);
  const own = names({ file, path, isKey, content }).map((name): Offer => ({
    label: isKey ? name : JSON.stringify(name),
  }));
  const parts = formatAt(format, isKey ? path.slice(0, -1) : path);
  const there = isKey ? keysIn(content, path.slice(0, -1)) : [];
  const offers = [...own, ...(isKey ? keysOf(format, parts) : valuesOf(parts))].filter(
    ({ label }, index, all) =>
      (!there.includes(label) || label === path.at(-1)) && all.findIndex((other) => other.label === label) === index,
  );
  if (offers.length === 0) return null;
  const from = isInside ? node.offset : caret;
  const to = isInside ? (isText && !isClosed ? caret : node.offset + node.length) : caret;
  return {
    from,
    to,
    offers: offers.map((offer) => {
      const written = isKey ? JSON.stringify(offer.label) : offer.label;
      const isNew = isKey && !/^\s*:/.test(text.slice(to));
      return { ...offer, label: written, insert: isNew ? `${written}: ` : written };
    }),
  };
}

function keysIn(content: unknown, path: readonly (string | number)[]): readonly string[] {
  const object = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[step] : undefined,
    content,
  );
  return typeof object === 'object' && object !== null && !Array.isArray(object) ? Object.keys(object) : [];
}
