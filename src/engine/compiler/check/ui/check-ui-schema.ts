import type { ScreenUi, JsonLogic } from '../../../core/flow-and-screen-types.ts';
import { joinFieldName, buildUiPointer } from '../../../core/field-path.ts';
import { listPlaceholders } from '../../../core/messages.ts';
import { readFieldUi } from '../../../core/screen-ui-queries.ts';
import { escapePointer, walkJson } from '../../../core/json-pointer.ts';
import type { ProblemReporter } from '../../sources/problem-collector.ts';
import { checkFieldUi, checkGroupUi, checkListUi } from './check-field-ui.ts';
import {
  createUiCheckContext,
  findMisspeltSubmitEvent,
  listFlowsWithout,
  listFieldMessageKeys,
  lacksSubmitButton,
  type UiCheckContext,
  type UiCheckOptions,
} from './ui-check-context.ts';
import {
  type LocalizedText,
  type ProblemExplanation,
  explain,
  findNearestName,
  localize,
  listNearNames,
  suggestSimilarName,
} from '../../sources/localized-text.ts';
import { groupBy, isObject, type Json } from '../../../core/json.ts';
import { isValidationKeyword, listAllFields, listUiLinks, listParagraphs } from '../../screen/schema-fields.ts';
import { matchPath } from '../../../core/route.ts';
import { isHttpUrl } from '../../../core/values/http-url.ts';
import { checkRuleCondition, isKnownVariable } from '../check-json-logic.ts';
import { listPathsReadByLogic } from '../../../core/json-logic.ts';

/** Checks ui.json against its schema and the other definitions. */
export function checkUiSchema(ui: ScreenUi, around: UiCheckOptions, report: ProblemReporter): void {
  const check = createUiCheckContext(ui, around, report);
  for (const name of Object.keys(check.groups)) checkGroupUi(check, name);
  for (const [name, field] of Object.entries(check.fields)) {
    if (check.lists.includes(name)) checkListUi(check, name);
    else if (!check.isMisspelt(name)) checkFieldUi(check, name, field);
  }
  checkNames(check);
  checkMessageKeys(check);
  checkSections(check);
  for (const [name, logic] of Object.entries(ui.visible ?? {}))
    checkVisibility(check, `/visible/${escapePointer(name)}`, logic, check.readableFor(name));
  checkElements(check);
  if (!lacksSubmitButton(ui, around.schema)) return;
  const misspelt = findMisspeltSubmitEvent(ui, around.schema);
  const index = (ui.actions ?? []).findIndex(({ event }) => event === misspelt);
  report(misspelt === undefined ? '/actions' : `/actions/${index}/event`)(explain`
    A screen with fields has no button with the event "submit".
    ${misspelt === undefined ? localize`Add one to "actions".` : localize`Write "submit" in place of "${misspelt}".`}`);
}

/** Reports buttons that are always visible and raise the same event. Their translations cannot tell them apart. */
export function checkButtonEvents({ actions = [] }: ScreenUi, report: ProblemReporter): void {
  const raised = new Set<string>();
  for (const [index, { event, visible }] of actions.entries()) {
    if (visible !== undefined) continue;
    if (raised.has(event))
      report(`/actions/${index}/event`)(explain`Two buttons raise "${event}".
        Give each an event of its own, or remove one.`);
    raised.add(event);
  }
}

/** Place of ui.json that names a field. */
interface NamedField {
  /** Name within the group of the field, e.g. "calle". */
  readonly name: string;
  /** Complete name, e.g. "direccion.calle". */
  readonly field: string;
  readonly pointer: string;
  /** Names that are possible here. */
  readonly known: readonly string[];
  /** Names that the same object already has. */
  readonly used: readonly string[];
}

function listNamedFields(check: UiCheckContext): readonly NamedField[] {
  const { ui, fields, groups } = check;
  const listKeys = (part: 'visible' | 'messages', known: readonly string[]) => {
    const used = Object.keys(ui[part] ?? {});
    return used.map((name) => ({ field: name, name, pointer: `/${part}/${escapePointer(name)}`, known, used }));
  };
  const ofGroups = [null, ...Object.keys(groups)].flatMap((group) => {
    const { own, at, order } = readGroupUi(ui, group);
    const keys = Object.keys(own).filter((key) => isObject(own[key]) && !key.startsWith('ui:'));
    return [
      ...keys.map((name) => ({ name, pointer: `${at}/${escapePointer(name)}`, used: Object.keys(own) })),
      ...order.map((name, index) => ({ name, pointer: `${at}/ui:order/${index}`, used: [] })),
    ].map((place) => ({ ...place, field: joinFieldName(group ?? '', place.name), known: check.stepsIn(group) }));
  });
  const ofSections = (ui.sections ?? []).flatMap((section, place) =>
    section.fields.map((name, index) => {
      return { field: name, name, pointer: `/sections/${place}/fields/${index}`, known: check.stepsIn(null), used: [] };
    }),
  );
  const visible = [...Object.keys(fields), ...Object.keys(groups)].filter((name) => !check.isItem(name));
  return [...ofGroups, ...listKeys('visible', visible), ...listKeys('messages', Object.keys(fields)), ...ofSections];
}

/** Reports each unknown field once, with all places of ui.json that name it. */
function checkNames(check: UiCheckContext): void {
  const unknown = listNamedFields(check).filter(({ name, known }) => name !== '*' && !known.includes(name));
  for (const [field, places] of groupBy(unknown, (place) => place.field)) {
    const [first] = places;
    const lines = places.map(({ pointer }) => pointer).join(', ');
    const moved = Object.hasOwn(check.around.movedFields, field) ? check.around.movedFields[field] : undefined;
    if (!first) continue;
    if (moved === undefined) check.report(first.pointer)(explainUnknownName(first, lines));
    else
      check.report(first.pointer)(
        moved.isDrawn
          ? explain`schema.json has no field "${field}".
              Remove its lines here, also in the translations: ${lines}.`
          : explain`The field "${field}" is now in the screen "${moved.screen}".
              Move its lines there, also those of the translations: ${lines}.`,
      );
  }
  for (const group of [null, ...Object.keys(check.groups)]) checkOrder(check, group);
}

/** Reports message keys of a field that are probably a misspelled rule of the field. Other unknown keys may belong to its control. */
function checkMessageKeys({ ui, fields, around: { schema, plugins }, report }: UiCheckContext): void {
  const ofForm = Object.keys(schema).filter((keyword) => plugins.rules.has(keyword));
  for (const [name, field, needed] of listAllFields(schema)) {
    if (!Object.hasOwn(fields, name)) continue;
    const known = listFieldMessageKeys(ui, { name, field, needed }, plugins, ofForm);
    for (const key of Object.keys(ui.messages?.[name] ?? {})) {
      const keyword = key.split('.', 1)[0] ?? '';
      if (isValidationKeyword(keyword) || plugins.rules.has(keyword) || known.includes(keyword) || known.includes(key))
        continue;
      const nearest = findNearestName(keyword, known);
      if (nearest !== undefined)
        report(`/messages/${escapePointer(name)}/${escapePointer(key)}`)(explain`"${name}" has no rule "${keyword}".
          Did you mean "${nearest}"?`);
    }
  }
}

/** Returns the ui of a group, or of the whole form if `group` is `null`. */
function readGroupUi(ui: ScreenUi, group: string | null) {
  const own = group === null ? (ui.fields ?? {}) : readFieldUi(ui, group);
  return { own, at: buildUiPointer(group ?? ''), order: (own['ui:order'] ?? []) as readonly string[] }; // cast: ui.json was validated against its format
}

function checkOrder({ ui, report, stepsIn }: UiCheckContext, group: string | null): void {
  const { at, order } = readGroupUi(ui, group);
  for (const [index, name] of order.entries())
    if (order.indexOf(name) < index)
      report(`${at}/ui:order/${index}`)(explain`"${name}" appears twice in the order.
        Remove one of them.`);
  const isShown = (step: string) => readFieldUi(ui, joinFieldName(group ?? '', step))['ui:widget'] !== 'hidden';
  const isOmitted = (step: string) => !order.includes(step) && isShown(step);
  const omittedSteps = order.length === 0 || order.includes('*') ? [] : stepsIn(group).filter(isOmitted);
  if (omittedSteps.length > 0)
    report(`${at}/ui:order`)(explain`The order omits ${omittedSteps.map((step) => `"${step}"`).join(', ')}.
      Add it at its position, or "*" for all others.`);
}

/** Explains an unknown field: a misspelt one, or one that may have been removed and has to be removed from `lines`. */
function explainUnknownName({ name, known, used }: NamedField, lines: string): ProblemExplanation {
  const unused = known.filter((own) => !used.includes(own));
  return {
    message: localize`There is no field "${name}".`,
    hint:
      findNearestName(name, unused) === undefined
        ? localize`Fields of schema.json: ${listNearNames(name, known)}. If you removed it, remove its lines here, also in the translations: ${lines}. If not, add it to "properties" of schema.json, or correct the name.`
        : localize`${suggestSimilarName(name, unused)}Fields of schema.json: ${listNearNames(name, known)}. Add it to "properties" there, or correct the name.`,
  };
}

/** Checks visibility rules and link targets outside of fields. */
function checkElements({ ui, around, report, readable }: UiCheckContext): void {
  const links = listUiLinks(ui);
  const lists = {
    title: listParagraphs(ui.title),
    intro: listParagraphs(ui.intro),
    actions: ui.actions ?? [],
    'aside/parts': ui.aside?.parts ?? [],
  };
  const parts: readonly (readonly [pointer: string, part: { readonly visible?: JsonLogic }])[] = [
    ...Object.entries(lists).flatMap(([list, items]) =>
      items.map((item, index) => [`/${list}/${index}`, item] as const),
    ),
    ...links,
  ];
  for (const [pointer, { visible }] of parts)
    if (visible !== undefined) checkRuleCondition(report, `${pointer}/visible`, visible, readable);
  const targets = [...links, ...listOptionLinks(ui)];
  for (const [pointer, { to = '' }] of targets)
    if (/\s/.test(to))
      report(`${pointer}/to`)(explain`The address "${to}" contains a space.
        Remove the space.`);
  for (const [pointer, { to }] of targets) {
    const values = [...around.context, ...around.facts];
    const unknown = listPlaceholders(to ?? '').find((name) => !values.includes(name));
    if (unknown !== undefined)
      report(
        `${pointer}/to`,
      )(explain`The address uses {${unknown}}, which is not a variable of the flow ${listFlowsWithout(unknown, around.variables)}.
        ${suggestSimilarName(unknown, values)}Declare it in "context" of the flow, or assign it in an earlier branch.`);
    else if (to !== undefined && !isExternal(to, around) && !isPath(to.replace(/[?#].*$/, ''), around)) {
      report(`${pointer}/to`)(explain`No flow has the path "${to}".
        ${suggestAddress(to, around.paths)}`);
    }
  }
}

/** Returns the links in the options of widgets, which plugins define. */
function listOptionLinks(ui: ScreenUi): readonly (readonly [pointer: string, link: { readonly to: string }])[] {
  return Object.keys(ui.fields ?? {}).flatMap((name) => {
    const options = readFieldUi(ui, name)['ui:options'] as Json | undefined; // cast: ui.json is JSON
    return [...walkJson(options ?? null, `/fields/${escapePointer(name)}/ui:options`)].flatMap(([pointer, part]) => {
      const to = isObject(part) && 'text' in part ? part['to'] : undefined;
      return typeof to === 'string' ? [[pointer, { to }] as const] : [];
    });
  });
}

/** Suggests the scheme that an e-mail address, a phone number or a host name lacks, or else a similar path. */
function suggestAddress(to: string, paths: ReadonlySet<string>): LocalizedText {
  const meant = (address: string) => localize`Did you mean "${address}"?`;
  if (/^[^\s/@]+@[\w-]+\.[\w.-]+$/.test(to)) return meant(`mailto:${to}`);
  if (/^\+?[\d -]{3,}$/.test(to)) return meant(`tel:${to.replaceAll(' ', '')}`);
  return /^\w[\w-]*\.\w/.test(to)
    ? meant(`https://${to}`)
    : localize`${suggestSimilarName(to, paths)}Link to a path of flows/.`;
}

function isPath(path: string, { paths }: UiCheckOptions): boolean {
  return [...paths].some((pattern) => matchPath(pattern, path) !== null);
}

/** Whether a link target is outside the portal. Only a fact may be the complete URL, because the query string may set flow variables. */
function isExternal(to: string, { facts }: UiCheckOptions): boolean {
  const fact = /^\{(\w+)\}$/.exec(to)?.[1];
  return fact === undefined ? isHttpUrl(to) || /^(mailto:|tel:)/.test(to) : facts.includes(fact);
}

/** Checks that no field is in two sections, and that the visibility of a section does not depend on its own fields. */
function checkSections(check: UiCheckContext): void {
  const { ui, report } = check;
  const { sections = [] } = ui;
  const sectionByField = new Map<string, string>();
  for (const [index, { title, fields, visible }] of sections.entries()) {
    const at = `/sections/${index}`;
    const untitled = (title as string | undefined) === undefined; // cast: the type `ScreenUi` requires a title, but the JSON Schema of ui.json does not
    if (untitled)
      report(at)(explain`The section has no title: screen reader users do not hear where it begins.
        Add a "title": the subject of its fields, or the question that they answer.`);
    for (const [place, name] of fields.entries()) {
      const pointer = `${at}/fields/${place}`;
      const other = sectionByField.get(name);
      if (other !== undefined)
        report(pointer)(explain`"${name}" is already in the section "${other}".
          List it in one section only.`);
      else sectionByField.set(name, title);
    }
    if (visible === undefined) continue;
    checkVisibility(check, `${at}/visible`, visible);
    const own = listPathsReadByLogic(visible).find(
      (path) => path.startsWith('form.') && fields.includes(path.split('.')[1] ?? ''),
    );
    if (own !== undefined)
      report(`${at}/visible`)(explain`
        The visibility of the section "${title}" depends on its own field "${own}": once hidden, it would stay hidden.
        Move that field before the section, or move the rule to "visible" of the other fields.`);
  }
}

/** Checks a visibility rule. If the server lacked a value that the rule reads, the server would treat the field as hidden and discard the input. */
function checkVisibility(
  { around: { validated }, report, readable: ofForm }: UiCheckContext,
  pointer: string,
  logic: JsonLogic,
  readable = ofForm,
): void {
  checkRuleCondition(report, pointer, logic, readable);
  if (validated === null) return;
  const isReadable = (path: string) =>
    /^(form|item)\./.test(path) || validated.some((fact) => path === fact || path.startsWith(`${fact}.`));
  for (const path of listPathsReadByLogic(logic).filter((name) => !isReadable(name) && isKnownVariable(name, readable)))
    report(pointer)(explain`
      The server does not know "${path}": it would treat the field as hidden and discard its value.
      Read fields of the form, or one of ${validated.join(', ')}.`);
}
