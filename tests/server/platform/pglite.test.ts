import { expect, test } from 'vitest';
import { startPGlite } from '../../../src/server/platform/database/pglite-client.ts';

test('embedded database reports errors with PostgreSQL codes, and rejects statements after it was closed', async () => {
  const client = await startPGlite(null, () => undefined);
  await client.query('create table t (a int primary key)', []);
  expect(await client.query('insert into t values ($1)', [1])).toMatchObject({ rowCount: 1 });
  await expect(client.query('insert into t values ($1)', [1])).rejects.toMatchObject({
    code: '23505',
    constraint: 't_pkey',
  });
  await client.close();
  await new Promise((resolve) => setImmediate(resolve));
  await expect
    .poll(() =>
      client.query('select 1', []).then(
        () => 'answered',
        (error: Error) => error.message,
      ),
    )
    .toContain('has stopped');
});
