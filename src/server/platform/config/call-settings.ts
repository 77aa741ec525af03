import {
  parseContactUri,
  createIceUrlParser,
  parseIsoDate,
  defineListSetting,
  createOptionalParser,
  defineOptionalSetting,
  parseHttpOrigin,
  parseOnOff,
  parseOptionalOnOff,
  defineSecretSetting,
  defineSetting,
  parseText,
  defineTextSetting,
  createUrlParser,
  createWholeNumberParser,
} from './setting-values.ts';
import { parseWeeklyHours as weeklyHours } from './weekly-hours.ts';

export const supportSettings = {
  SUPPORT_MAILBOX: defineSetting(
    'soporte@localhost',
    parseText,
    'Support mailbox, shown on screens. Receives the messages of the contact form.',
  ),
  CONTACT_ANSWER_DAYS: defineSetting(
    '7',
    createWholeNumberParser(2, 60),
    'Promised number of days until a contact message is answered, shown on screens, in mails and at the desk.',
  ),
  IN_PERSON_URL: defineSetting(
    'https://www.gub.uy/',
    createOptionalParser(createUrlParser('http:', 'https:')),
    'URL of the page about in-person service points, linked on the contact page. If empty, there is no link.',
  ),
  IN_PERSON_ADDRESS: defineTextSetting(
    'Address of the in-person service point, as shown to citizens, e.g. `Liniers 1324, Montevideo`.',
  ),
  IN_PERSON_HOURS: defineTextSetting('Opening hours of the in-person service point, e.g. `lunes a viernes de 9 a 16`.'),
  SECURITY_CONTACT: defineListSetting(
    parseContactUri,
    'Contacts for vulnerability reports: comma-separated `mailto:` or `https:` URLs, the preferred one first. If empty, `/.well-known/security.txt` is not served.',
  ),
  SECURITY_EXPIRES: defineOptionalSetting(
    parseIsoDate,
    'Expiry date of SECURITY_CONTACT, e.g. `2027-06-30`, at most one year ahead. Afterwards the file is not served.',
  ),
} as const;

export const callSettings = {
  SUPPORT_HOURS: defineSetting(
    'mon-fri 09:00-17:00 x2',
    weeklyHours,
    'Hours and parallel capacity of support calls, comma-separated (`mon-thu 09:00-17:00 x2, fri 09:00-13:00`). Hours set at the desk replace them.',
  ),
  SUPPORT_CALL_MIN: defineSetting('30', createWholeNumberParser(5, 240), 'Duration of a support call in minutes.'),
  ELEVATION_HOURS: defineSetting(
    'mon-fri 09:00-17:00 x2',
    weeklyHours,
    'Hours and capacity of calls that raise the level of an account, in the format of SUPPORT_HOURS.',
  ),
  ELEVATION_CALL_MIN: defineSetting('20', createWholeNumberParser(5, 240), 'Duration of an elevation call in minutes.'),
  ELEVATION_SECOND_AGENT: defineSetting(
    '',
    parseOptionalOnOff,
    'Require a second agent to verify each approval by video call, and to repeat each decision made in person. Default: on, but off on a loopback BASE_URL.',
  ),
  ELEVATION_MIN_CALL_S: defineSetting(
    '60',
    createWholeNumberParser(1, 3_600),
    'Minimum number of seconds that agent and citizen must spend in the room together before an approval.',
  ),
  ELEVATION_VERIFY_DAYS: defineSetting(
    '7',
    createWholeNumberParser(1, 365),
    'Days within which the second agent must verify an approval. Afterwards the approval expires, and the citizen can book another call.',
  ),
  ELEVATION_ACCEPT_DAYS: defineSetting(
    '30',
    createWholeNumberParser(1, 365),
    'Days within which the citizen must accept the terms after the approval. Afterwards the approval expires, and the citizen can book another call.',
  ),
  JITSI_URL: defineOptionalSetting(
    parseHttpOrigin,
    'Origin of a Jitsi Meet server for video calls, e.g. `https://meet.ejemplo.gub.uy`. If empty, the built-in room is used.',
  ),
  JITSI_APP_ID: defineSetting('portal', parseText, '`app_id` of the portal at this Jitsi server.'),
  JITSI_SECRET: defineSecretSetting(
    parseText,
    '`app_secret` that signs the room tokens. Leave it empty if the Jitsi server requires no tokens.',
  ),
  STUN_URLS: defineListSetting(
    createIceUrlParser('stun:', 'stuns:'),
    'Comma-separated STUN servers of the built-in video room, e.g. `stun:turn.ejemplo.gub.uy:3478`.',
  ),
  TURN_URLS: defineListSetting(
    createIceUrlParser('turn:', 'turns:'),
    'Comma-separated TURN servers (coturn with `use-auth-secret`) that relay calls between networks without a direct route, e.g. `turn:turn.ejemplo.gub.uy:3478,turns:turn.ejemplo.gub.uy:443?transport=tcp`.',
  ),
  TURN_SECRET: defineSecretSetting(
    parseText,
    '`static-auth-secret` of the TURN servers, from which the temporary credentials of each call are derived.',
  ),
  TURN_ONLY: defineSetting(
    'off',
    parseOnOff,
    'Relay every call through TURN, so that neither citizens nor agents learn the network address of the other side.',
  ),
} as const;
