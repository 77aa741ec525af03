import { randomUUID } from 'node:crypto';
import { after } from '../../base/clock.ts';
import { ownOrigin } from '../../base/origin.ts';
import { findCitizenByDocument, fullName } from '../../identity/citizens.ts';
import { demandsSecondFactor } from '../../identity/levels.ts';
import { announceCall } from '../../video-calls/call-news.ts';
import type { CallState } from '../../video-calls/states.ts';
import type { Parts } from '../parts.ts';
import { sampleCitizens } from './sample-citizens.ts';

const document = { country: 'uy', type: 'ci', number: sampleCitizens[4].document };

/**
 * Books a call that begins now for the sample citizen who waits for one, whatever the opening hours are: so the desk can be tried without waiting
 * for tomorrow. Nothing is done while that citizen has a call, or once the level is raised.
 */
export async function loadSampleCall({
  commands,
  config,
}: Pick<Parts, 'commands'> & { readonly config: Pick<Parts['config'], 'agenda' | 'sampleData'> }): Promise<void> {
  if (!config.sampleData) return;
  await commands.run(ownOrigin('system', 'sample-data'), async ({ tx, now, audit }) => {
    const citizen = await findCitizenByDocument(tx, document);
    if (citizen === null || demandsSecondFactor(citizen)) return;
    const startsAt = new Date(now.getTime() - (now.getTime() % 60_000));
    const state: CallState = 'Agendado';
    const booked = await tx
      .insertInto('video_calls')
      .values({
        id: randomUUID(),
        kind: 'elevation',
        state,
        starts_at: startsAt,
        ends_at: after(startsAt, config.agenda.elevation.minutes * 60),
        place: 1,
        citizen_id: citizen.id,
        ...document,
        name: fullName(citizen),
        email: citizen.email ?? '',
        phone: '',
        subject: '',
        message: '',
        language: 'es',
        created_at: now,
        confirm_by: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (booked === undefined) return;
    await audit('elevation-call-book', citizen.id, { call: booked.id, state });
    await announceCall(tx, booked.id);
  });
}
