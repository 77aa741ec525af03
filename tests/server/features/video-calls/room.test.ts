import { jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { featureFlagDefaults } from '../../../../src/contract/feature-flags.ts';
import type { VideoCall } from '../../../../src/server/features/video-calls/call-records.ts';
import { createCallRoomAccess } from '../../../../src/server/features/video-calls/call-access.ts';

const startsAt = new Date('2026-12-01T13:30:00Z');
const call: VideoCall = {
  id: 'B7E1C0DE-0000-4000-8000-000000000001',
  kind: 'elevation',
  state: 'Agendado',
  startsAt,
  endsAt: new Date('2026-12-01T13:50:00Z'),
  citizenId: 'c',
  document: { country: 'uy', type: 'ci', number: '1' },
  name: 'Ana Paz',
  email: '',
  subject: '',
  language: 'es',
  confirmBy: null,
  sequence: 0,
  referredBy: null,
};
const secret = 'a secret of the room, long enough';
const jitsi = { url: 'https://meet.example.uy', appId: 'portal', secret };
const early = { jitsi, flags: featureFlagDefaults };
const always = { jitsi, flags: { ...featureFlagDefaults, videollamada_5_minutos_antes: false } };
const before = (seconds: number) => new Date(startsAt.getTime() - seconds * 1000);
const closed = { link: null, jwt: null, sala: false, abre: null };

test('[ELEV-05 CFG-01] createCallRoomAccess opens a call five minutes before its start if videollamada_5_minutos_antes is on', async () => {
  expect(await createCallRoomAccess(call, early, before(301))).toEqual({ ...closed, abre: before(300).toISOString() });
  expect((await createCallRoomAccess(call, early, before(300))).link).toBe(
    'https://meet.example.uy/videollamada-b7e1c0de-0000-4000-8000-000000000001',
  );
});

test('[ELEV-05 CFG-01] createCallRoomAccess opens a pending call at any time if videollamada_5_minutos_antes is off', async () => {
  expect((await createCallRoomAccess(call, always, before(86_400))).link).not.toBeNull();
});

test.each(['Reservado', 'Cancelado', 'Vencido', 'Error', 'Exitoso', 'Rechazado agente', 'Atendido'] as const)(
  '[ELEV-05] createCallRoomAccess does not open a call in state %s',
  async (state) => {
    expect(await createCallRoomAccess({ ...call, state }, always, startsAt)).toEqual(closed);
  },
);

test("[ELEV-07] createCallRoomAccess signs a Jitsi token for one room with the citizen's name, valid until an hour after the end", async () => {
  const { jwt } = await createCallRoomAccess(call, early, startsAt);
  const { payload, protectedHeader } = await jwtVerify(jwt ?? '', Buffer.from(secret), {
    currentDate: startsAt,
    audience: 'jitsi',
    issuer: 'portal',
    subject: 'meet.example.uy',
    algorithms: ['HS256'],
  });
  expect(protectedHeader.alg).toBe('HS256');
  expect(payload).toMatchObject({
    room: 'videollamada-b7e1c0de-0000-4000-8000-000000000001',
    context: { user: { name: 'Ana Paz' } },
    exp: Date.parse('2026-12-01T14:50:00Z') / 1000,
  });
});

test('[ELEV-07] createCallRoomAccess does not open a call an hour after its end', async () => {
  const after = (seconds: number) => new Date(call.endsAt.getTime() + seconds * 1000);
  expect((await createCallRoomAccess(call, early, after(3599))).jwt).not.toBeNull();
  expect(await createCallRoomAccess(call, early, after(3600))).toEqual(closed);
});

test("createCallRoomAccess returns no token for a Jitsi without a secret, and the portal's own room without a Jitsi", async () => {
  expect(await createCallRoomAccess(call, { ...early, jitsi: { ...jitsi, secret: null } }, startsAt)).toMatchObject({
    jwt: null,
  });
  expect(await createCallRoomAccess(call, { ...early, jitsi: null }, startsAt), 'the own room needs no token').toEqual({
    ...closed,
    sala: true,
  });
});
