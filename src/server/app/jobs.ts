import type { Logger } from 'pino';
import { sealAudit } from '../platform/audit/seal-audit.ts';
import type { Clock } from '../platform/base/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Store } from '../platform/database/open-store.ts';
import type { TellEnds } from '../trust/sessions/session-ends.ts';
import type { AuditKey } from '../platform/keys/audit-keys.ts';
import type { Commands } from '../trust/notices/commands.ts';
import type { CallMails } from '../features/video-calls/call-mails.ts';
import type { DueSettings } from '../features/video-calls/due-days.ts';
import { watchCalls } from '../features/video-calls/watch-calls.ts';
import { warnOfSkew } from '../platform/jobs/clock-skew.ts';
import { underLease } from '../platform/jobs/lease.ts';
import { purge } from './purge.ts';
import type { Job } from '../platform/jobs/start-jobs.ts';

const hourMs = 60 * 60 * 1000;
const sealMs = 10_000;
const callsMs = 20_000;
const endsMs = 2_000;

/** The jobs of a server beside its mails, which carry their own claims. */
export function jobsOf({
  store,
  commands,
  callMails,
  clock,
  log,
  config,
  auditKey,
  tellEnds,
}: {
  store: Store;
  commands: Commands;
  callMails: CallMails;
  clock: Clock;
  log: Logger;
  config: Pick<Config, 'room'> & DueSettings;
  auditKey: AuditKey;
  tellEnds: TellEnds;
}): readonly Job[] {
  return [
    { name: 'compare clocks', everyMs: hourMs, run: () => warnOfSkew(store, clock, log) },
    { name: 'purge', everyMs: hourMs, run: () => purge({ store, commands, config }, clock.now()) },
    {
      name: 'watch video calls',
      everyMs: callsMs,
      run: () =>
        underLease(store, 'video-calls', (renew) =>
          watchCalls({ store, commands, callMails, config }, clock.now(), renew),
        ),
    },
    { name: 'tell applications of ended sessions', everyMs: endsMs, run: () => tellEnds() },
    {
      name: 'seal the audit log',
      everyMs: sealMs,
      run: () => underLease(store, 'seal', async (renew) => void (await sealAudit(store, auditKey, clock, renew))),
    },
  ];
}
