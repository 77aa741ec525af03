import { walkJson } from '../../../core/json-pointer.ts';
import { explain } from '../../sources/localized-text.ts';
import { createLocalLintRule, createFindingAt } from '../lint-rule.ts';

/** Reports a text among the values of a flow that would be the path of a variable if its punctuation were a dot, such as "form,email". */
export const dataLiteral = createLocalLintRule('data/literal', 'W', ({ flows, contract: { factShapes = {} } }) => {
  const roots = ['form', 'context', 'carried', 'result', 'error', ...Object.keys(factShapes)];
  return flows.flatMap(({ file }) =>
    [...walkJson(file.value)].flatMap(([pointer, part]) => {
      if (typeof part !== 'string' || !/\/(?:input|params|prefill|carry|assign)\//.test(pointer)) return [];
      const path = part.replaceAll(/[,;:]|\. | \./g, '.');
      const isPath = path !== part && /^[a-z]+(?:\.\w+)+$/.test(path) && roots.includes(path.split('.')[0] ?? '');
      if (!isPath) return [];
      return createFindingAt({ file, pointer, value: path })(explain`"${part}" is a text here, not the value.
        Write "${path}".`);
    }),
  );
});
