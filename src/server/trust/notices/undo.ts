import { isObject } from '../../../engine/core/json.ts';

/** What the link of a notice disavows, as its token holds it. */
export interface Undo {
  /** The number of the change. */
  readonly change: number;
  /** The address that was told. */
  readonly email: string;
}

/** Writes an undo as the subject of a link token. */
export function writeUndo(undo: Undo): string {
  return JSON.stringify(undo);
}

/** Reads the subject of a link token; null for one that is no undo. */
export function readUndo(subject: string): Undo | null {
  const value: unknown = JSON.parse(subject);
  if (!isObject(value) || typeof value['email'] !== 'string' || typeof value['change'] !== 'number') return null;
  return { email: value['email'], change: value['change'] };
}
