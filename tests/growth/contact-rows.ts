import { after } from '../../src/server/platform/base/clock.ts';
import { dayS, hourS } from '../../src/server/platform/base/periods.ts';
import { stillPurpose } from '../../src/server/features/video-room/stills.ts';
import { callsEach, part, yearS, type Filled, type Fillers } from './country.ts';

const mailText =
  'Alguien ingresó a tu cuenta desde un dispositivo nuevo. Si no fuiste vos, avisanos por este vínculo. '.repeat(4);

/** Video calls, messages, and mails. */
export function contactRows({
  citizens,
  now,
  vault,
  draw,
  table,
  citizen,
  ago,
  aged,
  within,
}: Fillers): readonly Filled[] {
  const calls = part(citizens, callsEach);
  const ids = draw('call');
  const still = vault.seal(stillPurpose('growth'), 'x'.repeat(2000));
  const waiting = Math.ceil(citizens / 10_000);
  return [
    table('video_calls', calls, (index, own) => {
      // one of fifty is to come: each takes a place of its hour
      const isToCome = index % 50 === 0;
      const turn = Math.floor(index / 50);
      const start = isToCome
        ? after(startOfHour(now), (1 + Math.floor(turn / 20)) * hourS)
        : ago((1 + own.share(index) * 2 * 364) * dayS);
      const { id, document, email } = citizen(index);
      return {
        id: ids.uuid(index),
        kind: 'support' as const,
        state: isToCome ? 'Agendado' : 'Atendido',
        starts_at: start,
        ends_at: after(start, 1800),
        place: isToCome ? 1 + (turn % 20) : null,
        citizen_id: id,
        ...document,
        name: 'Ana Pereira',
        email,
        mailbox: null,
        phone: '+59899123456',
        subject: 'otro',
        message: 'No puedo entrar a mi cuenta.',
        language: 'es',
        created_at: after(start, -3 * dayS),
        confirm_by: null,
        sequence: 0,
        reminders: isToCome ? 0 : 2,
        referred_by: null,
        agent_id: isToCome ? null : citizen(index % 100).id,
        checklist: '{}',
        extra: '[]',
        reason: '',
        held_s: null,
      };
    }),
    table('room_seats', part(calls, 0.2), (index, own) => ({
      call_id: ids.uuid(index),
      seat: 'citizen' as const,
      client: null,
      seen_at: within(own, index, dayS),
      sequence: 3,
      taken_at: null,
      agent_id: null,
    })),
    table('room_signals', part(calls, 0.2), (index, own) => ({
      call_id: ids.uuid(index),
      seat: 'citizen' as const,
      number: 1,
      content: '{}',
      created_at: ago(own.share(index) * 600),
    })),
    table('call_meetings', part(calls, 0.5), (index) => ({
      call_id: ids.uuid(index),
      agent_id: citizen(index % 100).id,
      met_ms: 60_000,
    })),
    table('call_stills', part(calls, 0.2), (index, own) => ({
      id: own.uuid(index),
      call_id: ids.uuid(index),
      kind: 'document' as const,
      asked_by: citizen(0).id,
      asked_at: aged(own, index, 30 * dayS),
      refused_at: null,
      taken_at: within(own, index, dayS),
      width: 1280,
      height: 720,
      sealed: still,
    })),
    table('contact_messages', part(citizens, 0.1), (index, own) => {
      const { id, document, email } = citizen(index);
      return {
        citizen_id: id,
        name: 'Ana Pereira',
        ...document,
        email,
        phone: '+59899123456',
        subject: 'otro',
        message: 'No puedo entrar a mi cuenta.',
        language: 'es',
        extra: '[]',
        created_at: aged(own, index, 2 * yearS),
        answered_at: index % 100 === 0 ? null : within(own, index, 700 * dayS),
        answered_by: index % 100 === 0 ? '' : 'Bruno Suárez',
        answer: index % 100 === 0 ? '' : 'Probá de nuevo.',
      };
    }),
    table('feedback', part(citizens, 0.1), (index, own) => ({
      page: '/ayuda',
      useful: 'si' as const,
      usefulness: 4,
      clarity: 4,
      boxes: '',
      comment: '',
      email: null,
      language: 'es',
      created_at: aged(own, index, 2 * yearS),
      read_at: index % 10 === 0 ? null : within(own, index, 700 * dayS),
      read_by: index % 10 === 0 ? '' : 'Bruno Suárez',
    })),
    table('outbox', citizens, (index, own) => {
      const waits = index >= citizens - waiting; // the newest
      const created = waits ? ago(60) : aged(own, index, 30 * dayS);
      return {
        recipient: citizen(index).email,
        citizen_id: citizen(index).id,
        subject: 'Ingresaste desde un dispositivo nuevo',
        text: mailText,
        html: `<p>${mailText}</p>`,
        reply_to: null,
        calendar: null,
        created_at: created,
        due_at: created,
        attempts: 1,
        sent_at: waits || index % 1000 === 2 ? null : after(created, 2),
        refused_at: index % 1000 === 2 ? after(created, 2) : null,
        refusal: index % 1000 === 2 ? '550 no such user' : null,
      };
    }),
  ];
}

function startOfHour(time: Date): Date {
  return new Date(Math.floor(time.getTime() / (hourS * 1000)) * hourS * 1000);
}
