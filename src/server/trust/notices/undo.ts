import { isObject } from '../../../engine/core/json.ts';

/** Target of a disavowal link, stored as the subject of its token. */
export interface Undo {
  /** The id of the record in `credential_changes`. */
  readonly change: number;
  /** The address that the notice was sent to. */
  readonly email: string;
}

export function writeUndo(undo: Undo): string {
  return JSON.stringify(undo);
}

export function readUndo(subject: string): Undo | null {
  const value: unknown = JSON.parse(subject);
  if (!isObject(value) || typeof value['email'] !== 'string' || typeof value['change'] !== 'number') return null;
  return { email: value['email'], change: value['change'] };
}
