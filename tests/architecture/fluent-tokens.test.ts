import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
/** Fluent components that forms render outside Fluent's provider. */
const components = ['input', 'label', 'spinner'];

test.each(components)('fluent.css defines every token that the styles of the Fluent component %s use', (name) => {
  const given = readFileSync(join(root, 'src/engine/fluent/fluent.css'), 'utf8');
  const folder = join(root, `node_modules/@fluentui/react-${name}/lib/components`);
  const styles = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.styles.js'),
  );
  const read = styles.flatMap((path) =>
    [...readFileSync(join(folder, path), 'utf8').matchAll(/var\(--((?!fui-)\w+)\)/g)].map(([, token]) => token),
  );
  expect(read).not.toEqual([]);
  expect([...new Set(read)].filter((token) => !given.includes(`--${token}: `))).toEqual([]);
});
