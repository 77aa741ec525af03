import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../src/cli/project.ts';
import { listDevFontUrls } from '../../src/studio/server/send-dev-page.ts';

test('pages of the studio preload every font of the brand from its file', () => {
  const fonts = listDevFontUrls(projectRoot);
  expect(fonts).toHaveLength(3);
  expect(fonts.filter((url) => !existsSync(join(projectRoot, url)))).toEqual([]);
});
