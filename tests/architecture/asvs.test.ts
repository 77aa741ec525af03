import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, root } from './source-texts.ts';

const file = 'src/server/security/asvs.md';
const text = readFileSync(join(root, file), 'utf8');
const verdicts = ['holds', 'partly', 'fails', 'does not apply'];

/** Number of requirements in each section of ASVS 5.0.0. */
const sections: Readonly<Record<string, readonly number[]>> = {
  1: [2, 10, 12, 3, 3],
  2: [3, 3, 5, 2],
  3: [1, 3, 5, 8, 8, 1, 5],
  4: [5, 5, 2, 4],
  5: [1, 6, 3, 3],
  6: [3, 12, 8, 6, 8, 4, 2, 4],
  7: [3, 4, 2, 5, 3, 2],
  8: [4, 4, 3, 2],
  9: [3, 4],
  10: [2, 3, 5, 16, 5, 2, 3],
  11: [4, 5, 5, 4, 2, 2, 2],
  12: [5, 2, 5],
  13: [4, 6, 4, 7],
  14: [2, 8, 3],
  15: [5, 5, 7, 4],
  16: [1, 5, 4, 3, 4],
  17: [2, 8, 2],
};
const rows = [...text.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, id = '', level = '', topic = '', verdict = '', evidence = '']) => ({ id, level, topic, verdict, evidence }),
);

test('[SEC-05] asvs.md has one row for each requirement of ASVS, in order, with a level and a verdict', () => {
  const expected = Object.entries(sections).flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) =>
      Array.from({ length: count }, (_, number) => `${chapter}.${section + 1}.${number + 1}`),
    ),
  );
  expect(expected).toHaveLength(345);
  expect(rows.map(({ id }) => id)).toEqual(expected);
  expect(rows.filter(({ verdict }) => !verdicts.includes(verdict))).toEqual([]);
  expect([1, 2, 3].map((level) => rows.filter((row) => row.level === String(level)).length)).toEqual([70, 183, 92]);
});

test('[SEC-05] asvs.md cites only existing files, and each row that holds cites a file, a document or a command', () => {
  const missing = rows.flatMap(({ id, evidence }) => {
    const named = [...evidence.matchAll(/`([\w.-]*(?:\/[\w.-]+)+|[\w-]*\.\w+|Dockerfile)`|\]\(([\w./-]+)\)/g)].map(
      ([, path, link]) => path ?? join('src/server/security', link ?? ''),
    );
    return named.filter((path) => !existsSync(join(root, path))).map((path) => `${id}: ${path}`);
  });
  expect(missing).toEqual([]);
  const bare = rows.filter(({ verdict, evidence }) => verdict === 'holds' && !/`|\]\(|SECURITY\.md/.test(evidence));
  expect(bare.map(({ id }) => id)).toEqual([]);
});

test('[SEC-05] asvs.md cites exactly the ASVS ids that occur in test titles, each in its own row', () => {
  const tests = ['tests', 'plugins'].flatMap((folder) => listFiles(folder, /\.(?:test|spec)\.tsx?$/));
  const marked = tests.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/(?<=\[[A-Z\d+. -]*)ASVS-(\d+\.\d+\.\d+)/g)].map(
      ([, id = '']) => id,
    ),
  );
  const cited = rows.flatMap(({ evidence }) => [...evidence.matchAll(/`\[ASVS-([\d.]+)\]`/g)].map(([, id = '']) => id));
  expect(marked.length).toBeGreaterThan(10);
  expect([...new Set(cited)].sort()).toEqual([...new Set(marked)].sort());
  const strays = rows.filter(({ id, evidence }) => /\[ASVS-/.test(evidence) && !evidence.includes(`[ASVS-${id}]`));
  expect(strays).toEqual([]);
});

test('[SEC-05] asvs.md has a summary table that matches its rows', async () => {
  const cells = (chosen: typeof rows): string =>
    [...verdicts.map((verdict) => chosen.filter((row) => row.verdict === verdict).length), chosen.length].join(' | ');
  const counts = [
    `| level | ${verdicts.join(' | ')} | all |`,
    '| --- | --- | --- | --- | --- | --- |',
    ...['1', '2', '3'].map((level) => `| ${level} | ${cells(rows.filter((row) => row.level === level))} |`),
    `| all | ${cells(rows)} |`,
  ].join('\n');
  await expect(text.replace(/^\| level \| holds[^]*?^\| all \|.*$/m, counts)).toMatchFileSnapshot(join(root, file));
});
