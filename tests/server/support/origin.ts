import type { Origin } from '../../../src/server/platform/base/origin.ts';

/** What a request of a test may say of its origin, beside the rest. */
export type Told = Partial<Pick<Origin, 'address' | 'userAgent' | 'language' | 'requestId'>>;

/** Where the requests of tests come from. */
export function testOrigin(changes: Partial<Origin> = {}): Origin {
  return {
    by: { citizenId: null },
    address: '192.0.2.1',
    userAgent: '',
    language: 'es',
    requestId: 'test',
    ...changes,
  };
}
