import type { Flow } from '../../engine/core/definition.ts';
import { t } from '../texts.ts';
import { nodesOf, stepsNode } from './arrows.ts';

export type ScreenTitle = (screen: string) => string;

export function nodeTitle(flow: Flow, name: string, titleOf: ScreenTitle): string {
  if (name === stepsNode) return t('steps');
  const screen = nodesOf(flow)[name]?.screen;
  return screen === undefined ? name : titleOf(screen);
}
