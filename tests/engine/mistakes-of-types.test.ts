import { expect, test } from 'vitest';
import { contract, findFindings, samplePaths, type Changes } from './support/find-findings.ts';
import { sampleProject, type Files } from './support/project.ts';

/* oxlint-disable typescript/no-explicit-any -- tests change parsed JSON files at any position */
const { schema, ui, flow } = samplePaths;

function files(changes: Changes): Files {
  const all = structuredClone(sampleProject) as Record<string, any>;
  for (const [path, change] of Object.entries(changes)) change(all[path]);
  return all;
}
const shown = (rule: unknown): Changes => ({ [ui]: (c) => (c.visible.extra = rule) });
const failed = (guard: unknown): Changes => ({
  [flow]: (c) => (c.states.form.on.submit.onError[0].guard = guard),
});
const done = (guard: unknown): Changes => ({
  [flow]: (c) => c.states.form.on.submit.onDone.unshift({ guard, target: 'done' }),
});
const named = (guard: unknown): Changes => ({
  [flow]: (c) => {
    c.guards = { fresh: guard };
    c.states.form.on.submit.onDone.unshift({ guard: 'fresh', target: 'done' });
  },
});
const drawn = (own: object): Changes => ({
  [schema]: (c) => (c.properties.extra.maxLength = 20),
  [ui]: (c) => Object.assign(c.fields.extra, own),
});
const factShapes = {
  user: {
    type: 'object',
    properties: { level: { type: 'integer' }, name: { type: 'string' }, call: { enum: ['booked', 'held'] } },
    additionalProperties: false,
  },
};

/** Mistake, reported pointer, message, and the most similar correct definition. */
const mistakes: readonly (readonly [title: string, wrong: Changes, pointer: string, says: RegExp, right: Changes])[] = [
  [
    'a guard that compares the status of an error with a text',
    failed({ 'error.status': '429' }),
    '/states/form/on/submit/onError/0/guard/error.status',
    /^"error.status" es un número, pero "429" es un texto\. Escribilo sin comillas: 429\.$/,
    failed({ 'error.status': 429 }),
  ],
  [
    'a rule that compares the size of a number with a text',
    shown({ '>=': [{ var: 'user.level' }, '2'] }),
    '/visible/extra/>=/1',
    /es un número, pero "2" es un texto.*: 2\.$/,
    shown({ '>=': [{ var: 'user.level' }, 2] }),
  ],
  [
    'a rule that compares a number with a word',
    shown({ '==': [{ var: 'user.level' }, 'dos'] }),
    '/visible/extra/==/1',
    /es un número, pero "dos" es un texto\. Escribí un número, sin comillas/,
    shown({ '==': [{ var: 'user.level' }, 2] }),
  ],
  [
    'a rule that compares a text with a number',
    shown({ '==': [{ var: 'user.name' }, 5] }),
    '/visible/extra/==/1',
    /es un texto, pero 5 es un número.*comillas: "5"/,
    shown({ '==': [{ var: 'user.name' }, '5'] }),
  ],
  [
    'a rule that compares a fact with a value that it never has',
    shown({ '==': [{ var: 'user.call' }, 'bookd'] }),
    '/visible/extra/==/1',
    /"user.call" no es nunca "bookd".*"booked", "held"/,
    shown({ '==': [{ var: 'user.call' }, 'booked'] }),
  ],
  [
    'a branch that compares a response with a value that it never has',
    done({ 'result.state': 'nuevo' }),
    '/states/form/on/submit/onDone/0/guard/result.state',
    /"result.state" no es nunca "nuevo".*"new", "old"/,
    done({ 'result.state': 'new' }),
  ],
  [
    'a named guard that compares a response with a value that it never has',
    named({ '!==': [{ var: 'result.state' }, 'nuevo'] }),
    '/guards/fresh/!==/1',
    /"result.state" no es nunca "nuevo"/,
    named({ '!==': [{ var: 'result.state' }, 'new'] }),
  ],
  [
    'a parameter of a rule that is a text',
    { [schema]: (c) => (c.properties.secret.notSimilarTo = { fields: ['email'], threshold: '1' }) },
    '/properties/secret/notSimilarTo/threshold',
    /^"threshold" tiene que ser un número\. Escribilo sin comillas: 1\.$/,
    { [schema]: (c) => (c.properties.secret.notSimilarTo = { fields: ['email'], threshold: 1 }) },
  ],
  [
    'a parameter of a rule that is too large',
    { [schema]: (c) => (c.properties.secret.notSimilarTo = { fields: ['email'], threshold: 70 }) },
    '/properties/secret/notSimilarTo/threshold',
    /^"threshold" tiene que ser <= 1\. Escribí 1 o menos\.$/,
    { [schema]: (c) => (c.properties.secret.notSimilarTo = { fields: ['email'], threshold: 0.7 }) },
  ],
  [
    'an option that is true in quotes',
    drawn({ 'ui:widget': 'textarea', 'ui:options': { counter: 'true' } }),
    '/fields/extra/ui:options/counter',
    /"counter" tiene que ser true o false.*sin comillas: true/,
    drawn({ 'ui:widget': 'textarea', 'ui:options': { counter: true } }),
  ],
  [
    'an option of a plugin that is false in quotes',
    drawn({ 'ui:options': { show: 'false' } }),
    '/fields/extra/ui:options/show',
    /"show" es un texto: así no hace nada\. Escribilo sin comillas: false/,
    drawn({ 'ui:options': { width: 'half' } }),
  ],
];

test.each(mistakes)('[ANA-02] checker reports %s', async (_, wrong, pointer, says, right) => {
  const find = async (changes: Changes) =>
    (await findFindings(files(changes), { ...contract, factShapes })).filter(({ severity }) => severity !== 'W');
  const clean = await find(right);
  const found = await find(wrong);
  expect(clean).toEqual([]);
  expect(found.map((problem) => problem.pointer)).toEqual([pointer]);
  expect(`${found[0]?.message ?? ''} ${found[0]?.hint ?? ''}`).toMatch(says);
});
