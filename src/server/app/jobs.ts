import { sealAudit } from '../platform/audit/seal-audit.ts';
import { warnOfSkew } from '../platform/jobs/clock-skew.ts';
import { underLease } from '../platform/jobs/lease.ts';
import type { Job } from '../platform/jobs/start-jobs.ts';
import type { Parts } from './parts.ts';
import { purge } from './purge.ts';
import { topics } from './topics.ts';

const hourMs = 60 * 60 * 1000;
const sealMs = 10_000;
/** Much shorter than `portal keys add` waits until a new key encrypts. */
const rereadMs = 10_000;

/** The jobs of a server beside its mails, which carry their own claims. */
export function jobsOf(parts: Parts): readonly Job[] {
  const {
    store,
    clock,
    log,
    auditKeys: [auditKey],
  } = parts;
  return [
    { name: 'compare clocks', everyMs: hourMs, run: () => warnOfSkew(store, clock, log) },
    { name: 'read the keys again', everyMs: rereadMs, run: () => parts.rereadKeys() },
    { name: 'purge', everyMs: hourMs, run: () => purge(parts, clock.now()) },
    ...Object.values(topics).flatMap((topic): readonly Job[] => ('jobs' in topic ? topic.jobs(parts) : [])),
    {
      name: 'seal the audit log',
      everyMs: sealMs,
      run: () => underLease(store, 'seal', async (renew) => void (await sealAudit(store, auditKey, clock, renew))),
    },
  ];
}
