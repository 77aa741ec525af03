import type { ResponseLog, Finding } from './response-log.ts';
import type { FaultReport } from './faults.ts';

/** Returns the requests that failed while no fault was active. */
export function findErrorsOutsideFaults(
  { requests }: Pick<ResponseLog, 'requests'>,
  reports: readonly FaultReport[],
): readonly Finding[] {
  return requests
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'unreachable')
    .filter(
      ({ began, ended }) => !reports.some((report) => began < (report.recovered ?? Infinity) && ended > report.began),
    )
    .map(({ began, what }) => ({ kind: 'error', at: began, what }));
}
