import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseLanguage } from '../../contract/portal-config.ts';
import { readDefinitions } from '../../engine/compiler/load-definitions.ts';
import { indexTexts } from '../../engine/compiler/shared/texts.ts';
import type { Json } from '../../engine/core/json.ts';
import { readCases, sectionHead, snapshotFile } from './cases.ts';

export interface UncoveredText {
  readonly screen: string;
  readonly pointer: string;
  readonly text: string;
}

type Excuse = Omit<UncoveredText, 'text'> & { readonly because: string };

export interface TextCoverage {
  readonly all: number;
  readonly uncovered: readonly UncoveredText[];
  readonly unused: readonly Excuse[];
}

export const uncoveredTextsFile = 'tests/definitions/uncovered-texts.json';

/** Finds the texts that are in no snapshot or case and that `uncoveredTextsFile` does not excuse, for some or all screens. */
export async function textCoverage(root: string, only: readonly string[] = []): Promise<TextCoverage> {
  const { screens } = await readDefinitions({ root, baseLanguage });
  const excuses = JSON.parse(readFileSync(join(root, uncoveredTextsFile), 'utf8')) as readonly Excuse[]; // QA writes it in this form
  const applies =
    ({ screen, pointer }: Excuse) =>
    (text: UncoveredText): boolean =>
      text.screen === screen && text.pointer === pointer;
  let all = 0;
  const uncovered: UncoveredText[] = [];
  for (const { id: screen, ui } of screens.filter(({ id }) => only.length === 0 || only.includes(id))) {
    const shown = normalizeSpace(await readShownTexts(root, screen));
    const texts = [...indexTexts(ui as unknown as Json)]; // definitions are JSON
    all += texts.length;
    for (const [pointer, text] of texts)
      if (!text.split(/\{\w+\}/).every((part) => shown.includes(normalizeSpace(part))))
        uncovered.push({ screen, pointer, text });
  }
  const looked = new Set(screens.map(({ id }) => id).filter((id) => only.length === 0 || only.includes(id)));
  return {
    all,
    uncovered: uncovered.filter((text) => !excuses.some((excuse) => applies(excuse)(text))),
    unused: excuses.filter((excuse) => looked.has(excuse.screen) && !uncovered.some(applies(excuse))),
  };
}

async function readShownTexts(root: string, screen: string): Promise<string> {
  const { cases } = await readCases(root, screen);
  const snapshots = await readFile(join(root, snapshotFile(screen)), 'utf8').catch(() => ''); // a new screen has no snapshot
  const [shown = ''] = snapshots.split(sectionHead('portuguese')); // a translation may contain the words of another text
  return [...cases.flatMap(({ errors }) => Object.values(errors)), shown].join('\n');
}

function normalizeSpace(text: string): string {
  return text.replaceAll('&quot;', '"').replace(/\s+/g, ' ').trim();
}
