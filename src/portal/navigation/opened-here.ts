import { isObject } from '../../engine/core/json.ts';

/** Whether no page of the portal lies before this one in the history of the tab: the router counts its entries from 0. */
export function openedHere(): boolean {
  const entry: unknown = window.history.state;
  return !isObject(entry) || typeof entry.idx !== 'number' || entry.idx === 0;
}
