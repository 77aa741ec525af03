import { findFieldUiText, readFieldUi } from '../../../core/screen-ui-queries.ts';
import { groupBy } from '../../../core/json.ts';
import { explain } from '../../sources/localized-text.ts';
import {
  createDefinitionsLintRule,
  createFieldLintRule,
  createFindingAt,
  listLintedFields,
  type LintedField,
} from '../lint-rule.ts';
import { countWords, createWordFinder } from '../wording/words.ts';

/** Widgets that show their input, which is then stored. */
const openWidgets: readonly (string | undefined)[] = [undefined, 'text', 'textarea', 'email', 'tel'];

/** Maximum number of words before the name of a secret at the beginning of a label, as in "Repetir contraseña". */
const maxWordsBeforeSecret = 1;

/** Reports text fields that are not secret, although their label asks for a secret. */
function findSecretsByLabel(fields: readonly LintedField[], secrets: readonly string[]) {
  const findSecretWords = createWordFinder(secrets);
  return fields.flatMap((field) => {
    const { file, pointer, name, schema, screen } = field;
    const { 'ui:widget': widget, 'ui:readonly': isReadonly = schema.readOnly } = readFieldUi(screen.ui, name);
    const label = findFieldUiText(screen.ui, name, 'ui:title') ?? '';
    const [word] = findSecretWords(label);
    const isOpen = schema.writeOnly !== true && schema.enum === undefined && isReadonly !== true;
    if (!isOpen || !openWidgets.includes(widget as string | undefined)) return []; // cast: ui.json was validated
    if (word === undefined || countWords(label.slice(0, word.at)) > maxWordsBeforeSecret) return [];
    const fix = [{ file: file.path, pointer: `${pointer}/writeOnly`, value: true }];
    const report = createFindingAt({ file, pointer, fix });
    return {
      field,
      finding: report(explain`"${label}" asks for a secret, but the portal would show and keep it.
        Add "writeOnly": true here, and "ui:widget": "password" to "${name}" in ui.json.`),
    };
  });
}

/**
 * Reports a text field that is not a secret, although its label asks for one, or the fields with its name and type on all other screens are
 * secrets.
 */
const ruleSecret = createDefinitionsLintRule('rule/secret', 'W', (subject) => {
  const texts = listLintedFields(subject).filter(({ schema }) => schema.type === 'string');
  const { secrets = [] } = subject.contract.wording?.[subject.set.baseLanguage] ?? {};
  const byLabel = findSecretsByLabel(texts, secrets);
  const fields = texts.filter((own) => byLabel.every(({ field }) => field !== own));
  const byName = [...groupBy(fields, ({ name }) => name.split('.').at(-1) ?? name).values()].flatMap((same) => {
    const [open, ...others] = same.filter(({ schema }) => schema.writeOnly !== true);
    const secret = same.find(({ schema }) => schema.writeOnly === true);
    if (!open || !secret || others.length > 0) return [];
    const { file, pointer, name, screen } = open;
    const fix = [{ file: file.path, pointer: `${pointer}/writeOnly`, value: true }];
    return createFindingAt({ file, pointer, fix })(explain`
      "${name}" is a secret on the screen "${secret.screen.id}", but not on "${screen.id}": the portal would keep its value.
      Add "writeOnly": true to the field, or give it another name.`);
  });
  return [...byLabel.map(({ finding }) => finding), ...byName];
});

/** Reports numeric fields whose label asks for a phone number, a document or another code. */
const ruleNumber = createFieldLintRule('rule/number', 'W', ({ name, schema, screen, locate }, { contract, set }) => {
  if (schema.type !== 'integer' && schema.type !== 'number') return null;
  const label = findFieldUiText(screen.ui, name, 'ui:title') ?? '';
  const [word] = createWordFinder(contract.wording?.[set.baseLanguage]?.identifiers ?? [])(label);
  if (word === undefined || countWords(label.slice(0, word.at)) > 0) return null;
  return createFindingAt(locate('type'))(explain`"${label}" is not counted: as a number, it loses its leading zeros.
    Write "type": "string", and a "pattern" for its digits in place of limits.`);
});

export const fieldLabelLintRules = [ruleSecret, ruleNumber];
