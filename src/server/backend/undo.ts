import { isObject } from '../../engine/core/json.ts';

/** What a 'No fui yo' undoes beside ending every session and the password: ids of what was added. */
export interface Undo {
  readonly factor?: string;
  readonly passkey?: string;
  /** The account was to be closed. */
  readonly closure?: true;
}

/** As a link token holds it: with the address that was told, which the account goes back to. */
export interface StoredUndo extends Undo {
  readonly email: string;
}

/** Writes an undo as the subject of a link token. */
export function writeUndo(undo: StoredUndo): string {
  return JSON.stringify(undo);
}

/** Reads the subject of a link token; null for one that is no undo. */
export function readUndo(subject: string): StoredUndo | null {
  const value: unknown = JSON.parse(subject);
  if (!isObject(value) || typeof value['email'] !== 'string') return null;
  const { email, factor, passkey, closure } = value;
  return { email, ...(typeof factor === 'string' && { factor }), ...(typeof passkey === 'string' && { passkey }), ...(closure === true && { closure }) };
}
