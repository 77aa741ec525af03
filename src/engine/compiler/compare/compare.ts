import type { AccessWords, Access, Flow } from '../../core/definition.ts';
import type { FileSet } from '../files/read-set.ts';
import { textTable } from '../files/plugin-table.ts';
import type { Localized } from '../localized.ts';
import { say } from '../sources/say.ts';
import type { ReadDefinitions } from '../pipeline.ts';
import { type Change, compareSets, compareScreens } from './screen-changes.ts';
import { anyone } from '../../core/manifest.ts';
import { listStateEffects } from '../flow/flow-parts.ts';
import { listRoutes } from '../flow/routes.ts';

/** Compares two versions of a set. Breaking changes are first. */
export function compareDefinitions(
  before: ReadDefinitions,
  after: ReadDefinitions,
  access: AccessWords,
): readonly Change[] {
  const changes = [
    ...compareFlows(before.flows, after.flows, access),
    ...compareScreens(before.screens, after.screens),
    ...compareCommonTexts(before.set, after.set),
  ];
  return [...changes.filter(({ breaking }) => breaking), ...changes.filter(({ breaking }) => !breaking)];
}

function compareCommonTexts(before: FileSet, after: FileSet): readonly Change[] {
  return [...after.commonTexts].flatMap(([name, file]) => {
    const old = textTable(before.commonTexts.get(name));
    return Object.entries(textTable(file)).flatMap(([key, text]): Change[] => {
      const was = old[key];
      if (was === undefined || was === text) return [];
      return [{ breaking: false, where: file.path, text: say`${key}: "${was}" → "${text}"` }];
    });
  });
}

function compareFlows(before: readonly Flow[], after: readonly Flow[], words: AccessWords): readonly Change[] {
  const old = new Map(before.map((flow) => [flow.id, flow]));
  const now = new Map(after.map((flow) => [flow.id, flow]));
  const ids = compareSets(old.keys(), now.keys());
  return [
    ...compareRoutes(before, after, words),
    ...ids.gone.map((where) => ({ breaking: false, where, text: say`the flow is gone` })),
    ...ids.come.map((where) => ({ breaking: false, where, text: say`a new flow` })),
    ...ids.both.flatMap((id) => {
      const [was, is] = [old.get(id), now.get(id)];
      return was && is && JSON.stringify(was) !== JSON.stringify(is) ? compareFlow(was, is) : [];
    }),
  ];
}

/** Whether one access value is a subset of another, or the same. */
function isWithin(word: Access, other: Access, words: AccessWords): boolean {
  if (word === other || other === anyone) return true;
  const around = word === anyone ? undefined : (words[word]?.within ?? anyone);
  return around !== undefined && isWithin(around, other, words);
}

function compareRoutes(before: readonly Flow[], after: readonly Flow[], words: AccessWords): readonly Change[] {
  const old = new Map(before.flatMap(listRoutes).map((route) => [route.path, route]));
  const now = new Map(after.flatMap(listRoutes).map((route) => [route.path, route]));
  const paths = compareSets(old.keys(), now.keys());
  return [
    ...paths.gone.map((path) => {
      return { breaking: true, where: old.get(path)?.flow ?? '', text: say`the address ${path} is gone` };
    }),
    ...paths.come.map((path) => {
      return { breaking: false, where: now.get(path)?.flow ?? '', text: say`a new address: ${path}` };
    }),
    ...paths.both.flatMap((path) => {
      const [was, is] = [old.get(path)?.access ?? anyone, now.get(path)?.access ?? anyone];
      const text = say`${path}: was open to "${was}", is now to "${is}"`;
      return was === is ? [] : { breaking: !isWithin(was, is, words), where: now.get(path)?.flow ?? '', text };
    }),
  ];
}

function compareFlow(was: Flow, is: Flow): readonly Change[] {
  const queries = compareSets(listQueryVariables(was), listQueryVariables(is));
  const states = compareSets(Object.keys(was.states), Object.keys(is.states));
  const operations = compareSets(listOperations(was), listOperations(is));
  const changed = states.both.filter((name) => JSON.stringify(was.states[name]) !== JSON.stringify(is.states[name]));
  const describe = (names: readonly string[], text: (name: string) => Localized, breaking = false) =>
    names.map((name) => ({ breaking, where: is.id, text: text(name) }));
  return [
    ...describe(queries.gone, (name) => say`no longer reads "${name}" of the address`, true),
    ...describe(queries.come, (name) => say`reads "${name}" of the address`),
    ...describe(states.gone, (name) => say`the state "${name}" is gone`),
    ...describe(states.come, (name) => say`a new state: "${name}"`),
    ...describe(operations.gone, (name) => say`no longer calls ${name}`),
    ...describe(operations.come, (name) => say`calls ${name}`),
    ...compareSavedProgress(was, is),
    ...describe(changed, (name) => say`the state "${name}" changed`),
  ];
}

function compareSavedProgress({ save: was }: Flow, { id: where, save: is }: Flow): readonly Change[] {
  if (!is) return was ? [{ breaking: true, where, text: say`no longer saves the steps of who is signed in` }] : [];
  if (!was) return [{ breaking: false, where, text: say`saves the steps of who is signed in, for ${is.days} days` }];
  const { come } = compareSets(was.without ?? [], is.without ?? []);
  return [
    ...(was.days === is.days
      ? []
      : [{ breaking: is.days < was.days, where, text: say`saves the steps for ${is.days} days, before ${was.days}` }]),
    ...come.map((field): Change => ({ breaking: false, where, text: say`no longer saves «${field}»` })),
  ];
}

function listQueryVariables({ context = {} }: Flow): readonly string[] {
  return Object.entries(context).flatMap(([name, { from }]) => (from === 'query' ? [name] : []));
}

function listOperations({ states }: Flow): readonly string[] {
  return Object.values(states).flatMap((state) => listStateEffects(state).map(({ src }) => src));
}
