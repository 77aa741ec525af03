import type { Finding, Outcome } from './response-log.ts';
import { faults } from './faults.ts';
import type { ChaosReport } from './run-chaos.ts';

/**
 * Creates a row for each fault: the responses from its start until every replica had recovered, and the findings until
 * the next fault.
 */
export function createReportRows({
  book,
  faults: reports,
  findings,
}: ChaosReport): readonly Record<string, string | number>[] {
  return reports.map(({ name, began, ended, recovered }, index) => {
    const next = reports[index + 1]?.began ?? Infinity;
    const seen = book.requests.filter((request) => request.began < (recovered ?? next) && request.ended > began);
    const count = (outcome: Outcome) => seen.filter((request) => request.outcome === outcome).length;
    const found = (kind: Finding['kind']) =>
      findings.filter((finding) => finding.kind === kind && isDuring(finding, index === 0 ? -Infinity : began, next))
        .length;
    return {
      fault: faults[name].what,
      s: Math.round((ended - began) / 100) / 10,
      requests: seen.length,
      '429, 503': count('refused'),
      'no answer': count('unreachable'),
      'other errors': count('failed'),
      lost: found('lost'),
      twice: found('twice'),
      crossed: found('crossed'),
      'errors outside': found('error'),
      'recovered after s': recovered === null ? 'never' : Math.round((recovered - ended) / 100) / 10,
    };
  });
}

function isDuring({ at }: Finding, from: number, to: number): boolean {
  return at >= from && at < to;
}
