import { after } from '../../platform/base/clock.ts';
import { instantAt } from '../../../contract/written/dates.ts';

/** Opening hours within a day, in official time (HH:mm), and the number of simultaneous calls. */
export interface Hours {
  readonly opens: string;
  readonly closes: string;
  readonly places: number;
}

export interface Slot {
  readonly startsAt: Date;
  readonly places: number;
}

/** Returns the slots of a date in order: back to back from each opening until closing time. Overlapping opening hours add up their places. */
export function listSlots(date: string, hours: readonly Hours[], minutes: number): readonly Slot[] {
  const places = new Map<number, number>();
  for (const { opens, closes, places: more } of hours) {
    const end = instantAt(date, closes);
    for (let at = instantAt(date, opens); after(at, minutes * 60) <= end; at = after(at, minutes * 60)) {
      if (more > 0) places.set(at.getTime(), (places.get(at.getTime()) ?? 0) + more);
    }
  }
  return [...places].sort(([a], [b]) => a - b).map(([at, count]) => ({ startsAt: new Date(at), places: count }));
}
