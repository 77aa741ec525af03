import type { Delay, State } from '../../../core/definition.ts';
import { anyone, isOfSeparatePortal } from '../../../core/manifest.ts';
import { isWithin, nameOfPointer } from '../../../core/field-path.ts';
import { isObject } from '../../../core/json.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { computedOf } from '../../screen/computed-fields.ts';
import { propertiesOf } from '../../screen/fields-of-schema.ts';
import { instead } from '../../sources/near.ts';
import type { Readable } from '../logic.ts';
import { checkBranches, checkClear, checkSecret } from './branches.ts';
import { checkEffect, checkTransition } from './effect.ts';
import { checkEvents, checkWaysOut } from './events.ts';
import type { FlowCheck } from './flow-check.ts';
import { either, say } from '../../sources/say.ts';

/** Checks one state: what it draws, who may enter it, and every way on. */
export function checkState(check: FlowCheck, name: string, state: State): void {
  const at = `/states/${escapePointer(name)}`;
  const fields = check.fieldsOf(state);
  const readable = check.readable(fields);
  const { around } = check;
  checkView(check, at, state);
  checkAccess(check, at, state);
  checkSource(check, at, state, readable);
  if (state.requires) {
    check.condition(`${at}/requires/guard`, state.requires.guard, readable);
    check.target(`${at}/requires/else`, state.requires.else);
  }
  if (state.always) checkBranches(check, `${at}/always`, state.always, { state, readable, decides: false });
  if (state.invoke) checkEffect(check, `${at}/invoke`, state.invoke, state);
  for (const [event, transition] of Object.entries(state.on ?? {}))
    checkTransition(check, `${at}/on/${escapePointer(event)}`, transition, state);
  if (state.after) checkDelay(check, state.after);
  for (const [field, template] of Object.entries(state.prefill ?? {})) {
    const pointer = `${at}/prefill/${escapePointer(field)}`;
    if (fields && (field.includes('.') || ![...fields].some((known) => isWithin(known, field))))
      check.report(pointer, say`The screen has no field "${field}".`, say`Fields: ${[...fields].join(', ')}.`);
    if (Object.hasOwn(computedOf(around.screens.get(state.screen ?? '')?.schema ?? {}), field))
      check.report(
        pointer,
        say`"${field}" is computed: what it is filled with would be taken away at once.`,
        say`Remove it here, and prefill the fields that it is computed from.`,
      );
    check.template(pointer, template, readable);
  }
  for (const [name, template] of Object.entries(state.carry ?? {})) {
    const pointer = `${at}/carry/${escapePointer(name)}`;
    check.template(pointer, template, check.readable(fields));
    checkSecret(check, pointer, template, state);
  }
  if (state.back !== undefined && !['history', 'none'].includes(state.back)) check.target(`${at}/back`, state.back);
  checkClear(check, `${at}/clear`, state.clear, null);
  checkEmptied(check, at, state);
  checkEvents(check, at, state);
  checkWaysOut(check, at, state);
}

function checkDelay(check: FlowCheck, { at, event }: Delay): void {
  const pointer = `/delays/${escapePointer(event)}/at`;
  check.logic(pointer, at, check.readable(new Set()));
  if (!isObject(at) && (typeof at !== 'string' || Number.isNaN(Date.parse(at))))
    check.report(
      pointer,
      say`${JSON.stringify(at)} is no time: it would never come.`,
      say`Name the value that holds it, e.g. "context.vence".`,
    );
}

function checkView(check: FlowCheck, at: string, state: State): void {
  const { around, report } = check;
  if (state.screen !== undefined && !around.screens.has(state.screen))
    report(`${at}/screen`, say`There is no screen "${state.screen}".`, say`Name a folder of schemas/.`);
  const separate = isOfSeparatePortal(check.flow, around.separatePortal?.access) ? around.separatePortal : undefined;
  const { blocks } = separate ?? around;
  if (state.block !== undefined && !blocks.includes(state.block))
    report(`${at}/block`, say`There is no block "${state.block}".`, say`Known: ${blocks.join(', ')}.`);
  if (separate && state.path !== undefined && state.access !== separate.access)
    report(
      `${at}/path`,
      say`Others of its states are for "${separate.access}" alone: this one is not.`,
      say`Write "access": "${separate.access}" once, for the whole flow.`,
    );
  if (state.chrome !== undefined) check.logic(`${at}/chrome`, state.chrome, check.readable(new Set()));
  if (state.modal && state.path !== undefined)
    report(`${at}/modal`, say`A dialog has no address.`, say`Remove "path" or "modal".`);
}

// On the way back; a branch may empty a secret where the form stays.
function checkEmptied({ around, report }: FlowCheck, at: string, { screen, clear = [] }: State): void {
  const fields = propertiesOf(around.screens.get(screen ?? '')?.schema ?? {});
  clear.forEach((pointer, index) => {
    const name = nameOfPointer(pointer);
    if (fields[name]?.writeOnly === true)
      report(`${at}/clear/${index}`, say`"${name}" is a secret: none is kept when its form is left.`, say`Remove it.`);
  });
}

function checkAccess({ around, report }: FlowCheck, at: string, { access = anyone, permissions }: State): void {
  const words = [anyone, ...Object.keys(around.access)];
  if (!words.includes(access)) report(`${at}/access`, say`Nobody is called "${access}".`, instead(access, words));
  else if (permissions && !around.access[access]?.known) {
    const known = Object.entries(around.access).flatMap(([word, { known }]) => (known ? [`"${word}"`] : []));
    const hint = known.length > 0 ? say`Add "access": ${either(known)}.` : say`Remove it: nobody is.`;
    report(`${at}/permissions`, say`Permissions are asked of who is signed in.`, hint);
  }
}

function checkSource(check: FlowCheck, at: string, { block, source }: State, readable: Readable): void {
  if (source === undefined) return;
  if (block === undefined)
    check.report(
      `${at}/source`,
      say`Only a block shows a source.`,
      say`Add a "block", or name the source in the fields of the screen.`,
    );
  check.operation(`${at}/source/operation`, source.operation, 'GET call');
  for (const [name, template] of Object.entries(source.params ?? {}))
    check.template(`${at}/source/params/${escapePointer(name)}`, template, readable);
}
