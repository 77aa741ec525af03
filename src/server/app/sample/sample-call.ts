import { after } from '../../platform/base/clock.ts';
import { ownOrigin } from '../../platform/base/origin.ts';
import { findCitizenByDocument, fullName } from '../../trust/identity/citizens.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';
import { insertCall } from '../../features/video-calls/book-call.ts';
import type { Parts } from '../../features/parts.ts';
import { sampleCitizens } from './sample-citizens.ts';

const document = { country: 'uy', type: 'ci', number: sampleCitizens[4].document };

/**
 * Books a call that starts now for the sample citizen of kind `called`, regardless of opening hours, so that the desk can be tried at any time. Does
 * nothing if that citizen has a call, or the level has been raised already.
 */
export async function loadSampleCall({
  commands,
  config,
}: Pick<Parts, 'commands'> & { readonly config: Pick<Parts['config'], 'agenda' | 'sampleData'> }): Promise<void> {
  if (!config.sampleData) return;
  await commands.run(ownOrigin('system', 'sample-data'), async (command) => {
    const { tx, now } = command;
    const citizen = await findCitizenByDocument(tx, document);
    if (citizen === null || demandsSecondFactor(citizen)) return;
    const startsAt = new Date(now.getTime() - (now.getTime() % 60_000));
    const person = { document, citizenId: citizen.id, name: fullName(citizen), email: citizen.email ?? '' };
    await insertCall(
      command,
      { kind: 'elevation', ...person, phone: '', subject: '', message: '' },
      { startsAt, endsAt: after(startsAt, config.agenda.elevation.minutes * 60), state: 'Agendado' },
      1,
    );
  });
}
