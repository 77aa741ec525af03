import type { Store } from '../../../platform/database/open-store.ts';
import type { Registry } from './registry.ts';

export function tableRegistry(store: Store): Registry {
  return {
    async find(number) {
      const row = await store.db.selectFrom('registry').selectAll().where('number', '=', number).executeTakeFirst();
      if (!row) return null;
      return {
        firstName: row.first_name,
        secondName: row.second_name,
        firstSurname: row.first_surname,
        secondSurname: row.second_surname,
        birthDate: row.birth_date,
        serial: row.serial,
      };
    },
  };
}
