import pg from 'pg';
import { sampleCitizens } from '../../src/server/app/sample/sample-citizens.ts';

/** Inserts copies of the sample citizen with a complete account. Returns their passport numbers. */
export async function addCitizens(url: string, count: number): Promise<readonly string[]> {
  const numbers = Array.from({ length: count }, (_, lane) => `BENCH${lane}`);
  const database = new pg.Client(url);
  await database.connect();
  try {
    for (const number of numbers) {
      await database.query(
        `insert into citizens select (jsonb_populate_record(c, jsonb_build_object(
           'id', $1::text, 'country', 'ar', 'type', 'psp', 'number', $1::text, 'email', $1::text || '@bench.example'))).*
         from citizens c where number = $2`,
        [number, sampleCitizens[0].document],
      );
      await database.query(
        `insert into credentials select (jsonb_populate_record(k, jsonb_build_object('citizen_id', $1::text))).*
         from credentials k join citizens c on c.id = k.citizen_id where c.number = $2`,
        [number, sampleCitizens[0].document],
      );
    }
  } finally {
    await database.end();
  }
  return numbers;
}

/**
 * Inserts citizens who do not sign in, each with a known browser. In small tables, PostgreSQL's serializable
 * transactions lock entire tables and pages, and three of ten concurrent sign-ins would fail because of unrelated ones.
 */
export async function addInactiveCitizens(url: string, count: number): Promise<void> {
  const database = new pg.Client(url);
  await database.connect();
  try {
    await database.query(
      `insert into citizens select (jsonb_populate_record(c, jsonb_build_object(
         'id', md5(n::text), 'country', 'ar', 'type', 'psp', 'number', 'OTHER' || n, 'email', n || '@bench.example'))).*
       from citizens c, generate_series(1, $1::int) n where c.number = $2`,
      [count, sampleCitizens[0].document],
    );
    await database.query(
      `insert into known_devices select md5(n::text), md5('browser ' || n), now() - n * interval '1 second' from generate_series(1, $1::int) n`,
      [count],
    );
    await database.query('vacuum analyze');
  } finally {
    await database.end();
  }
}
