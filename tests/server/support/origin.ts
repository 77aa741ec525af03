import type { Origin } from '../../../src/server/platform/base/origin.ts';

export type OriginOverrides = Partial<Pick<Origin, 'address' | 'userAgent' | 'language' | 'requestId'>>;

export function createOrigin(changes: Partial<Origin> = {}): Origin {
  return {
    by: { citizenId: null },
    address: '192.0.2.1',
    userAgent: '',
    language: 'es',
    requestId: 'test',
    ...changes,
  };
}
