import { isObject } from '../../../core/json.ts';
import { explain } from '../../sources/localized-text.ts';
import { createFindingAt, createStateLintRule } from '../lint-rule.ts';
import { hasSibling } from './flow-variables.ts';

/** Reports a field that is prefilled with a part of a fact, although another part of the fact has the name of the field. */
export const dataPrefill = createStateLintRule('data/prefill', 'W', ({ state, locate }, { contract }) =>
  Object.entries(state.prefill ?? {}).flatMap(([field, template]) => {
    const path = isObject(template) ? template['var'] : undefined;
    if (typeof path !== 'string' || path.split('.').at(-1) === field || !hasSibling(path, field, contract)) return [];
    const meant = path.replace(/[^.]+$/, field);
    return createFindingAt({ ...locate('prefill', field), value: meant })(explain`
      "${field}" is prefilled with "${path}", although there is "${meant}".
      Write "${meant}", or rename the field.`);
  }),
);
