import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { textCatalogue as texts } from '../../src/server/app/server-modules.ts';
import { callTransitions } from '../../src/server/features/video-calls/call-states.ts';

/** Returns the audit actions used in the server's sources. */
async function listAuditActions(): Promise<readonly string[]> {
  const folder = new URL('../../src/server/', import.meta.url);
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
  return [
    ...new Set(
      sources.flatMap((source) =>
        [...source.matchAll(/\b(?:action: (?!value\()|audit\(\s*)([^,\n]+)/g)].flatMap(([, value = '']) =>
          [...value.matchAll(/'([a-z-]+)'/g)].map(([, name]) => name ?? ''),
        ),
      ),
    ),
  ];
}

/** Audit actions in the transition tables of calls. */
const callActions = Object.entries(callTransitions).flatMap(([kind, acts]) =>
  Object.keys(acts).map((act) => `${kind}-call-${act}`),
);

describe('[SEG-04] text of an audit action for citizens', async () => {
  test.each([...(await listAuditActions()), ...callActions].map((action) => [action]))(
    'exists in Spanish and Portuguese for %s',
    (action) => {
      for (const language of ['es', 'pt'] as const) expect(texts[language]).toHaveProperty(`accion_${action}`);
    },
  );
});
