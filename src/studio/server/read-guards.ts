import { conditionOf } from '../../engine/compiler/flow/short-forms.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { isObject, type Json } from '../../engine/core/json.ts';
import type { WrittenGuard } from '../studio-data.ts';

/** Returns the guards of a flow in JSON-logic. A name refers to a named guard of the flow or to a fact. */
export function guardsOf(flow: Json): readonly WrittenGuard[] {
  const named = isObject(flow) && isObject(flow['guards']) ? Object.entries(flow['guards']) : [];
  return [
    ...named.flatMap(
      ([name, guard]) =>
        isObject(guard) && 'guard' in guard ? [] : [guardAt(guard as Json, `/guards/${escapePointer(name)}`)], // handled below
    ),
    ...guardsIn(flow, ''),
  ];
}

function guardsIn(value: Json, at: string): readonly WrittenGuard[] {
  if (Array.isArray(value)) return value.flatMap((part: Json, index) => guardsIn(part, `${at}/${index}`));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    const pointer = `${at}/${escapePointer(key)}`;
    return key === 'guard' ? [guardAt(part as Json, pointer)] : guardsIn(part as Json, pointer);
  });
}

function guardAt(written: Json, pointer: string): WrittenGuard {
  return { pointer, logic: conditionOf(written, pointer, (name) => ({ var: name })) };
}
