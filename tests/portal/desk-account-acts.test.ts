import { expect, test } from 'vitest';
import { actGroups } from '../../src/desk/blocks/desk-account.tsx';
import texts from '../../schemas/_shared/texts/desk.json' with { type: 'json' };

test('[DESK-06] every act on an account is in one group, so that the desk offers it', () => {
  const acts = Object.keys(texts).flatMap((key) => (key.startsWith('act.') ? key.slice('act.'.length) : []));
  expect(Object.values(actGroups).flat().toSorted()).toEqual(acts.toSorted());
});
