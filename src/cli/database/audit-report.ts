import type { AuditFault } from '../../server/platform/audit/verify-audit.ts';
import type { Terminal } from '../command.ts';

const obeyed = /(?![\t\n])\p{Cc}|\p{Bidi_Control}/gu;

/** Replaces control characters and bidirectional controls of untrusted text, which a terminal would interpret, by a dot. */
export function printable(text: string): string {
  return text.replace(obeyed, '\u00b7');
}

const most = 50;

export function reportFaults(faults: readonly AuditFault[], terminal: Terminal): number {
  for (const fault of faults.slice(0, most)) print(terminal, describeFault(fault));
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  print(terminal, faults.length === 0 ? 'The audit log is whole.' : `The audit log is broken: ${count}.`);
  return faults.length === 0 ? 0 : 1;
}

function describeFault(fault: AuditFault): string {
  switch (fault.kind) {
    case 'changed':
      return `Row ${fault.row} is not as it was when it was sealed.`;
    case 'late':
      return `Row ${fault.row} was written long after what it tells of.`;
    case 'digest':
      return `Row ${fault.row} is not as its server wrote it.`;
    case 'missing':
      return `Rows ${fault.first} to ${fault.last} of writer ${fault.writer} are missing: its later rows name them.`;
    case 'copied':
      return `Row ${fault.row} is a copy of another row.`;
    case 'undigested':
      return `Row ${fault.row} has no digest, though rows of its time have one.`;
    case 'waited':
      return `${fault.rows} rows ${fault.seal === null ? 'wait for a seal' : `under seal ${fault.seal} waited for it`} longer than sealing takes.`;
    case 'lease':
      return `Sealing is leased until ${fault.until.toISOString()}, longer than any server leases it: somebody moved it.`;
    case 'stray':
      return `Row ${fault.row} names a seal that there is not.`;
    case 'rows':
      return `Under seal ${fault.seal} rows are missing, or others were added.`;
    case 'seal':
      return `Seal ${fault.seal} was changed, or is missing.`;
    case 'signature':
      return `Seal ${fault.seal} was not signed by a key that is trusted.`;
    case 'end':
      return `Seal ${fault.seal} is not the one that was kept: the log was cut off, or made anew.`;
  }
}

export function print({ out }: Terminal, line: string): void {
  out(`${line}\n`);
}

/** Splits a stream of text into lines. Newer versions of Node.js's readline also split at U+2028, which JSON values may contain. */
export async function* splitLines(text: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + String(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
