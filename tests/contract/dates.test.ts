import { describe, expect, test } from 'vitest';
import { formatMoment } from '../../src/contract/written/dates.ts';

describe('[SEG-04] a moment is written in official Uruguayan time', () => {
  test.each([
    ['UTC', '2026-03-02T15:04:59Z', '02/03/2026, 12:04\u00a0hs'],
    ['the night before', '2026-03-02T01:30:00Z', '01/03/2026, 22:30\u00a0hs'],
    ['the year before', '2026-01-01T02:59:00Z', '31/12/2025, 23:59\u00a0hs'],
    ['already in its time', '2026-03-02T15:04:00-03:00', '02/03/2026, 15:04\u00a0hs'],
    ['in another offset', '2026-03-02T15:04:00+09:00', '02/03/2026, 03:04\u00a0hs'],
    ['midnight', '2026-03-02T03:00:00Z', '02/03/2026, 00:00\u00a0hs'],
    ['of a summer with its own time', '2014-01-10T12:00:00Z', '10/01/2014, 10:00\u00a0hs'],
  ])('%s', (_, moment, text) => {
    expect(formatMoment(moment)).toBe(text);
  });

  test.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])('wherever the reader is: %s', (zone) => {
    const before = process.env.TZ;
    process.env.TZ = zone;
    expect(formatMoment('2026-03-02T15:04:00Z')).toBe('02/03/2026, 12:04\u00a0hs');
    process.env.TZ = before;
  });
});
