import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { flowFile, newScreen, statesOf } from './flow-tasks.ts';
import { filesOf, type Both } from './screen-tasks.ts';

/** A button that is to be added to the screen of a state. */
export interface NewEvent {
  readonly state: string;
  readonly name: string;
  readonly text: Both;
  /** The state that it leads to; empty: a new one. */
  readonly target: string;
  readonly made: NewState;
}

/** A state with a screen of its own. */
export interface NewState {
  readonly name: string;
  readonly screen: string;
  /** Empty: it has no address of its own. */
  readonly path: string;
  readonly title: Both;
}

/** A button in both languages and what it leads to; with a new state its screen in both languages, and a case. */
export function addEvent(set: StudioSet, flow: string, added: NewEvent): readonly FileChange[] {
  const { name, text, made } = added;
  const own = statesOf(set, flow).find((state) => state.name === added.state);
  const screen = own?.state['screen'];
  if (!own || typeof screen !== 'string') return [];
  const isNew = added.target === '';
  const { access, permissions } = own.state;
  const state: JsonObject = {
    ...(made.path !== '' && { path: made.path }),
    screen: made.screen,
    // Who may not open the screen of the button may not open this one.
    ...(made.path !== '' && access !== undefined && { access }),
    ...(made.path !== '' && permissions !== undefined && { permissions }),
  };
  const folder = own.pointer.slice(0, own.pointer.lastIndexOf('/'));
  const edits: readonly StudioEdit[] = [
    { pointer: `${own.pointer}/on/${escapePointer(name)}`, value: isNew ? made.name : added.target },
    ...(isNew ? [{ pointer: `${folder}/${escapePointer(made.name)}`, value: state }] : []),
  ];
  const { ui, pt } = filesOf(screen);
  const address = `/actions/${escapePointer(name)}`;
  const said = valueIn(set, pt, address);
  const change = (file: string, own: readonly StudioEdit[]): FileChange => ({
    file,
    base: set.files[file]?.version ?? null,
    edits: own,
  });
  return [
    change(flowFile(flow), edits),
    change(ui, [{ pointer: '/actions/-', value: { event: name, text: text.es } }]),
    change(pt, [{ pointer: address, value: said === undefined ? text.pt : [said, text.pt].flat() }]),
    ...(isNew ? newScreen({ ...made, intro: { es: '', pt: '' } }, ['back']) : []),
  ];
}
