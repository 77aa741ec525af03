import { after } from '../../platform/base/clock.ts';
import { instantAt } from '../../platform/base/zone.ts';

/** A stretch of a day in which citizens are attended, in official time (HH:mm), and how many of them at once. */
export interface Hours {
  readonly opens: string;
  readonly closes: string;
  readonly places: number;
}

/** A time at which calls begin, and how many at once. */
export interface Slot {
  readonly startsAt: Date;
  readonly places: number;
}

/**
 * The times of a date at which calls of a length begin, first to last: one after the other from each opening on, as long as they end by the
 * closing. Stretches that overlap add their places where their times are the same.
 */
export function slotsOf(date: string, hours: readonly Hours[], minutes: number): readonly Slot[] {
  const places = new Map<number, number>();
  for (const { opens, closes, places: more } of hours) {
    const end = instantAt(date, closes);
    for (let at = instantAt(date, opens); after(at, minutes * 60) <= end; at = after(at, minutes * 60)) {
      if (more > 0) places.set(at.getTime(), (places.get(at.getTime()) ?? 0) + more);
    }
  }
  return [...places].sort(([a], [b]) => a - b).map(([at, count]) => ({ startsAt: new Date(at), places: count }));
}
