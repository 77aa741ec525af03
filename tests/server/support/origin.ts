import type { ChangeOrigin } from '../../../src/server/platform/base/change-origin.ts';

export type OriginOverrides = Partial<Pick<ChangeOrigin, 'address' | 'userAgent' | 'language' | 'requestId'>>;

export function createOrigin(changes: Partial<ChangeOrigin> = {}): ChangeOrigin {
  return {
    by: { citizenId: null },
    address: '192.0.2.1',
    userAgent: '',
    language: 'es',
    requestId: 'test',
    ...changes,
  };
}
