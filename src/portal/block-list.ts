import type { ComponentType } from 'react';
import type { BlockProps } from '../engine/react/flow/flow-route.tsx';
import { Coming } from '../engine/react/flow/waiting.tsx';
import { lazyComponent } from '../engine/react/lazy-component.tsx';
import { loadPart } from './navigation/load-part.ts';

const files = import.meta.glob<ComponentType<BlockProps>>('./blocks/*.tsx', { import: 'default' });

/** Blocks by file name, which is their name in flows. Each is a separate chunk. */
export const blocks: Readonly<Record<string, ComponentType<BlockProps>>> = Object.fromEntries(
  Object.entries(files).map(([path, load]) => [
    path.replace('./blocks/', '').replace('.tsx', ''),
    lazyComponent(() => loadPart(load), Coming),
  ]),
);
