import { isObject } from '../../core/json.ts';
import type { SourceFile } from '../sources/source-file.ts';

export function textTable(file: SourceFile | null | undefined, key?: string): Readonly<Record<string, string>> {
  const value = key === undefined ? file?.value : isObject(file?.value) ? file.value[key] : undefined;
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
