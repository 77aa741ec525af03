import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { portalConstants } from '../../src/contract/constants.ts';
import { root } from './source-texts.ts';

/** Default root font size of browsers in pixels, on which rem in media queries is based. */
const remPx = 16;

test('[INI-12] portal stylesheets use both breakpoints of the specification and no other width except 30rem', () => {
  const known = new Set(
    [portalConstants.mobileBreakpointPx, portalConstants.foreignProviderBreakpointPx].map((px) => px / remPx),
  );
  const folder = join(root, 'src/portal');
  const widths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/@media ([^{]*width[^{]*)\{/g)])
    .map(([, query = '']) => query.trim());
  const readBreakpoint = (query: string) => Number(/^\(width (?:<|>=) ([\d.]+)rem\)$/.exec(query)?.[1]);
  const written = widths.filter((query) => known.has(readBreakpoint(query)));
  expect(new Set(written.map(readBreakpoint)).size, 'both breakpoints occur').toBe(known.size);
  // The specification has no breakpoint for narrow phones, so the stylesheets add 30rem.
  const others = widths.filter((query) => !written.includes(query));
  expect(others.toSorted()).toEqual(['(max-width: 30rem)']);
});
