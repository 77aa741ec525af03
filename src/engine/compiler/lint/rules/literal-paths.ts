import { splitPointer, walkJson } from '../../../core/json-pointer.ts';
import { explain } from '../../sources/localized-text.ts';
import { buildFieldPointer, readSchemaProperties } from '../../screen/schema-fields.ts';
import { createLocalLintRule, createFindingAt } from '../lint-rule.ts';

/**
 * Reports a text among the values of a flow that was probably meant as the path of a variable: one whose punctuation is not a dot, such as
 * "form,email", and one that repeats its key, such as "email": "email".
 */
export const dataLiteral = createLocalLintRule(
  'data/literal',
  'W',
  ({ flows, screens, contract: { factShapes = {} } }) => {
    const roots = ['form', 'context', 'carried', 'result', 'error', ...Object.keys(factShapes)];
    return flows.flatMap(({ flow, file }) => {
      const shown = Object.values(flow.states).flatMap(({ screen }) => screens.get(screen ?? '') ?? []);
      return [...walkJson(file.value)].flatMap(([pointer, part]) => {
        if (typeof part !== 'string' || !/\/(?:inputs?|params|prefill|carry|assigns?)\//.test(pointer)) return [];
        const screen = shown.find(({ schema }) => Object.hasOwn(readSchemaProperties(schema ?? {}), part));
        const isKey = splitPointer(pointer).at(-1) === part;
        const root = screen ? 'form' : /\/assigns?\//.test(pointer) ? 'result' : 'context';
        const path = isKey ? `${root}.${part}` : part.replaceAll(/[,;:]|\. | \./g, '.');
        const isPath = path !== part && /^[a-z]+(?:\.\w+)+$/.test(path) && roots.includes(path.split('.')[0] ?? '');
        if (!isPath) return [];
        const field = { file: screen?.files.schema?.path ?? '', pointer: buildFieldPointer(part) };
        const related = isKey && screen ? [field] : [];
        return createFindingAt({ file, pointer, value: path, related })(explain`"${part}" is a text here, not the value.
        Write "${path}".`);
      });
    });
  },
);
