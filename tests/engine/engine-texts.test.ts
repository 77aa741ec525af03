import { expect, test } from 'vitest';
import spanish from '../../schemas/_shared/texts/portal.json' with { type: 'json' };
import messages from '../../src/engine/compiler/messages.json' with { type: 'json' };
import { listPlaceholders } from '../../src/engine/core/messages.ts';
import { createTexts } from '../../src/engine/index.ts';
import { createEngine } from '../../src/engine/react.ts';
import texts from '../../src/engine/runtime/texts.json' with { type: 'json' };

const shapeOf = (table: object) =>
  Object.entries(table).map(([key, text]) => [key, listPlaceholders(String(text)).toSorted()]);

test.each([texts, messages])(
  '[ENG-13] table %# of engine texts has the same keys and placeholders in English, Spanish and Portuguese',
  ({ en, es, pt }) => {
    expect([shapeOf(es), shapeOf(pt)]).toEqual([shapeOf(en), shapeOf(en)]);
  },
);

test('[ENG-13] engine texts default to English, with the same keys and placeholders as the texts of the portal', () => {
  const ofPortal = Object.entries(spanish).filter(([key]) => key in texts.en);
  expect(shapeOf(Object.fromEntries(ofPortal)).toSorted()).toEqual(shapeOf(texts.en).toSorted());
  expect(createEngine().t('missing', { count: 2 })).toBe('2 answers are missing.');
});

test('[ENG-13] createTexts replaces one text and keeps the others of its language, or the English ones', () => {
  const t = createTexts('es-UY', { retry: 'Otra vez' });
  expect([t('retry'), t('missing', { count: 2 }), createTexts('fr')('retry')]).toEqual([
    'Otra vez',
    'Te faltan 2 datos.',
    'Try again',
  ]);
});
