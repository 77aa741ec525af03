import {
  contactUri,
  iceUrl,
  isoDate,
  list,
  onOff,
  optional,
  optionalOnOff,
  origin,
  setting,
  text,
  whole,
  url,
} from './setting-values.ts';
import { readWeeklyHours as weeklyHours } from './weekly-hours.ts';

export const supportSettings = {
  SUPPORT_MAILBOX: setting(
    'soporte@localhost',
    text,
    'Mailbox that screens name for support, and that gets the messages of the contact form.',
  ),
  CONTACT_ANSWER_DAYS: setting(
    '7',
    whole(2, 60),
    'Days in which a contact message is answered, as screens, mails and the desk say.',
  ),
  IN_PERSON_URL: setting(
    'https://www.gub.uy/',
    optional(url('http:', 'https:')),
    'Page of the points where citizens are attended in person, which the contact page links; empty: none.',
  ),
  IN_PERSON_ADDRESS: setting(
    '',
    text,
    'Where citizens are attended in person, as they read it, e.g. `Liniers 1324, Montevideo`; empty: nothing is said.',
  ),
  IN_PERSON_HOURS: setting('', text, 'When they are attended there, e.g. `lunes a viernes de 9 a 16`.'),
  SECURITY_CONTACT: setting(
    '',
    list(contactUri),
    'Where vulnerabilities are reported, as `mailto:` or `https:` addresses separated by commas, the preferred one first; empty: `/.well-known/security.txt` is not served.',
  ),
  SECURITY_EXPIRES: setting(
    '',
    optional(isoDate),
    'Date until which SECURITY_CONTACT is valid, e.g. `2027-06-30`, at most a year ahead; afterwards the file is not served.',
  ),
} as const;

export const callSettings = {
  SUPPORT_HOURS: setting(
    'mon-fri 09:00-17:00 x2',
    weeklyHours,
    'When support calls are attended, and how many at once, separated by commas (`mon-thu 09:00-17:00 x2, fri 09:00-13:00`); hours set by agents take their place.',
  ),
  SUPPORT_CALL_MIN: setting('30', whole(5, 240), 'Minutes that a support call takes.'),
  ELEVATION_HOURS: setting(
    'mon-fri 09:00-17:00 x2',
    weeklyHours,
    'The same for calls that raise the level of an account.',
  ),
  ELEVATION_CALL_MIN: setting('20', whole(5, 240), 'Minutes that such a call takes.'),
  ELEVATION_SECOND_AGENT: setting(
    '',
    optionalOnOff,
    'Another agent verifies each approval of the one who saw the citizen in the call, and repeats what one decided in person; empty: on, but off on a loopback BASE_URL.',
  ),
  ELEVATION_MIN_CALL_S: setting(
    '60',
    whole(1, 3_600),
    'Seconds for which agent and citizen must both have been in the room before the agent can approve.',
  ),
  ELEVATION_VERIFY_DAYS: setting(
    '7',
    whole(1, 365),
    'Days in which that other agent verifies; then the call has ended, and another one can be booked.',
  ),
  ELEVATION_ACCEPT_DAYS: setting(
    '30',
    whole(1, 365),
    'Days in which the citizen accepts the terms after the agents have approved; then the call has ended, and another one can be booked.',
  ),
  JITSI_URL: setting(
    '',
    optional(origin),
    'Origin of the Jitsi Meet in whose rooms video calls take place, e.g. `https://meet.ejemplo.gub.uy`.',
  ),
  JITSI_APP_ID: setting('portal', text, 'Name under which that Jitsi knows the portal (`app_id`).'),
  JITSI_SECRET: setting(
    '',
    text,
    'Its `app_secret`, with which the tokens for single rooms are signed; empty: its rooms ask for none.',
    'secret',
  ),
  STUN_URLS: setting(
    '',
    list(iceUrl('stun:', 'stuns:')),
    'STUN servers of the own video room, separated by commas, e.g. `stun:turn.ejemplo.gub.uy:3478`.',
  ),
  TURN_URLS: setting(
    '',
    list(iceUrl('turn:', 'turns:')),
    'TURN servers (coturn with `use-auth-secret`) that carry a call where two networks do not reach each other, e.g. `turn:turn.ejemplo.gub.uy:3478,turns:turn.ejemplo.gub.uy:443?transport=tcp`.',
  ),
  TURN_SECRET: setting(
    '',
    text,
    'Its `static-auth-secret`, of which each call gets credentials that end with it.',
    'secret',
  ),
  TURN_ONLY: setting(
    'off',
    onOff,
    'Every call goes by TURN, so that citizens and agents never learn the network address of each other.',
  ),
} as const;
