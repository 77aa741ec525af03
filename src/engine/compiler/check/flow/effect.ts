import type { Branch, Effect, State, Transition } from '../../../core/definition.ts';
import { branchesOf, effectOf } from '../../../core/transition.ts';
import { leaveToNext } from '../../flow/expand-flow.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { checkBranches } from './branches.ts';
import type { FlowCheck } from './flow-check.ts';
import { say } from '../../sources/say.ts';

/** Checks what an event does. */
export function checkTransition(check: FlowCheck, at: string, transition: Transition, state: State): void {
  const effect = effectOf(transition);
  if (effect) return checkEffect(check, at, effect, state);
  checkBranches(check, at, branchesOf(transition), { state, readable: check.readable(check.fieldsOf(state)) });
}

/** Checks an operation and what follows. */
export function checkEffect(check: FlowCheck, at: string, effect: Effect, state: State): void {
  const fields = check.fieldsOf(state);
  const readable = check.readable(fields);
  check.operation(`${at}/src`, effect.src);
  if (effect.input !== undefined) check.template(`${at}/input`, effect.input, readable);
  for (const [name, template] of Object.entries(effect.params ?? {}))
    check.template(`${at}/params/${escapePointer(name)}`, template, readable);
  checkBranches(check, `${at}/onDone`, effect.onDone, { state, readable: check.readable(fields, ['result']) });
  const errors = effect.onError.filter((branch) => branch !== leaveToNext);
  checkCopies(check, errors);
  if (errors.length === 0)
    check.report(
      at,
      say`The effect has no "onError".`,
      say`Add one whose last branch has no guard, e.g. { "field": true }, here or at the top of the flow.`,
    );
  checkBranches(check, `${at}/onError`, errors, { state, readable: check.readable(fields, ['error']) });
}

// The engine's own branch comes first: the same again is never reached.
function checkCopies(check: FlowCheck, errors: readonly Branch[]): void {
  for (const branch of errors) {
    if (JSON.stringify(branch) === JSON.stringify(leaveToNext))
      check.report(
        check.pointerOf(branch) ?? '',
        say`An error that names the next address leaves to it anyway.`,
        say`Remove this branch. An operation whose errors shall stay has "followNext": false.`,
      );
  }
}
