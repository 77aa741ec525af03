import { sql, type Kysely, type Migration } from 'kysely';
import { StartError } from '../../base/start-error.ts';

/** Document numbers in their one written form; numbers that were several accounts and are one are told, and nothing is merged. */
export const documents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    const { rows } = await sql<Collision>`
      select country, type, ${written} as number, array_agg(id order by created_at) as ids from citizens
        group by 1, 2, 3 having count(*) > 1 or ${written} = '' order by 1, 2, 3`.execute(db);
    if (rows.length > 0) throw new StartError(collisionText(rows));
    await sql`update citizens set number = ${written} where number <> ${written}`.execute(db);
    await sql`alter table citizens add constraint citizens_number_written
      check (number <> '' and number = upper(normalize(number, NFKC)) and number !~ '[[:space:]]')`.execute(db);
  },
};

interface Collision {
  readonly country: string;
  readonly type: string;
  readonly number: string;
  readonly ids: readonly string[];
}

const bare = sql`upper(regexp_replace(normalize(number, NFKC), '[^A-Za-z0-9]', '', 'g'))`;
const written = sql`case when country = 'uy' and type = 'ci' then regexp_replace(${bare}, '^0+(?=[0-9])', '') else ${bare} end`;

function collisionText(rows: readonly Collision[]): string {
  const lines = rows.map(
    ({ country, type, number, ids }) =>
      `  ${country}-${type}-${number || '(no letter or digit)'}: citizens ${ids.join(', ')}`,
  );
  return [
    'Document numbers are written in one form from this version on (letters A-Z and digits), and in it these accounts have the same document or none:',
    ...lines,
    'Decide which account is the true one, correct or delete the others in the table citizens, and start again. Nothing was changed.',
  ].join('\n');
}
